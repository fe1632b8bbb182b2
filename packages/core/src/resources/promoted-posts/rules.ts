/** Which posts a line item can promote, and what becomes of it when it does. */
import type { Issue } from '../../wire/issues.ts';
import type { LineItem, Objective, Placement } from '../line-items/entity.ts';
import type { MediaKind } from '../media/categories.ts';

/** What the rules ask of a post. What a repost shows is that of its original. */
export interface PromotablePost {
  readonly id: bigint;
  readonly author_id: string;
  /** Who wrote what it shows. */
  readonly original_author_id: string;
  /** Whether only approved followers of somebody may see it. */
  readonly protected: boolean;
  /** The links in its text, as whole addresses. */
  readonly links: readonly string[];
  readonly media: readonly MediaKind[];
}

/** Whose posts an account may promote. */
export interface PromotableAuthors {
  /** Null when the account has none. */
  readonly full: string | null;
  readonly reposts_only: ReadonlySet<string>;
}

type PostLineItem = Pick<
  LineItem,
  'id' | 'objective' | 'product_type' | 'android_app_store_identifier' | 'ios_app_store_identifier'
>;

/** What an objective asks of a post, and how that is said. */
interface Fit {
  readonly needs: string;
  readonly fits: (post: PromotablePost, lineItem: PostLineItem) => boolean;
}

const app: Fit = {
  needs: "a link to the page of the line item's app in its store",
  fits: ({ links }, lineItem) => links.some((link) => isAppPage(link, lineItem)),
};

/**
 * What objectives ask of posts (reference 9.5); the others take any post. Our reading, as long as posts carry no cards: in
 * place of an app card, an APP_* objective takes a link to the app's page in its store.
 */
const fits: Readonly<Partial<Record<Objective, Fit>>> = {
  APP_ENGAGEMENTS: app,
  APP_INSTALLS: app,
  VIDEO_VIEWS: {
    needs: 'a video or an animated GIF',
    fits: ({ media }) => media.some((kind) => kind !== 'photo'),
  },
  WEBSITE_CLICKS: { needs: 'a link to a website', fits: ({ links }) => links.length > 0 },
};

function isAppPage(link: string, { android_app_store_identifier, ios_app_store_identifier }: PostLineItem): boolean {
  const android = /^https?:\/\/play\.google\.com\/store\/apps\/details\?(?:[^#]*&)?id=([\w.]+)(?:[&#]|$)/i.exec(link);
  if (android) return android[1] === android_app_store_identifier;
  const ios = /^https?:\/\/(?:apps|itunes)\.apple\.com\/(?:[^?#]*\/)?id(\d+)(?:[/?#]|$)/i.exec(link);
  return ios !== null && ios[1] === ios_app_store_identifier;
}

/** Which of the posts must be reposted by the FULL user to be promoted: those of others. */
export function mustBeReposted({ author_id }: PromotablePost, { full }: PromotableAuthors): boolean {
  return author_id !== full;
}

/** Refuses a line item that promotes no posts. A PROMOTED_ACCOUNT one may have some (reference 9.5). */
function checkProductType({ id, product_type, objective }: PostLineItem): Issue<'INCOMPATIBLE_LINE_ITEM'>[] {
  if (product_type !== 'MEDIA') return [];
  return [
    {
      error: 'INCOMPATIBLE_LINE_ITEM',
      parameter: 'line_item_id',
      value: id,
      message: `A line item of product type MEDIA (objective ${objective}) promotes media creatives, not posts; use one of product type PROMOTED_POSTS`,
    },
  ];
}

/** An issue of posts that are to be promoted. */
export type PromotedPostIssue = Issue<'INCOMPATIBLE_LINE_ITEM' | 'INVALID_POST' | 'POST_NOT_FOUND'>;

/**
 * Checks the posts that a line item is to promote (specification C, Promoted posts and Promotable users).
 * @param found the posts that exist, by id
 */
export function checkPromotedPosts(
  ids: readonly bigint[],
  found: ReadonlyMap<bigint, PromotablePost>,
  lineItem: PostLineItem,
  authors: PromotableAuthors,
): PromotedPostIssue[] {
  const issues: PromotedPostIssue[] = checkProductType(lineItem);
  for (const id of ids) {
    const post = found.get(id);
    if (!post) {
      issues.push({ error: 'POST_NOT_FOUND', parameter: 'post_ids', value: id, message: `There is no post ${id}` });
      continue;
    }
    const reason = whyNotAuthor(post, authors) ?? whyNotFit(post, lineItem);
    if (reason !== undefined) {
      issues.push({ error: 'INVALID_POST', parameter: 'post_ids', value: id, message: `Post ${id} ${reason}` });
    }
  }
  return issues;
}

/** Our choice: a protected user's posts are promoted by nobody, or those whom the user never approved would see them. */
function whyNotAuthor(post: PromotablePost, { full, reposts_only }: PromotableAuthors): string | undefined {
  // A repost does not make somebody else's words one's own.
  for (const author of new Set([post.author_id, post.original_author_id])) {
    if (author === full || reposts_only.has(author)) continue;
    return `shows what user ${author} posted, whom this account may not promote; with their permission, have them added as a promotable user of type REPOSTS_ONLY`;
  }
  return post.protected
    ? 'is for approved followers of its author only; posts of protected users cannot be promoted'
    : undefined;
}

function whyNotFit(post: PromotablePost, lineItem: PostLineItem): string | undefined {
  // A line item without posts is refused as such.
  if (lineItem.product_type === 'MEDIA') return undefined;
  const fit = fits[lineItem.objective];
  if (!fit || fit.fits(post, lineItem)) return undefined;
  return `does not suit the objective ${lineItem.objective}, which needs ${fit.needs}`;
}

/**
 * The placements of a line item once a post is attached: for PROMOTED_ACCOUNT that adds the mobile timeline (specification
 * C, Line items). ALL_ON_PLATFORM holds it already.
 */
export function placementsWithPost({
  product_type,
  placements,
}: Pick<LineItem, 'product_type' | 'placements'>): Placement[] {
  const covered = placements.includes('ALL_ON_PLATFORM') || placements.includes('PLATFORM_TIMELINE');
  return product_type === 'PROMOTED_ACCOUNT' && !covered ? [...placements, 'PLATFORM_TIMELINE'] : placements;
}

/** Rules on the posts that a line item can promote, and on its placements afterwards. */
import type { Issue } from '../../wire/issues.ts';
import type { AnyCard } from '../all-cards/entity.ts';
import type { LineItem, Objective, Placement } from '../line-items/entity.ts';
import type { MediaKind } from '../media/categories.ts';

/** The facts of the card of a post. */
export interface PromotedCard {
  readonly card_type: AnyCard['card_type'];
  /** The app that its button installs or opens, by store. */
  readonly googleplay_app_id: string | undefined;
  readonly ios_app_store_identifier: string | undefined;
}

/** The facts of a post that the rules check. The contents of a repost are those of its original. */
export interface PromotablePost {
  readonly id: bigint;
  readonly author_id: string;
  /** The author of the contents. */
  readonly original_author_id: string;
  /** True where only approved followers of one of the authors may see it. */
  readonly protected: boolean;
  /** True where the operator has taken it down. */
  readonly taken_down: boolean;
  /** The links in its text, as full URLs. */
  readonly links: readonly string[];
  readonly media: readonly MediaKind[];
  /** Null for a post without a card, and for one whose card has been deleted. */
  readonly card: PromotedCard | null;
}

/** Returns the facts of a card. */
export function promotedCard(card: AnyCard): PromotedCard {
  const description = 'components' in card ? card.components?.[1] : undefined;
  const destination = description?.type === 'BUTTON' ? description.destination : undefined;
  const { googleplay_app_id, ios_app_store_identifier } = destination ?? {};
  return { card_type: card.card_type, googleplay_app_id, ios_app_store_identifier };
}

/** The users whose posts an account may promote. */
export interface PromotableAuthors {
  /** The FULL user; null if the account has none. */
  readonly full: string | null;
  readonly reposts_only: ReadonlySet<string>;
}

type PostLineItem = Pick<
  LineItem,
  'id' | 'objective' | 'product_type' | 'android_app_store_identifier' | 'ios_app_store_identifier'
>;

/** A requirement of an objective on posts, and its description in messages. */
interface Fit {
  readonly needs: string;
  readonly fits: (post: PromotablePost, lineItem: PostLineItem) => boolean;
}

const app: Fit = {
  needs: "an image or video app card, of the line item's app where that names one",
  fits: ({ card }, lineItem) => card?.card_type.endsWith('_APP') === true && isOfApp(card, lineItem),
};

/**
 * The requirements of objectives on posts (reference 9.5); the other objectives accept any post. Our reading: a carousel is a
 * card of its media; a card of videos is a video.
 */
const fits: Readonly<Partial<Record<Objective, Fit>>> = {
  APP_ENGAGEMENTS: app,
  APP_INSTALLS: app,
  VIDEO_VIEWS: {
    needs: 'a video, an animated GIF, or a card of videos such as a video conversation card',
    fits: ({ card, media }) => media.some((kind) => kind !== 'photo') || card?.card_type.startsWith('VIDEO_') === true,
  },
  WEBSITE_CLICKS: {
    needs: 'a website card or a link to a website, and not both',
    fits: ({ card, links }) => (card?.card_type.endsWith('_WEBSITE') === true) !== links.length > 0,
  },
};

/**
 * Returns whether a card is of the app of a line item: of the same app in each store that both name and, where the line item
 * names any, in at least one of them (our choice).
 */
function isOfApp(card: PromotedCard, lineItem: PostLineItem): boolean {
  const stores = [
    [lineItem.android_app_store_identifier, card.googleplay_app_id],
    [lineItem.ios_app_store_identifier, card.ios_app_store_identifier],
  ] as const;
  const named = stores.filter(([ofLineItem]) => ofLineItem !== null);
  const shared = named.filter(([, ofCard]) => ofCard !== undefined);
  return (named.length === 0 || shared.length > 0) && shared.every(([ofLineItem, ofCard]) => ofLineItem === ofCard);
}

/** Returns the posts that the FULL user must repost before they are promoted: those of other users. */
export function mustBeReposted({ author_id }: PromotablePost, { full }: PromotableAuthors): boolean {
  return author_id !== full;
}

/** Rejects a line item that promotes no posts. A PROMOTED_ACCOUNT one may have some (reference 9.5). */
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

/** An issue of posts to be promoted. */
export type PromotedPostIssue = Issue<'INCOMPATIBLE_LINE_ITEM' | 'INVALID_POST' | 'POST_NOT_FOUND'>;

/**
 * Checks the posts to be promoted by a line item (specification C, Promoted posts and Promotable users).
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

/** Our choice: posts of protected users, and those that were taken down, cannot be promoted, or people who may not see them would. */
function whyNotAuthor(post: PromotablePost, { full, reposts_only }: PromotableAuthors): string | undefined {
  // A repost may only show content whose author can be promoted, too.
  for (const author of new Set([post.author_id, post.original_author_id])) {
    if (author === full || reposts_only.has(author)) continue;
    return `shows what user ${author} posted, whom this account may not promote; with their permission, have them added as a promotable user of type REPOSTS_ONLY`;
  }
  if (post.taken_down) return 'was taken down by the operator of the platform, and cannot be promoted';
  return post.protected
    ? 'is for approved followers of its author only; posts of protected users cannot be promoted'
    : undefined;
}

function whyNotFit(post: PromotablePost, lineItem: PostLineItem): string | undefined {
  // A line item without posts is rejected by `checkProductType`.
  if (lineItem.product_type === 'MEDIA') return undefined;
  const fit = fits[lineItem.objective];
  if (!fit || fit.fits(post, lineItem)) return undefined;
  return `does not suit the objective ${lineItem.objective}, which needs ${fit.needs}`;
}

/**
 * Returns the placements of a line item once a post is attached: PROMOTED_ACCOUNT then also has the mobile timeline
 * (specification C, Line items). ALL_ON_PLATFORM includes it.
 */
export function placementsWithPost({
  product_type,
  placements,
}: Pick<LineItem, 'product_type' | 'placements'>): Placement[] {
  const covered = placements.includes('ALL_ON_PLATFORM') || placements.includes('PLATFORM_TIMELINE');
  return product_type === 'PROMOTED_ACCOUNT' && !covered ? [...placements, 'PLATFORM_TIMELINE'] : placements;
}

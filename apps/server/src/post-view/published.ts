/** Builds the views of published posts: many at a time, with what they quote, pass on and show. */
import type { VideoCta } from '@broadside/core/resources/posts';
import type { PostExtras } from '../posts/shown-posts.ts';
import { guardsOf, isTakenDown, isTakenFrom, type PostRow, type UserRow, wordsOf } from '../posts/store.ts';
import type { World } from '../world/world.ts';
import { authorView } from './author-view.ts';
import { mediaViews } from './media-view.ts';
import { outwardUrl } from './outward-url.ts';
import type { AuthorView, PostCore, PostView, VideoCallToAction } from './post-view.ts';
import { publishedSegments } from './segments.ts';
import { type CardReference, shownCards } from './shown-cards.ts';

/** The viewer. */
export interface Onlooker {
  /** Null for somebody who is not signed in. */
  readonly user_id: string | null;
  /** The public address of this server. */
  readonly baseUrl: string;
  /** Sees protected posts too: an advertiser's preview of posts of their own account. */
  readonly trusted?: boolean;
}

/** A post for a viewer: there is none, it is for approved followers of its author only, it was taken down, or its view. */
export type ShownPost = PostView | 'missing' | 'protected' | 'taken_down';

/** The views of posts, in the order of their ids. */
export async function publishedViews(
  world: World,
  ids: readonly bigint[],
  onlooker: Onlooker,
): Promise<readonly ShownPost[]> {
  const { shown } = world;
  const named = await shown.posts(ids);
  const originals = await shown.posts([...named.values()].flatMap(({ reposted_id }) => reposted_id ?? []));
  const quoted = await shown.posts(
    [...named.values(), ...originals.values()].flatMap(({ quoted_id, replied_to_id }) => [
      ...(quoted_id === null ? [] : [quoted_id]),
      ...(replied_to_id === null ? [] : [replied_to_id]),
    ]),
  );
  const rows = new Map([...quoted, ...originals, ...named]);
  const all = [...rows.values()];
  const extras = await shown.extras([...rows.keys()]);
  const withCards = [...extras.values()].filter(hasCard);
  const taken = all.filter(isTakenDown).map(({ id }) => id);
  const [people, media, mayPass, cards, reasons] = await Promise.all([
    shown.people(
      all.flatMap(({ author_id, in_reply_to_user_id }) => [
        author_id,
        ...(in_reply_to_user_id === null ? [] : [in_reply_to_user_id]),
      ]),
    ),
    shown.media(all.flatMap(({ media_keys }) => wordsOf(media_keys))),
    passing(world, all, onlooker),
    shownCards(world, withCards),
    shown.reasons(taken),
  ]);
  const author = (id: bigint): AuthorView | undefined => {
    const row: UserRow | undefined = people.get(`${id}`);
    return row && authorView(row, onlooker.baseUrl);
  };

  const core = (row: PostRow, promoted: boolean): PostCore | undefined => {
    const by = author(row.author_id);
    if (!by) return undefined;
    const { repost_count, reply_count, like_count, quote_count } = row.public_metrics;
    const more = extras.get(row.id);
    const answered = row.in_reply_to_user_id === null ? undefined : author(row.in_reply_to_user_id);
    return {
      id: `${row.id}`,
      time: { kind: 'published', at_ms: row.created_ms },
      author: by,
      text: publishedSegments(row.text, row.entities),
      lang: row.lang === 'und' ? null : row.lang,
      media: mediaViews(wordsOf(row.media_keys), media),
      card: more && hasCard(more) ? cards.of(more) : null,
      call_to_action: callOf(more),
      promoted,
      reply_to:
        row.replied_to_id === null ? null : { id: `${row.replied_to_id}`, screen_name: answered?.screen_name ?? null },
      counts: { replies: reply_count, reposts: repost_count, quotes: quote_count, likes: like_count },
    };
  };

  return ids.map((id): ShownPost => {
    const row = named.get(id);
    if (!row || row.deleted) return 'missing';
    if (!mayPass(row)) return isTakenDown(row) ? 'taken_down' : 'protected';
    const original = row.reposted_id === null ? row : originals.get(row.reposted_id);
    const seen = original && !original.deleted ? core(original, row.nullcast) : undefined;
    if (!original || !seen) return 'missing';
    const quote = original.quoted_id === null ? undefined : rows.get(original.quoted_id);
    const quotable = quote && !quote.deleted && mayPass(quote) ? core(quote, false) : undefined;
    return {
      ...seen,
      quoted: original.quoted_id === null ? null : (quotable ?? 'unavailable'),
      reposted_by: row.reposted_id === null ? null : (author(row.author_id) ?? null),
      taken_down: reasons.get(row.id) ?? reasons.get(original.id) ?? null,
    };
  });
}

function hasCard(extras: PostExtras): extras is PostExtras & CardReference {
  return extras.card_uri !== null;
}

/** Returns the test whether the viewer may see a post: nobody protects it from them. */
async function passing(
  { shown }: World,
  rows: readonly PostRow[],
  { user_id, trusted = false }: Onlooker,
): Promise<(row: PostRow) => boolean> {
  const viewer = user_id === null ? null : BigInt(user_id);
  if (trusted) return (row) => !isTakenFrom(row, viewer);
  const guards = [...new Set(rows.flatMap(guardsOf))].filter((id) => id !== viewer);
  const followed = viewer === null ? new Set<bigint>() : await shown.followed(viewer, guards);
  return (row) => !isTakenFrom(row, viewer) && guardsOf(row).every((id) => id === viewer || followed.has(id));
}

/** The words of the calls to action of a video (specification B, Posts). */
const CALLS: Readonly<Record<VideoCta, string>> = { VISIT_SITE: 'Visit site', WATCH_NOW: 'Watch now' };

/** The call to action of a post with a video; null when there is none, or when its address leads nowhere. */
function callOf(extras: PostExtras | undefined): VideoCallToAction | null {
  if (!extras) return null;
  const { video_title: title, video_description: description, video_cta, video_cta_value } = extras;
  const url = video_cta_value === null ? null : outwardUrl(video_cta_value);
  const action = video_cta === null || url === null ? null : { label: CALLS[video_cta], url };
  return title === null && description === null && action === null ? null : { title, description, action };
}

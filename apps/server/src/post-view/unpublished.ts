/** Builds the views of posts that are not published: as people would see them. */
import type { Environment } from '../world/environment.ts';
import type { World } from '../world/world.ts';
import { authorView } from './author-view.ts';
import { mediaViews } from './media-view.ts';
import type { PostTime, PostView } from './post-view.ts';
import { draftSegments, mentionedIn } from './segments.ts';
import { shownCards } from './shown-cards.ts';

/** A draft or a scheduled post. */
export interface Unpublished {
  readonly id: string;
  /** In whose name it is written. */
  readonly user_id: string;
  readonly text: string;
  readonly media_keys: readonly string[];
  readonly card_uri: string | null;
  readonly nullcast: boolean;
  readonly time: PostTime;
  readonly environment: Environment;
  readonly account_id: string;
}

/** The view of a post that is not published; `undefined` when its author is gone. @param baseUrl the public address of this server */
export async function unpublishedView(
  world: World,
  content: Unpublished,
  baseUrl: string,
): Promise<PostView | undefined> {
  const { shown } = world;
  const { id, user_id, text, media_keys, card_uri, nullcast, time, environment, account_id } = content;
  const normal = text.normalize('NFC');
  const card =
    card_uri === null ? undefined : { card_uri, card_type: null, card_account: `${environment}/${account_id}` };
  const [people, media, mentioned, cards] = await Promise.all([
    shown.people([BigInt(user_id)]),
    shown.media(media_keys),
    shown.named(mentionedIn(normal)),
    shownCards(world, card ? [card] : []),
  ]);
  const author = people.get(user_id);
  if (!author) return undefined;
  return {
    id,
    time,
    author: authorView(author, baseUrl),
    text: draftSegments(normal, new Set(mentioned.map(({ username }) => username.toLowerCase()))),
    lang: null,
    media: mediaViews(media_keys, media),
    card: card ? cards.of(card) : null,
    call_to_action: null,
    promoted: nullcast,
    reply_to: null,
    counts: null,
    quoted: null,
    reposted_by: null,
    taken_down: null,
  };
}

/** Media of cards as responses show them. What is known of them is in the platform store, by their keys. */
import { type Awaitable, chain } from '../../awaitable.ts';
import { ShownRows } from '../../world/shown-rows.ts';
import type { Showing } from '../cards/find.ts';
import { type LibraryFacts, shownFacts } from '../media-library/find.ts';

/** Media with their addresses. */
interface ShownMedia {
  readonly url: string;
  /** Pixels. */
  readonly width: number;
  /** Pixels. */
  readonly height: number;
  /** Null for images. */
  readonly duration_ms: number | null;
  /** The address of the still of a video. */
  readonly poster_url: string | undefined;
  readonly owner_user_id: string;
}

/** Media of cards by their keys. */
class CardMedia {
  readonly #shown: ReadonlyMap<string, ShownMedia>;

  constructor(shown: ReadonlyMap<string, ShownMedia>) {
    this.#shown = shown;
  }

  /** Returns media that a card shows. @throws TypeError if they are gone; media that were in a library never are */
  get(media_key: string): ShownMedia {
    const shown = this.#shown.get(media_key);
    if (shown) return shown;
    throw new TypeError(`the media ${media_key} of a card are gone`);
  }

  /** Returns media that a card may show; `undefined` where it has none. */
  optional(media_key: string | null): ShownMedia | undefined {
    return media_key === null ? undefined : this.get(media_key);
  }
}

const remembered = new ShownRows<LibraryFacts, ShownMedia>();

/** Reads the media of cards, all at once. Media that have not changed since they were last read are the same objects. */
export function readCardMedia({ world, baseUrl }: Showing, keys: readonly (string | null)[]): Awaitable<CardMedia> {
  const wanted = new Set(keys.filter((key) => key !== null));
  const found = wanted.size === 0 ? new Map<string, LibraryFacts>() : shownFacts(world, [...wanted]);
  return chain(found, (known) => {
    const shown = new Map<string, ShownMedia>();
    for (const [media_key, facts] of known) {
      const media = remembered.show(facts, [baseUrl], () => {
        const { path, still_path, width, height, duration_ms, owner_user_id } = facts;
        const poster_url = still_path === null ? undefined : `${baseUrl}${still_path}`;
        return { url: `${baseUrl}${path}`, width, height, duration_ms, poster_url, owner_user_id };
      });
      shown.set(media_key, media);
    }
    return new CardMedia(shown);
  });
}

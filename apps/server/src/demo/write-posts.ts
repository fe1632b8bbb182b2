/** Writes the people and posts of the demo world: rows with final counters, all in one transaction. */
import { findCity } from '@broadside/core/data';
import type { Awaitable } from '../awaitable.ts';
import type { Writer } from '../db/database.ts';
import { type StockMedia, stockClip, stockPhoto } from '../seed/pictures/stock-media.ts';
import { plainPostEntities, plainProfileEntities } from '../seed/plain-entities.ts';
import { mediaKey } from '../seed/post-media.ts';
import {
  insertFollow,
  insertLike,
  insertMedia,
  insertPost,
  insertUser,
  type SeededMedia,
  type SeededPost,
  setCounters,
} from '../seed/rows.ts';
import { snowflakeAt } from '../world/ids.ts';
import type { World } from '../world/world.ts';
import {
  DEMO_USER,
  type DemoMedia,
  type DemoPost,
  type DemoRepost,
  demoAuthors,
  demoPosts,
  demoReposts,
} from './demo-posts.ts';

const MINUTE_MS = 60_000;
const YEAR_MS = 365 * 86_400_000;
const LONGEST_NAME = 15;
const SOURCE = 'Broadside Web';

/** The demo's own user. */
interface Owner {
  readonly id: string;
  readonly screen_name: string;
}

/** A person of the demo, with everything known of them. */
interface Person {
  readonly id: bigint;
  readonly screen_name: string;
  followers_count: number;
  following_count: number;
  post_count: number;
}

/** A post with its counters, which grow while others are created. */
type Drafted = { -readonly [Name in keyof SeededPost]: SeededPost[Name] };

/** Result of the write. */
interface DemoMade {
  /** Ids of the public posts, oldest first. */
  readonly post_ids: string[];
  /** Returns the id of a person of the demo by their name there. */
  readonly idOf: (screen_name: string) => string;
}

/**
 * Creates the demo's people and posts around its own user.
 * @param suffix makes names unique where an earlier demo was interrupted
 */
export async function writeDemoPosts(world: World, owner: Owner, suffix: string): Promise<DemoMade> {
  const stock = await demoStock();
  await world.seeds.store(Object.values(stock));
  const draft = new Draft(world, owner, suffix, stock);
  await world.seeds.write((writer) => draft.write(writer));
  return { post_ids: draft.publicIds, idOf: (screen_name) => draft.idOf(screen_name) };
}

/** Media of the demo's posts. */
type DemoStock = Readonly<Record<DemoMedia['shows'], StockMedia>>;

async function demoStock(): Promise<DemoStock> {
  return {
    photo: await stockPhoto(0),
    video: await stockClip('video', 2),
    animated_gif: await stockClip('animated_gif', 2),
  };
}

class Draft {
  readonly #now: number;
  readonly #people = new Map<string, Person>();
  readonly #posts = new Map<string, Drafted>();
  readonly #media: SeededMedia[] = [];
  readonly #stock: DemoStock;
  readonly #low: number;
  #made = 0;

  constructor(world: World, owner: Owner, suffix: string, stock: DemoStock) {
    this.#stock = stock;
    this.#now = world.clock.now();
    // Ids of one demo differ in the lowest bits, and those of a second demo are random.
    this.#low = (1 << 21) | ((world.random.bytes(1)[0] ?? 0) << 8);
    this.#people.set(DEMO_USER, this.#person(BigInt(owner.id), owner.screen_name));
    for (const [index, { screen_name }] of demoAuthors.entries()) {
      const name = `${screen_name.slice(0, LONGEST_NAME - suffix.length)}${suffix}`;
      this.#people.set(screen_name, this.#person(this.#id(this.#joined(index)), name));
    }
    for (const { screen_name, follows } of demoAuthors) {
      for (const other of follows) this.#countFollow(screen_name, other);
      this.#countFollow(DEMO_USER, screen_name);
    }
    const said: readonly (DemoPost | DemoRepost)[] = [...demoPosts, ...demoReposts].sort(
      (a, b) => b.minutes_ago - a.minutes_ago,
    );
    for (const post of said) {
      if ('reposts' in post) this.#repost(post);
      else this.#post(post);
    }
  }

  /** Ids of the public posts, oldest first. */
  get publicIds(): string[] {
    const hidden = new Set(
      demoAuthors.filter((author) => author.protected).map((author) => this.#who(author.screen_name).id),
    );
    return [...this.#posts.values()].filter(({ author_id }) => !hidden.has(author_id)).map(({ id }) => `${id}`);
  }

  /** Returns the id of a person. */
  idOf(name: string): string {
    return `${this.#who(name).id}`;
  }

  async write(writer: Writer): Promise<void> {
    for (const [index, { follows: _, ...author }] of demoAuthors.entries()) {
      const { description, location, country, url = null, verified = false } = author;
      await insertUser(writer, {
        ...this.#who(author.screen_name),
        name: author.name,
        created_ms: this.#joined(index),
        description,
        location,
        country,
        identifiers: author.identifiers,
        traits: { ...author.traits, place: findCity(country, location)?.targeting_value },
        url,
        verified,
        protected: author.protected ?? false,
        pinned_post_id: null,
        entities: plainProfileEntities(description, url),
        listed_count: 0,
      });
    }
    const owner = this.#who(DEMO_USER);
    await setCounters(writer, owner);
    for (const { screen_name, follows } of demoAuthors) {
      for (const other of follows) await this.#follow(writer, screen_name, other);
      await this.#follow(writer, DEMO_USER, screen_name);
    }
    for (const media of this.#media) await insertMedia(writer, media);
    for (const post of this.#posts.values()) await insertPost(writer, post);
    for (const { key, likes = [] } of demoPosts) {
      const post = this.#posts.get(key);
      for (const name of post ? likes : []) await insertLike(writer, post?.id ?? 0n, this.#who(name).id, this.#now);
    }
  }

  #follow(writer: Writer, follower: string, followed: string): Awaitable<number> {
    return insertFollow(writer, {
      follower_id: this.#who(follower).id,
      followed_id: this.#who(followed).id,
      approved: true,
      created_ms: this.#now,
    });
  }

  #countFollow(follower: string, followed: string): void {
    this.#who(follower).following_count++;
    this.#who(followed).followers_count++;
  }

  #post({ key, author, minutes_ago, text, lang, reply_to, quotes, media, likes = [] }: DemoPost): void {
    const post = this.#said(key, author, minutes_ago, { text: this.#renamed(text), lang });
    const parent = reply_to === undefined ? undefined : this.#posted(reply_to);
    const quoted = quotes === undefined ? undefined : this.#posted(quotes);
    post.like_count = likes.length;
    post.impression_count = 40 + 23 * likes.length;
    if (media) post.media_keys = [this.#shown(post, media)];
    if (quoted) {
      post.quoted_id = quoted.id;
      quoted.quote_count++;
    }
    if (parent) {
      post.replied_to_id = parent.id;
      post.in_reply_to_user_id = parent.author_id;
      post.conversation_id = parent.conversation_id;
      parent.reply_count++;
    }
  }

  /** Attaches media to a post. @returns its key */
  #shown({ author_id, created_ms, impression_count }: Drafted, { shows, alt_text }: DemoMedia): string {
    const stock = this.#stock[shows];
    const id = this.#id(created_ms);
    const media_key = mediaKey(stock.facts.kind, id);
    const view_count = shows === 'video' ? Math.floor(impression_count / 2) : 0;
    const media = { id, media_key, owner_user_id: author_id, bytes: stock, view_count, created_ms };
    this.#media.push({ ...media, alt_text: alt_text ?? null });
    return media_key;
  }

  #repost({ author, minutes_ago, reposts }: DemoRepost): void {
    const original = this.#posted(reposts);
    const whose = [...this.#people.values()].find(({ id }) => id === original.author_id);
    const text = `RT @${whose?.screen_name}: ${original.text}`;
    const repost = this.#said(`${author} reposts ${reposts}`, author, minutes_ago, { text, lang: original.lang });
    repost.reposted_id = original.id;
    repost.media_keys = original.media_keys;
    original.repost_count++;
  }

  #said(
    key: string,
    author: string,
    minutes_ago: number,
    words: { readonly text: string; readonly lang: string },
  ): Drafted {
    const person = this.#who(author);
    const created_ms = this.#now - minutes_ago * MINUTE_MS;
    const id = this.#id(created_ms);
    const post: Drafted = {
      id,
      author_id: person.id,
      created_ms,
      ...words,
      source: SOURCE,
      conversation_id: id,
      in_reply_to_user_id: null,
      replied_to_id: null,
      quoted_id: null,
      reposted_id: null,
      possibly_sensitive: false,
      reply_settings: 'everyone',
      entities: plainPostEntities(words.text, (name) => this.#idOf(name)),
      media_keys: [],
      repost_count: 0,
      reply_count: 0,
      like_count: 0,
      quote_count: 0,
      impression_count: 0,
      url_link_clicks: 0,
      user_profile_clicks: 0,
    };
    person.post_count++;
    this.#posts.set(key, post);
    return post;
  }

  /** Replaces the names in the text with those that the authors were given. */
  #renamed(text: string): string {
    return text.replace(/@(\w+)/g, (whole, name: string) => {
      const person = this.#people.get(name);
      return person ? `@${person.screen_name}` : whole;
    });
  }

  #idOf(screen_name: string): string | undefined {
    const person = [...this.#people.values()].find((one) => one.screen_name === screen_name);
    return person && `${person.id}`;
  }

  #posted(key: string): Drafted {
    const post = this.#posts.get(key);
    if (!post) throw new TypeError(`the demo has no post "${key}" before this one`);
    return post;
  }

  #who(name: string): Person {
    const person = this.#people.get(name);
    if (!person) throw new TypeError(`the demo has nobody named "${name}"`);
    return person;
  }

  #person(id: bigint, screen_name: string): Person {
    return { id, screen_name, followers_count: 0, following_count: 0, post_count: 0 };
  }

  /** Some joined years ago, others months ago. */
  #joined(index: number): number {
    return this.#now - Math.floor((YEAR_MS * (index + 1)) / 2);
  }

  #id(ms: number): bigint {
    return snowflakeAt(ms, BigInt(this.#low | this.#made++));
  }
}

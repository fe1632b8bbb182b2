/**
 * Writes a generated world: people, follows and posts with likes, in batches of one transaction each. The progress is
 * recorded with every batch, so an interrupted run is finished by another one with the same parameters, and is never
 * mistaken for a complete one.
 */
import { createHash } from 'node:crypto';
import { inBulk } from '../audience/bulk.ts';
import type { Reader, Writer } from '../db/database.ts';
import { readUsersByName } from '../posts/store.ts';
import { pollOfPost } from './generated-polls.ts';
import { Names, wantedNames, writeProfile } from './people.ts';
import { type StockPool, stockPool } from './pictures/stock-media.ts';
import { plainPostEntities, plainProfileEntities } from './plain-entities.ts';
import { at, type GeneratorParameters, kinds, planWorld, postIds, userIds, type WorldPlan } from './plan.ts';
import { mediaOfPost } from './post-media.ts';
import { writePost } from './post-text.ts';
import { insertFollow, insertLike, insertMedia, insertPoll, insertPost, insertUser, insertVote } from './rows.ts';
import type { SeedRecord, SeedStore } from './seed-store.ts';

/** Numbers of created rows. */
export interface Generated {
  readonly users: number;
  readonly follows: number;
  readonly posts: number;
  readonly likes: number;
  /** True if everything existed before. */
  readonly already: boolean;
}

/** Progress of a run, in rows. */
export interface GeneratorProgress {
  readonly done: number;
  readonly total: number;
}

/** A run with other parameters was interrupted. */
export class UnfinishedSeedError extends Error {
  override readonly name = 'UnfinishedSeedError';

  /** @param record of the interrupted run */
  constructor(record: SeedRecord) {
    const { seed, users, posts, until } = record;
    super(
      `An earlier run was cut off in the middle. Give the same again to finish it: --seed ${JSON.stringify(seed)} --users ${users} --posts ${posts} --until ${until}`,
    );
  }
}

const phases = ['users', 'follows', 'posts'] as const;
type Phase = (typeof phases)[number];
/** Batches are small enough to show progress, and large enough not to be bound by disk syncs. */
const batchOf: Readonly<Record<Phase, number>> = { users: 2000, follows: 20_000, posts: 4000 };

/** Maximum number of likes of a post that are rows; the others are only counted. */
const STORED_LIKES = 2;

/**
 * Generates a world on a platform, which may contain others: taken names get a numeric suffix. Does nothing when
 * these parameters were seeded before.
 * @throws UnfinishedSeedError
 */
export async function generate(
  seeds: SeedStore,
  parameters: GeneratorParameters,
  onProgress: (progress: GeneratorProgress) => void = () => {},
): Promise<Generated> {
  const id = keyOf(parameters);
  const records = await seeds.records();
  const cutOff = records.find((record) => !record.finished && record.id !== id);
  if (cutOff) throw new UnfinishedSeedError(cutOff);
  const known = records.find((record) => record.id === id);
  const plan = planWorld(parameters);
  const likes = plan.posts.likes.reduce((sum, count) => sum + storedLikes(plan, count), 0);
  const made = { users: plan.users.count, follows: plan.follows.count, posts: plan.posts.count, likes };
  if (known?.finished) return { ...made, already: true };
  const pool = await stockPool();
  await seeds.store([...pool.photos, ...pool.videos, ...pool.gifs]);
  const names = await namesFor(seeds.reader, plan);
  const run = new Run(seeds, { plan, pool, names }, known ?? begun(id, parameters));
  if (!known) await seeds.write((writer) => seeds.record(writer, run.record));
  await run.finish({ ...made, total: made.users + made.follows + made.posts }, onProgress);
  return { ...made, already: false };
}

function keyOf({ seed, users, posts, until_ms }: GeneratorParameters): string {
  const text = JSON.stringify(['generated', seed.normalize('NFC'), users, posts, until_ms]);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function begun(id: string, { seed, users, posts, until_ms }: GeneratorParameters): SeedRecord {
  const until = new Date(until_ms).toISOString();
  return { id, kind: 'generated', seed, users, posts, until, finished: false, phase: 'users', next: 0 };
}

/** Returns the number of likes of a post that are rows. */
function storedLikes({ users }: WorldPlan, count: number): number {
  return Math.min(count, STORED_LIKES, users.count);
}

interface Counts {
  readonly users: number;
  readonly follows: number;
  readonly posts: number;
  readonly total: number;
}

class Run {
  record: SeedRecord;
  readonly #seeds: SeedStore;
  readonly #plan: WorldPlan;
  readonly #pool: StockPool;
  readonly #users: BigInt64Array;
  readonly #posts: BigInt64Array;
  readonly #names: readonly string[];
  readonly #idOf: ReadonlyMap<string, string>;
  /** Follower of the next follow to write, found by advancing. */
  #follower = 0;

  constructor(
    seeds: SeedStore,
    { plan, pool, names }: { readonly plan: WorldPlan; readonly pool: StockPool; readonly names: readonly string[] },
    record: SeedRecord,
  ) {
    this.#seeds = seeds;
    this.#plan = plan;
    this.#pool = pool;
    this.record = record;
    this.#names = names;
    this.#users = userIds(plan);
    this.#posts = postIds(plan);
    this.#idOf = new Map(names.map((name, user) => [name, `${this.#users[user]}`]));
  }

  /** Writes everything that does not exist yet. */
  async finish(counts: Counts, onProgress: (progress: GeneratorProgress) => void): Promise<void> {
    const { phase: reached, next: position } = this.record;
    const current = phases.map(String).indexOf(String(reached));
    let before = 0;
    for (const [index, phase] of phases.entries()) {
      const from = index < current ? counts[phase] : index === current ? Number(position) : 0;
      for (let next = from; next < counts[phase]; ) {
        onProgress({ done: before + next, total: counts.total });
        const end = Math.min(next + batchOf[phase], counts[phase]);
        await this.#batch(phase, next, end);
        next = end;
      }
      before += counts[phase];
    }
    const { id, kind, seed, users, posts, until } = this.record;
    const record = { id: String(id), kind, seed, users, posts, until, finished: true };
    await this.#seeds.write((writer) => this.#seeds.update(writer, record));
    onProgress({ done: counts.total, total: counts.total });
  }

  async #batch(phase: Phase, from: number, end: number): Promise<void> {
    const record: SeedRecord = { ...this.record, id: this.record.id, finished: false, phase, next: end };
    await this.#seeds.write(async (writer) => {
      await inBulk(writer, async () => {
        for (let index = from; index < end; index++) {
          if (phase === 'users') await this.#user(writer, index);
          else if (phase === 'follows') await this.#follow(writer, index);
          else await this.#post(writer, index);
        }
      });
      await this.#seeds.update(writer, record);
    });
    this.record = record;
  }

  async #user(writer: Writer, user: number): Promise<void> {
    const { users, seed } = this.#plan;
    const screen_name = this.#names[user] ?? '';
    const profile = writeProfile(this.#plan, user, screen_name);
    const pinned = at(users.pinned, user);
    await insertUser(writer, {
      ...profile,
      id: this.#userId(user),
      screen_name,
      created_ms: at(users.created_ms, user),
      protected: at(users.protected, user) === 1,
      pinned_post_id: pinned < 0 ? null : this.#postId(pinned),
      entities: plainProfileEntities(profile.description, profile.url),
      followers_count: at(users.followers, user),
      following_count: at(users.following, user),
      post_count: at(users.posts, user),
      listed_count: Math.floor((at(users.followers, user) * seed.stream('likes', user).fraction()) / 20),
    });
  }

  async #follow(writer: Writer, follow: number): Promise<void> {
    const { follows, users, parameters } = this.#plan;
    while (at(follows.first, this.#follower + 1) <= follow) this.#follower++;
    const follower = this.#follower;
    const followed = at(follows.followed, follow);
    const both = Math.max(at(users.created_ms, follower), at(users.created_ms, followed));
    // Spread by the number itself: each follow has a time of its own, without creating a stream for it.
    const share = (Math.imul(follow + 1, 0x9e3779b1) >>> 0) * 2 ** -32;
    await insertFollow(writer, {
      follower_id: this.#userId(follower),
      followed_id: this.#userId(followed),
      approved: at(follows.approved, follow) === 1,
      created_ms: both + Math.floor((parameters.until_ms - both) * share),
    });
  }

  async #post(writer: Writer, post: number): Promise<void> {
    const { posts, seed, users, parameters } = this.#plan;
    const written = writePost(this.#plan, this.#names, post);
    const { text, lang } = written;
    const kind = at(posts.kind, post);
    const target = at(posts.target, post);
    const likes = at(posts.likes, post);
    const author = at(posts.author, post);
    const created_ms = at(posts.created_ms, post);
    const stream = seed.stream('likes', -1 - post);
    const entities = plainPostEntities(text, (name) => this.#idOf.get(name));
    // A post is seen by people who follow its author, and by those who follow a reposter; for a repost the original is seen.
    const seen =
      kind === kinds.repost
        ? 0
        : likes * (12 + stream.below(30)) + Math.floor(at(users.followers, author) * stream.fraction());
    const media = mediaOfPost(this.#plan, this.#pool, post);
    const asked = media.length > 0 ? undefined : pollOfPost(this.#plan, post, written);
    await insertPost(writer, {
      id: this.#postId(post),
      author_id: this.#userId(author),
      created_ms,
      text,
      lang,
      source: stream.pick(SOURCES),
      conversation_id: this.#postId(at(posts.conversation, post)),
      in_reply_to_user_id: kind === kinds.reply ? this.#userId(at(posts.author, target)) : null,
      replied_to_id: kind === kinds.reply ? this.#postId(target) : null,
      quoted_id: kind === kinds.quote ? this.#postId(target) : null,
      reposted_id: kind === kinds.repost ? this.#postId(target) : null,
      possibly_sensitive: stream.chance(0.01),
      reply_settings:
        at(posts.restricted, post) === 0 ? 'everyone' : stream.chance(0.5) ? 'following' : 'mentionedUsers',
      entities,
      media_keys: media.map(({ media_key }) => media_key),
      poll_id: asked?.poll.id,
      repost_count: at(posts.reposts, post),
      reply_count: at(posts.replies, post),
      like_count: likes,
      quote_count: at(posts.quotes, post),
      impression_count: seen,
      url_link_clicks: entities?.includes('"urls"') ? Math.floor((seen * stream.fraction()) / 20) : 0,
      user_profile_clicks: Math.floor((seen * stream.fraction()) / 40),
    });
    if (kind !== kinds.repost) {
      for (const { stock, ...one } of media) {
        const view_count = stock.facts.kind === 'video' ? Math.floor(seen / 3) : 0;
        await insertMedia(writer, {
          ...one,
          bytes: stock,
          owner_user_id: this.#userId(author),
          view_count,
          created_ms,
        });
      }
    }
    if (asked) {
      await insertPoll(writer, asked.poll);
      for (const { user, ...vote } of asked.votes) {
        await insertVote(writer, { ...vote, poll_id: asked.poll.id, user_id: this.#userId(user) });
      }
    }
    const first = stream.below(users.count);
    for (let like = 0; like < storedLikes(this.#plan, likes); like++) {
      const user = (first + like) % users.count;
      const soonest = Math.max(created_ms, at(users.created_ms, user));
      const late = soonest + Math.floor(Math.min(3_600_000, parameters.until_ms - soonest) * stream.fraction());
      await insertLike(writer, this.#postId(post), this.#userId(user), late);
    }
  }

  #userId(user: number): bigint {
    return this.#users[user] ?? 0n;
  }

  #postId(post: number): bigint {
    return this.#posts[post] ?? 0n;
  }
}

const SOURCES = ['Broadside Web', 'Broadside for Android', 'Broadside for iPhone'];

/** Assigns the names of all people: the preferred one, unless somebody else on the platform has it. */
async function namesFor(reader: Reader, plan: WorldPlan): Promise<string[]> {
  const names = new Names();
  const wanted = wantedNames(plan, names);
  const ids = userIds(plan);
  const chosen: string[] = [];
  const width = 500;
  for (let from = 0; from < wanted.length; from += width) {
    const some = wanted.slice(from, from + width);
    const owners = await ownersOf(reader, some);
    for (const [index, name] of some.entries()) {
      let free = name;
      // A resumed run finds people of its own.
      let owner = owners.get(free.toLowerCase());
      while (owner !== undefined && owner !== `${ids[from + index]}`) {
        free = names.take(name);
        owner = (await ownersOf(reader, [free])).get(free.toLowerCase());
      }
      chosen.push(free);
    }
  }
  return chosen;
}

/** Returns the users with these names: ids by lower-case name. */
async function ownersOf(reader: Reader, names: readonly string[]): Promise<Map<string, string>> {
  const people = await readUsersByName(reader, names);
  return new Map(people.map(({ username, id }) => [username.toLowerCase(), id]));
}

/**
 * The shape of a generated world: the people, the follows, the times of posts, and the replies. It is made as
 * a whole, in arrays of numbers, before anything is written: a post's counters are known when its row is made, so each
 * row is written once. Equal parameters give equal plans.
 */
import { snowflakeAt } from '../world/ids.ts';
import { type Place, places } from './places.ts';
import { Seed, type Stream } from './stream.ts';

/** Parameters of a generated world. */
export interface GeneratorParameters {
  readonly seed: string;
  readonly users: number;
  readonly posts: number;
  /** Everything happened before this time; in milliseconds since the epoch. */
  readonly until_ms: number;
}

/** People, in the order in which they joined. */
interface PlannedUsers {
  readonly count: number;
  readonly created_ms: Float64Array;
  readonly place: readonly Place[];
  readonly protected: Uint8Array;
  /** Rank by popularity; 0 for the most popular one. */
  readonly rank: Int32Array;
  readonly followers: Int32Array;
  readonly following: Int32Array;
  readonly posts: Int32Array;
  /** The pinned post, or -1. */
  readonly pinned: Int32Array;
}

/** Follows, by follower: those of user `i` are from `first[i]` to before `first[i + 1]`. */
interface PlannedFollows {
  readonly count: number;
  readonly first: Int32Array;
  readonly followed: Int32Array;
  readonly approved: Uint8Array;
}

/** Kind of a post. */
export const kinds = { original: 0, reply: 1, quote: 2, repost: 3 } as const;

/** Posts, in the order of their times. */
interface PlannedPosts {
  readonly count: number;
  readonly created_ms: Float64Array;
  readonly author: Int32Array;
  readonly kind: Uint8Array;
  /** The post that is replied to, quoted or reposted, or -1. */
  readonly target: Int32Array;
  /** The first post of the conversation. */
  readonly conversation: Int32Array;
  /** 1 where only some people may reply; such posts have no replies here. */
  readonly restricted: Uint8Array;
  readonly replies: Int32Array;
  readonly quotes: Int32Array;
  readonly reposts: Int32Array;
  readonly likes: Int32Array;
}

/** A complete world. */
export interface WorldPlan {
  readonly parameters: GeneratorParameters;
  readonly seed: Seed;
  readonly users: PlannedUsers;
  readonly follows: PlannedFollows;
  readonly posts: PlannedPosts;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const USERS_SPAN_DAYS = 6 * 365;

/** Reads an existing number of an array. */
export function at(list: ArrayLike<number>, index: number): number {
  return list[index] ?? 0;
}

/** Plans a world. */
export function planWorld(parameters: GeneratorParameters): WorldPlan {
  const { seed: text, users: userCount, posts: postCount, until_ms } = parameters;
  // All parameters are part of the seed: worlds of one seed and different sizes share no ids.
  const seed = new Seed(JSON.stringify([text, userCount, postCount, until_ms]));
  const days = Math.min(730, Math.max(14, Math.ceil(postCount / 500)));
  const from_ms = until_ms - days * DAY_MS;
  const users = planUsers(seed, userCount, from_ms, until_ms);
  const follows = planFollows(seed, users);
  const posts = planPosts(seed, users, { count: postCount, days, from_ms, until_ms });
  return { parameters, seed, users, follows, posts };
}

function planUsers(seed: Seed, count: number, from_ms: number, until_ms: number): PlannedUsers {
  const stream = seed.stream('users');
  const begin = until_ms - USERS_SPAN_DAYS * DAY_MS;
  // The square root makes the platform grow: more people join in each year than in the one before.
  const created_ms = Float64Array.from({ length: count }, () =>
    Math.floor(begin + (until_ms - DAY_MS - begin) * Math.sqrt(stream.fraction())),
  ).sort();
  // Somebody has to exist to write the first post.
  if (count > 0) created_ms[0] = Math.min(at(created_ms, 0), from_ms - DAY_MS);
  makeDistinct(created_ms);
  const byRank = stream.permutation(count);
  const rank = new Int32Array(count);
  for (const [position, user] of byRank.entries()) rank[user] = position;
  return {
    count,
    created_ms,
    place: Array.from({ length: count }, () => stream.pick(places)),
    protected: Uint8Array.from({ length: count }, () => (stream.chance(0.06) ? 1 : 0)),
    rank,
    followers: new Int32Array(count),
    following: new Int32Array(count),
    posts: new Int32Array(count),
    pinned: new Int32Array(count).fill(-1),
  };
}

/** Two ids of the same millisecond could collide, so times are unique. */
function makeDistinct(sorted: Float64Array): void {
  for (let i = 1; i < sorted.length; i++) sorted[i] = Math.max(at(sorted, i), at(sorted, i - 1) + 1);
}

function planFollows(seed: Seed, users: PlannedUsers): PlannedFollows {
  const stream = seed.stream('follows');
  const { count, rank } = users;
  const byRank = new Int32Array(count);
  for (const [user, position] of rank.entries()) byRank[position] = user;
  const most = Math.min(count - 1, 2000);
  const first = new Int32Array(count + 1);
  const followed: number[] = [];
  const approved: number[] = [];
  for (let user = 0; user < count; user++) {
    first[user] = followed.length;
    // A Pareto distribution: most follow a few, a few follow very many.
    const wanted = Math.min(most, Math.floor(6 / Math.sqrt(stream.fraction() + 1e-6)) - 5);
    const chosen = new Set<number>();
    for (let tries = 0; tries < wanted * 2 && chosen.size < wanted; tries++) {
      const other = at(byRank, stream.low(count));
      if (other !== user) chosen.add(other);
    }
    for (const other of [...chosen].sort((a, b) => a - b)) {
      const allowed = at(users.protected, other) === 0 || stream.chance(0.7);
      followed.push(other);
      approved.push(allowed ? 1 : 0);
      if (!allowed) continue;
      users.followers[other] = at(users.followers, other) + 1;
      users.following[user] = at(users.following, user) + 1;
    }
  }
  first[count] = followed.length;
  return {
    count: followed.length,
    first,
    followed: Int32Array.from(followed),
    approved: Uint8Array.from(approved),
  };
}

/** Activity by hour of a person's day. */
const HOURS = [
  0.25, 0.15, 0.1, 0.08, 0.08, 0.12, 0.25, 0.5, 0.7, 0.75, 0.7, 0.7, 0.8, 0.8, 0.7, 0.65, 0.7, 0.75, 0.85, 0.95, 1,
  0.95, 0.75, 0.45,
];
/** Activity by day of the week, from Sunday on. */
const WEEKDAYS = [0.8, 1, 1.05, 1.1, 1.05, 1, 0.75];

interface PostsWanted {
  readonly count: number;
  readonly days: number;
  readonly from_ms: number;
  readonly until_ms: number;
}

function planPosts(seed: Seed, users: PlannedUsers, wanted: PostsWanted): PlannedPosts {
  const stream = seed.stream('posts');
  const { count } = wanted;
  const posts: PlannedPosts = {
    count,
    created_ms: postTimes(stream, wanted),
    author: new Int32Array(count),
    kind: new Uint8Array(count),
    target: new Int32Array(count).fill(-1),
    conversation: new Int32Array(count),
    restricted: new Uint8Array(count),
    replies: new Int32Array(count),
    quotes: new Int32Array(count),
    reposts: new Int32Array(count),
    likes: new Int32Array(count),
  };
  const byActivity = stream.permutation(users.count);
  const related = new Relations(stream, users, posts);
  for (let post = 0; post < count; post++) {
    const author = chooseAuthor(stream, users, byActivity, at(posts.created_ms, post));
    posts.author[post] = author;
    users.posts[author] = at(users.posts, author) + 1;
    related.decide(post);
    if (at(posts.kind, post) === kinds.original && at(users.pinned, author) < 0 && stream.chance(0.02))
      users.pinned[author] = post;
  }
  for (let post = 0; post < count; post++) posts.likes[post] = likesOf(stream, users, posts, post);
  return posts;
}

function postTimes(stream: Stream, { count, days, from_ms, until_ms }: PostsWanted): Float64Array {
  const busy = new Float64Array(days);
  let sum = 0;
  for (let day = 0; day < days; day++) {
    const weekday = new Date(from_ms + day * DAY_MS).getUTCDay();
    sum += (1 + day / days) * at(WEEKDAYS, weekday);
    busy[day] = sum;
  }
  const times = Float64Array.from({ length: count }, () => {
    const day = indexIn(busy, stream.fraction() * sum);
    return Math.floor(from_ms + (day + stream.fraction()) * DAY_MS);
  }).sort();
  makeDistinct(times);
  // Times that were pushed past the end are moved before it, and push others.
  for (let i = count - 1, end = until_ms - 1; i >= 0 && at(times, i) > end; i--, end--) times[i] = end;
  return times;
}

/** Returns the index of a value in ascending sums. */
function indexIn(sums: Float64Array, value: number): number {
  let low = 0;
  let high = sums.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at(sums, middle) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Picks a person who has joined by then, preferably one for whom it is daytime. */
function chooseAuthor(stream: Stream, users: PlannedUsers, byActivity: Int32Array, now: number): number {
  for (let tries = 0; tries < 30; tries++) {
    const user = at(byActivity, stream.low(users.count));
    if (at(users.created_ms, user) > now) continue;
    const hour = Math.floor(now / HOUR_MS + (users.place[user]?.utc_offset ?? 0) + 24) % 24;
    if (stream.chance(at(HOURS, hour))) return user;
  }
  return 0;
}

/** Decides which posts reply to, quote or repost others. */
class Relations {
  readonly #stream: Stream;
  readonly #users: PlannedUsers;
  readonly #posts: PlannedPosts;
  /** The latest reply to a post, or -1: conversations continue at their latest reply. */
  readonly #latest: Int32Array;
  /** Reposts by person: nobody reposts the same post twice. */
  readonly #reposted = new Set<number>();

  constructor(stream: Stream, users: PlannedUsers, posts: PlannedPosts) {
    this.#stream = stream;
    this.#users = users;
    this.#posts = posts;
    this.#latest = new Int32Array(posts.count).fill(-1);
  }

  /** Decides the kind of a post, given all before it. */
  decide(post: number): void {
    const posts = this.#posts;
    posts.conversation[post] = post;
    const choice = this.#stream.fraction();
    if (choice < 0.25) this.#reply(post);
    else if (choice < 0.32) this.#quote(post);
    else if (choice < 0.44) this.#repost(post);
    if (at(posts.kind, post) === kinds.original && this.#stream.chance(0.02)) posts.restricted[post] = 1;
  }

  #reply(post: number): void {
    const posts = this.#posts;
    for (let tries = 0; tries < 3; tries++) {
      const near = this.#earlier(post, 3000);
      const later = at(this.#latest, near);
      const target = near >= 0 && later >= 0 && this.#stream.chance(0.5) ? later : near;
      if (target < 0 || at(posts.restricted, target) === 1 || !this.#open(post, target)) continue;
      posts.kind[post] = kinds.reply;
      posts.target[post] = target;
      posts.conversation[post] = at(posts.conversation, target);
      posts.replies[target] = at(posts.replies, target) + 1;
      this.#latest[target] = post;
      return;
    }
  }

  #quote(post: number): void {
    const posts = this.#posts;
    const target = this.#known(post);
    if (target < 0 || !this.#open(post, target)) return;
    posts.kind[post] = kinds.quote;
    posts.target[post] = target;
    posts.quotes[target] = at(posts.quotes, target) + 1;
  }

  #repost(post: number): void {
    const posts = this.#posts;
    const target = this.#known(post);
    const author = at(posts.author, post);
    const key = target * this.#users.count + author;
    if (target < 0 || at(posts.author, target) === author || !this.#open(post, target)) return;
    if (this.#reposted.has(key)) return;
    this.#reposted.add(key);
    posts.kind[post] = kinds.repost;
    posts.target[post] = target;
    posts.reposts[target] = at(posts.reposts, target) + 1;
  }

  /** Returns whether the author of one post may see the other. */
  #open(post: number, target: number): boolean {
    const author = at(this.#posts.author, target);
    return at(this.#users.protected, author) === 0 || author === at(this.#posts.author, post);
  }

  /** Picks an earlier post, preferably a recent one; a repost stands for its original. -1 when there is none. */
  #earlier(post: number, reach: number): number {
    if (post === 0) return -1;
    const near = post - 1 - this.#stream.low(Math.min(reach, post));
    return at(this.#posts.kind, near) === kinds.repost ? at(this.#posts.target, near) : near;
  }

  /** Picks the one of three earlier posts whose author is most popular. */
  #known(post: number): number {
    let best = -1;
    let rank = this.#users.count;
    for (let tries = 0; tries < 3; tries++) {
      const target = this.#earlier(post, 20_000);
      const other = target < 0 ? this.#users.count : at(this.#users.rank, at(this.#posts.author, target));
      if (other >= rank) continue;
      best = target;
      rank = other;
    }
    return best;
  }
}

/** Most posts get no attention, and a few get a lot. Those of protected people get little. */
function likesOf(stream: Stream, users: PlannedUsers, posts: PlannedPosts, post: number): number {
  const author = at(posts.author, post);
  const luck = 1 / (0.01 + stream.fraction()) - 0.99;
  if (at(posts.kind, post) === kinds.repost || at(users.protected, author) === 1) return 0;
  return Math.floor(luck * 0.3 * Math.sqrt(at(users.followers, author)));
}

// Bit 21 separates seeded ids from those that a running platform assigns, bit 20 people from posts.
const SEEDED = 1 << 21;
const PERSON = 1 << 20;

/** Returns the ids of people, in order. */
export function userIds({ seed, users }: WorldPlan): BigInt64Array {
  const stream = seed.stream('users', 1);
  return BigInt64Array.from(users.created_ms, (ms) => snowflakeAt(ms, BigInt(SEEDED | PERSON | stream.below(PERSON))));
}

/** Returns the ids of posts, in order. */
export function postIds({ seed, posts }: WorldPlan): BigInt64Array {
  const stream = seed.stream('posts', 1);
  return BigInt64Array.from(posts.created_ms, (ms) => snowflakeAt(ms, BigInt(SEEDED | stream.below(PERSON))));
}

/**
 * Puts what a seed file describes onto a platform. Users and apps are known by their names, posts by author, text and what they
 * answer or quote: what is there already is not made again, so a file can be seeded twice.
 */
import type { App } from '@broadside/core/resources/apps';
import type { Actor } from '../db/change-log.ts';
import type { Reader } from '../db/database.ts';
import { readFollowState } from '../follows/follow-store.ts';
import { hashPassword } from '../identity/password.ts';
import { type Breathe, breather } from '../members/worker/breathe.ts';
import { type NewPoll, type PollResults, pollNumber, readPolls } from '../polls/polls.ts';
import { castVote, hasVoted, recordVote } from '../polls/votes.ts';
import { detectLanguage } from '../posts/detect-language.ts';
import { PostRejectedError } from '../posts/new-post.ts';
import { readPosts, readUsersByName } from '../posts/store.ts';
import { type Clock, ManualClock, timestamp } from '../world/clock.ts';
import type { Environment } from '../world/environment.ts';
import type { World } from '../world/world.ts';
import type { Applied, Outcome } from './applied.ts';
import { AccountRejectedError, applyAccount, type KnownNames } from './apply-accounts.ts';
import { checkSeedFile, namedElsewhere } from './check-file.ts';
import { type FileAccount, itemsOf } from './file-accounts.ts';
import type { FileApp, FilePost, FileUser, FileVote, SeedFile } from './file-format.ts';
import type { FileIssue, FilePath } from './file-issue.ts';
import { type FileMedia, readFileMedia } from './file-media.ts';
import { findLikePost, findRepost } from './find-post.ts';
import type { ReadSeedFile } from './read-content.ts';
import type { SeededMoment } from './seed-store.ts';

const ACTOR: Actor = { user_id: null, platform: 'OPERATOR' };
const SOURCE = 'Broadside Web';

const IDS_OF_ACCOUNT = 16;
const IDS_OF_ITEM = 2;

/**
 * Seeds a file as a whole: all that it describes is there afterwards, or nothing of it. Files are seeded one after the other.
 * @throws SeedFileError; nothing was written then
 */
export function applySeedFile(world: World, file: ReadSeedFile): Promise<Applied> {
  const before = running.get(world) ?? Promise.resolve();
  const run = before.then(() => applyAlone(world, file));
  const ended = run.then(
    () => {},
    () => {},
  );
  running.set(world, ended);
  return run;
}

/** The latest file of each world; it never rejects. */
const running = new WeakMap<World, Promise<void>>();

async function applyAlone(world: World, file: ReadSeedFile): Promise<Applied> {
  const { content, reject } = file;
  const { reader } = world.seeds;
  const breathe = breather();
  const elsewhere = namedElsewhere(content);
  const people = await readUsersByName(reader, elsewhere.users);
  const posts = await readPosts(
    reader,
    elsewhere.posts.map(BigInt).filter((id) => id < 2n ** 63n),
  );
  const onPlatform = {
    users: new Set(people.map(({ username }) => username.toLowerCase())),
    posts: new Set(posts.filter(({ deleted }) => !deleted).map(({ id }) => `${id}`)),
  };
  const issues = await checkSeedFile(content, onPlatform, breathe);
  const files = await readFileMedia(content, { directory: file.directory, key: world.platformKey });
  if (issues.length + files.issues.length > 0) throw reject([...issues, ...files.issues]);
  const whole = { ...file, media: files.media, passwords: await hashPasswords(reader, content), breathe };
  const ids = new Map(people.map(({ username, id }) => [username.toLowerCase(), id]));
  // Before the write, which others wait for.
  const stored = await world.seeds.storeFiles([...files.media.values()].flat());
  try {
    const environments = [...new Set(content.accounts.map(({ environment }) => environment))].toSorted();
    for (const environment of environments) await world.ads[environment].takeIds(idsOf(content, environment));
    return await world.jointly(environments, (inside) => new Application(inside, whole, ids).run());
  } catch (error) {
    await world.seeds.removeFiles(stored);
    throw error;
  }
}

/** More than the accounts of an environment need, as a rule. */
function idsOf({ accounts }: SeedFile, environment: Environment): number {
  const own = accounts.filter((account) => account.environment === environment);
  return own.reduce((sum, account) => sum + IDS_OF_ACCOUNT + IDS_OF_ITEM * itemsOf(account, []).items.length, 0);
}

/** Hashes the passwords of people who are not there yet, by lower-case screen name; outside of the write, for it takes long. */
async function hashPasswords(reader: Reader, { users }: SeedFile): Promise<ReadonlyMap<string, string>> {
  const named = users.filter(({ password }) => password !== undefined);
  const known = await readUsersByName(
    reader,
    named.map(({ screen_name }) => screen_name.toLowerCase()),
  );
  const there = new Set(known.map(({ username }) => username.toLowerCase()));
  const hashes = new Map<string, string>();
  for (const { screen_name, password } of named) {
    const name = screen_name.toLowerCase();
    if (password !== undefined && !there.has(name)) hashes.set(name, await hashPassword(password));
  }
  return hashes;
}

/** A file with its references resolved. */
interface WholeSeedFile extends ReadSeedFile {
  /** By the number of the post. */
  readonly media: ReadonlyMap<number, readonly FileMedia[]>;
  readonly passwords: ReadonlyMap<string, string>;
  readonly breathe: Breathe;
}

class Application {
  readonly #world: World;
  readonly #file: WholeSeedFile;
  /** Ids by lower-case screen name. */
  readonly #people: Map<string, string>;
  readonly #posts = new Map<string, string>();
  readonly #moments = new Map<number, SeededMoment>();
  readonly #apps: Record<string, { consumer_key: string; consumer_secret?: string }> = {};

  constructor(world: World, file: WholeSeedFile, people: Map<string, string>) {
    this.#world = world;
    this.#file = file;
    this.#people = people;
  }

  async run(): Promise<Applied> {
    const { users, apps, follows, posts, accounts } = this.#file.content;
    const outcome = {
      users: none(),
      apps: none(),
      follows: none(),
      posts: none(),
      likes: none(),
      votes: none(),
      accounts: none(),
    };
    const { breathe } = this.#file;
    for (const user of users) {
      outcome.users[await this.#user(user)]++;
      await breathe();
    }
    for (const app of apps) outcome.apps[await this.#app(app)]++;
    for (const follow of follows) {
      outcome.follows[await this.#follow(follow)]++;
      await breathe();
    }
    for (const [index, post] of posts.entries()) {
      const { id, made } = await this.#post(post, index);
      if (post.as !== undefined) this.#posts.set(post.as, id);
      outcome.posts[made ? 'made' : 'kept']++;
      for (const [at, name] of (post.likes ?? []).entries()) {
        const liked = await this.#orRefuse(['posts', index, 'likes', at], () =>
          this.#world.posts.like(ACTOR, this.#who(name), id, true),
        );
        outcome.likes[liked ? 'made' : 'kept']++;
        await breathe();
      }
      for (const [at, vote] of (post.poll?.votes ?? []).entries()) {
        outcome.votes[await this.#vote(id, vote, ['posts', index, 'poll', 'votes', at])]++;
      }
      await breathe();
    }
    const advertising = await this.#accounts(accounts, outcome.accounts);
    const named = Object.fromEntries(users.map(({ screen_name }) => [screen_name, this.#who(screen_name)]));
    const ids = { users: named, apps: this.#apps, posts: Object.fromEntries(this.#posts), accounts: advertising };
    return { ...outcome, ids };
  }

  async #accounts(accounts: readonly FileAccount[], outcome: Outcome): Promise<Applied['ids']['accounts']> {
    const people = this.#file.content.users.map(({ screen_name }) => [screen_name, this.#who(screen_name)] as const);
    const names: KnownNames = {
      userId: (name) => this.#who(name),
      outside: new Map([...this.#posts, ...people]),
      breathe: this.#file.breathe,
    };
    const ids: Record<string, { id: string; ids: Readonly<Record<string, string>> }> = {};
    const issues: FileIssue[] = [];
    for (const [index, account] of accounts.entries()) {
      try {
        const { made, ...applied } = await applyAccount(this.#world, account, index, names);
        outcome[made ? 'made' : 'kept']++;
        // One in each environment can have it.
        const isShared = accounts.some((other) => other !== account && other.name === account.name);
        ids[isShared ? `${account.name} (${account.environment})` : account.name] = applied;
      } catch (error) {
        if (!(error instanceof AccountRejectedError)) throw error;
        issues.push(...error.issues);
      }
    }
    if (issues.length > 0) throw this.#file.reject(issues);
    return ids;
  }

  async #user({ screen_name, name, password: _password, ...profile }: FileUser): Promise<keyof Outcome> {
    const { identity, seeds } = this.#world;
    const [known] = await readUsersByName(seeds.reader, [screen_name]);
    const id = known?.id ?? (await this.#newUser(screen_name, name));
    this.#people.set(screen_name.toLowerCase(), id);
    const wanted = known ? { name, ...profile } : profile;
    const differs = await identity.users.differs(id, wanted);
    if (differs) await identity.users.update(ACTOR, id, wanted);
    if (!known) return 'made';
    return differs ? 'changed' : 'kept';
  }

  async #newUser(screen_name: string, name = screen_name): Promise<string> {
    const password_hash = this.#file.passwords.get(screen_name.toLowerCase());
    const user = { screen_name, name, password: null, password_hash };
    return (await this.#world.identity.users.create(ACTOR, user)).id;
  }

  async #app({ owner, ...settings }: FileApp): Promise<keyof Outcome> {
    const { identity } = this.#world;
    const known = await identity.apps.byName(settings.name);
    if (!known) {
      const { consumer_key, consumer_secret } = await identity.apps.create(ACTOR, {
        name: settings.name,
        description: settings.description ?? '',
        callback_urls: settings.callback_urls ?? [],
        sign_in_enabled: settings.sign_in_enabled ?? false,
        oob_enabled: settings.oob_enabled ?? true,
        access_level: settings.access_level ?? 'write',
        owner_user_id: this.#who(owner),
      });
      this.#apps[settings.name] = { consumer_key, consumer_secret };
      return 'made';
    }
    this.#apps[settings.name] = { consumer_key: known.consumer_key };
    if (!changes(known, settings)) return 'kept';
    await identity.apps.update(ACTOR, known.id, settings);
    return 'changed';
  }

  async #follow(follow: {
    follower: string;
    followed: string;
    approved?: boolean | undefined;
  }): Promise<keyof Outcome> {
    const { follows, seeds } = this.#world;
    const follower = this.#who(follow.follower);
    const followed = this.#who(follow.followed);
    const known = await readFollowState(seeds.reader, follower, followed);
    const state = known ?? (await follows.follow(ACTOR, follower, followed));
    const approved =
      state === 'requested' && follow.approved !== false && (await follows.approve(ACTOR, follower, followed));
    if (!known) return 'made';
    return approved ? 'changed' : 'kept';
  }

  async #post(post: FilePost, index: number): Promise<{ readonly id: string; readonly made: boolean }> {
    const media = this.#file.media.get(index) ?? [];
    const known = await this.#find(post, media);
    if (known !== undefined) return { id: known, made: false };
    return this.#orRefuse(['posts', index], async () => ({ id: await this.#make(post, media), made: true }));
  }

  /** Votes at the time of the post, when its poll is open whatever the time is now. */
  async #vote(post_id: string, vote: FileVote, path: FilePath): Promise<keyof Outcome> {
    const { seeds } = this.#world;
    const user_id = this.#who(vote.user);
    return this.#orRefuse(path, () =>
      seeds.write(async (writer) => {
        const poll = await pollOf(writer, BigInt(post_id));
        if (poll && (await hasVoted(writer, poll.id, BigInt(user_id)))) return 'kept';
        const cast = { user_id, post_id, choice: vote.choice };
        const number = await castVote(writer, cast, poll?.start_ms ?? 0);
        await recordVote(writer, ACTOR, timestamp(this.#world.clock), number, cast);
        return 'made';
      }),
    );
  }

  /** Adds the path in the file to a rejection by the platform. */
  async #orRefuse<Result>(path: FilePath, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof PostRejectedError)) throw error;
      throw this.#file.reject([{ path, message: error.message }]);
    }
  }

  /** Returns the existing post that equals this one, if any. */
  async #find(
    { author, text = '', reposts, reply_to, quotes }: FilePost,
    media: readonly FileMedia[],
  ): Promise<string | undefined> {
    const { reader } = this.#world.seeds;
    const author_id = BigInt(this.#who(author));
    if (reposts !== undefined) {
      return findRepost(reader, author_id, await this.#original(reposts));
    }
    // Media of a file are identified by the names of their blobs, which are derived from their bytes.
    return findLikePost(reader, {
      author_id,
      text: text.normalize('NFC'),
      replied_to_id: this.#number(reply_to),
      quoted_id: this.#number(quotes),
      blob_keys: media.map(({ blob_key }) => blob_key),
    });
  }

  async #make(post: FilePost, media: readonly FileMedia[]): Promise<string> {
    const { author, at, reposts, reply_to, quotes, text = '', lang, source = SOURCE, ...rest } = post;
    const moment = this.#moment(at);
    const author_id = this.#who(author);
    if (reposts !== undefined) return moment.posts.repost(ACTOR, { author_id, post_id: this.#postId(reposts), source });
    return moment.posts.create(ACTOR, {
      author_id,
      text,
      source,
      lang: lang ?? (await detectLanguage(text)),
      replied_to_id: reply_to === undefined ? undefined : this.#postId(reply_to),
      quoted_id: quotes === undefined ? undefined : this.#postId(quotes),
      media_keys: media.length === 0 ? undefined : await this.#world.seeds.addMedia(BigInt(author_id), media, moment),
      poll: rest.poll && this.#poll(rest.poll, moment.clock),
      possibly_sensitive: rest.possibly_sensitive,
      reply_settings: rest.reply_settings,
    });
  }

  #moment(at: string | undefined): SeededMoment {
    const { posts, snowflakes: ids, clock, seeds } = this.#world;
    if (at === undefined) return { posts, ids, clock };
    const ms = Date.parse(at);
    const moment = this.#moments.get(ms) ?? seeds.momentAt(new ManualClock(ms));
    this.#moments.set(ms, moment);
    return moment;
  }

  #poll({ choices, duration_minutes }: NonNullable<FilePost['poll']>, clock: Clock): NewPoll {
    const id = BigInt(this.#world.snowflakes.next());
    return { id, choices, duration_minutes, start_ms: clock.now(), media_key: null };
  }

  /** A repost of a repost is stored as one of the original. */
  async #original(name: string): Promise<bigint> {
    const id = BigInt(this.#postId(name));
    const [post] = await readPosts(this.#world.seeds.reader, [id]);
    return post?.reposted_id ?? id;
  }

  #number(name: string | undefined): bigint | null {
    return name === undefined ? null : BigInt(this.#postId(name));
  }

  #postId(name: string): string {
    return this.#posts.get(name) ?? name;
  }

  #who(screen_name: string): string {
    const id = this.#people.get(screen_name.toLowerCase());
    if (id === undefined) throw new TypeError(`the file was checked, and names nobody called ${screen_name}`);
    return id;
  }
}

async function pollOf(reader: Reader, post_id: bigint): Promise<PollResults | undefined> {
  const [post] = await readPosts(reader, [post_id]);
  const number = post && pollNumber(post);
  return number === undefined ? undefined : (await readPolls(reader, [number], 0))[0];
}

function none(): Outcome {
  return { made: 0, changed: 0, kept: 0 };
}

function changes(app: App, settings: Omit<FileApp, 'owner'>): boolean {
  const held: Readonly<Record<string, unknown>> = { ...app };
  return Object.entries(settings).some(
    ([name, value]) => value !== undefined && JSON.stringify(held[name]) !== JSON.stringify(value),
  );
}

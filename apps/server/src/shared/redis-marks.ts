/**
 * Marks of commits to stores with replicas, in Redis: by which commit each scope was written last. Scopes share so many buckets that two of them
 * seldom meet; those that do cost a read of the primary. A bucket is never forgotten but with the whole memory, which readers notice by its epoch.
 */
import { scopeSlot } from '../db/generations.ts';
import type { Replicas } from '../db/replicas.ts';
import { EVERYTHING } from '../db/touched-slots.ts';
import type { RedisLink } from './redis-link.ts';
import { announceScript, TOO_MANY, writtenScript } from './redis-scripts.ts';
import type { Repeated } from './repeated.ts';
import type { SharedMarks } from './shared-state.ts';

const BUCKETS = 4096;

/** The bucket of a scope. */
function bucketOf(scope: string): string {
  return scope === EVERYTHING ? scope : `${scopeSlot('marks', scope) % BUCKETS}`;
}

/** Who follows what is announced of a store. */
type Followers = Pick<Replicas, 'position' | 'follow'>;

interface Followed {
  readonly store: string;
  readonly replicas: Followers;
}

/** A question that is on its way. */
interface Asked {
  readonly turn: number;
  readonly stores: readonly (Followed & { readonly after: number })[];
  readonly reply: Promise<unknown>;
}

/** See the top of this file. */
export class RedisMarks implements SharedMarks {
  readonly #link: RedisLink;
  readonly #key: (name: string) => string;
  readonly #repeated: Repeated;
  readonly #followed: Followed[] = [];
  #turn = 0;
  /** The turn of the latest answer. */
  #answered = 0;

  constructor(link: RedisLink, key: (name: string) => string, repeated: Repeated) {
    this.#link = link;
    this.#key = key;
    this.#repeated = repeated;
  }

  async announce(store: string, scopes: ReadonlySet<string>, mark: number): Promise<void> {
    if (scopes.size === 0) return;
    const buckets = scopes.has(EVERYTHING) ? [EVERYTHING] : [...new Set(Array.from(scopes, bucketOf))];
    await this.#repeated.run(() => this.#say(store, mark, buckets));
  }

  follow(store: string, replicas: Followers): void {
    this.#followed.push({ store, replicas });
  }

  /** Asks what was written since, where replicas are followed. Its answer is to be waited for by {@link learn}; it never rejects. */
  ask(): Asked | undefined {
    if (this.#followed.length === 0) return undefined;
    this.#turn += 1;
    const stores = this.#followed.flatMap((one) => {
      const after = one.replicas.position;
      return after === undefined ? [] : [{ ...one, after }];
    });
    return { turn: this.#turn, stores, reply: this.#ask(stores) };
  }

  /** Has replicas know the answer before the requests go on that have waited for it. */
  async learn({ turn, stores, reply }: Asked): Promise<void> {
    const [memory, ...texts] = answerOf(await reply);
    // Without an answer of this turn, nothing is known of what was written before it.
    if (turn < this.#answered) return;
    this.#answered = turn;
    const asked = new Map(stores.map((one, place) => [one.replicas, { after: one.after, text: texts[place] }]));
    for (const { replicas } of this.#followed) {
      const { after, text } = asked.get(replicas) ?? {};
      if (!memory || after === undefined || text === undefined) replicas.follow(undefined);
      else replicas.follow({ memory, after, wrote: wroteIn(text) });
    }
  }

  async #ask(stores: Asked['stores']): Promise<unknown> {
    if (stores.length === 0) return undefined;
    const keys = [this.#key('epoch'), ...stores.map(({ store }) => this.#marksOf(store))];
    try {
      return await this.#link.evaluate(writtenScript, keys, [
        this.#link.runId,
        ...stores.map(({ after }) => `${after}`),
      ]);
    } catch {
      return undefined;
    }
  }

  #marksOf(store: string): string {
    return this.#key(`marks ${store}`);
  }

  async #say(store: string, mark: number, buckets: readonly string[]): Promise<void> {
    await this.#link.evaluate(announceScript, [this.#marksOf(store)], [`${mark}`, ...buckets]);
  }
}

function answerOf(reply: unknown): readonly string[] {
  return Array.isArray(reply) ? reply.map(String) : [];
}

/** Reads what a trip says of one store. */
function wroteIn(text: string): (scope: string) => boolean {
  if (text === TOO_MANY) return () => true;
  const buckets = new Set(text.split(' '));
  return (scope) => buckets.has(bucketOf(scope)) || buckets.has(EVERYTHING);
}

/**
 * Reads of one store that its replicas answer. A replica is as old as it is; so each read of one has a guard in the same round trip, by
 * which it is made only if the replica has got as far as a mark (`store-identity.ts`). What mark a read needs follows from what was written:
 * see `docs/adr/0037-reads-of-replicas.md`.
 */
import type { Arg, Reader } from './access.ts';
import { SkippedReadError, StoreUnreachableError } from './errors.ts';
import type { Row } from './native-connection.ts';
import type { Guard, RemoteStore } from './remote-store.ts';
import { markGuard, readMark } from './store-identity.ts';

/** Marks are asked for this often, in milliseconds. */
const POLL_MS = 500;

/** Who answers reads that may go to a replica, and why. */
const replicaAnswers = ['replica', 'primary_written', 'primary_behind', 'primary_away'] as const;
export type ReplicaAnswer = (typeof replicaAnswers)[number];

/** What the servers share about the commits of a store. */
export interface Written {
  /** The id of the memory in which it was kept: what was known before it began is not in it. */
  readonly memory: string;
  readonly after: number;
  /** Whether a scope was written by a commit with a mark above `after`; when in doubt, it was. */
  wrote(scope: string): boolean;
}

/** The primary of a store. */
export interface Primary extends Reader {
  readIf(guard: Guard, sql: string, args: readonly Arg[]): Promise<readonly Row[]>;
}

/** A replica by its name, which says nothing secret. */
export interface NamedReplica {
  readonly name: string;
  readonly store: Pick<RemoteStore, 'read' | 'readIf' | 'close'>;
}

interface Known extends NamedReplica {
  /** It has at least the commits up to this mark. */
  mark: number;
  isAway: boolean;
}

/** How a replica is doing. */
export interface ReplicaState {
  readonly name: string;
  readonly isAway: boolean;
  /** Commits that it lacked when it was asked last. */
  readonly behind: number;
}

/** See the top of this file. */
export class Replicas {
  readonly #primary: () => Primary;
  #begin: (() => Promise<void>) | undefined;
  readonly #replicas: readonly Known[];
  readonly #answers = new Map<ReplicaAnswer, number>(replicaAnswers.map((answer) => [answer, 0]));
  #written: Written | undefined;
  /** The memory that trips have named last. */
  #memory: string | undefined;
  /** Commits up to `mark` are older than half a second, or older than `memory`. */
  #floor: { readonly memory: string | undefined; readonly mark: number } | undefined;
  #latest = 0;
  #guard: { readonly mark: number; readonly guard: Guard } | undefined;
  #turn = 0;
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> | undefined;
  #closed = false;

  /**
   * @param primary fails as a read does where it is away
   * @param begin has commits marked; tried again until it succeeds, and nothing is read of a replica before
   */
  constructor(primary: () => Primary, replicas: readonly NamedReplica[], begin: () => Promise<void>) {
    this.#primary = primary;
    this.#begin = begin;
    this.#replicas = replicas.map((one) => ({ ...one, mark: 0, isAway: false }));
    this.#polling = this.#poll();
  }

  /** The mark that all replicas have which can be read; `undefined` where none can. */
  get position(): number | undefined {
    const marks = this.#usable(0).map(({ mark }) => mark);
    return marks.length === 0 ? undefined : Math.min(...marks);
  }

  /** Notes what the servers know; `undefined` where they have not been asked. To be called before the reads of whoever has asked. */
  follow(written: Written | undefined): void {
    this.#written = written;
    if (written === undefined || written.memory === this.#memory) return;
    this.#memory = written.memory;
    this.#pollSoon();
  }

  /**
   * Reads of one scope: by a replica where that has all that was acknowledged for the scope before the latest {@link follow}, and otherwise by
   * the primary.
   */
  readsOf(scope: string): Primary {
    const read = (sql: string, args?: readonly Arg[]) => this.#read(scope, sql, args);
    return { read, query: read, readIf: async (guard, sql, args) => this.#primary().readIf(guard, sql, args) };
  }

  /** The number of reads by who has answered them. */
  get answers(): ReadonlyMap<ReplicaAnswer, number> {
    return this.#answers;
  }

  get states(): readonly ReplicaState[] {
    return this.#replicas.map(({ name, isAway, mark }) => ({
      name,
      isAway,
      behind: Math.max(0, this.#latest - mark),
    }));
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    for (const { store } of this.#replicas) store.close();
    await this.#polling;
  }

  async #read(scope: string, sql: string, args: readonly Arg[] = []): Promise<readonly Row[]> {
    const needed = this.#markFor(scope);
    if (typeof needed === 'string') return this.#ask(needed, sql, args);
    const replica = this.#next(needed);
    if (replica === undefined) return this.#ask(this.#missing(), sql, args);
    try {
      const rows = await replica.store.readIf(this.#guardOf(needed), sql, args);
      this.#count('replica');
      return rows;
    } catch (error) {
      if (error instanceof StoreUnreachableError) {
        replica.isAway = true;
        return this.#ask('primary_away', sql, args);
      }
      // It is not where it was: it has been made anew.
      if (error instanceof SkippedReadError) replica.mark = 0;
      // What it rejects itself, the primary may accept: a table may not be there yet.
      return this.#ask('primary_behind', sql, args);
    }
  }

  /** The mark that a replica needs for a scope, or who answers in place of it. */
  #markFor(scope: string): number | ReplicaAnswer {
    const written = this.#written;
    const floor = this.#floor;
    if (written === undefined || floor === undefined || floor.memory !== written.memory) {
      return this.#missing();
    }
    return written.wrote(scope) ? 'primary_written' : Math.max(written.after, floor.mark);
  }

  /** Why no replica answers. */
  #missing(): ReplicaAnswer {
    return this.#replicas.every(({ isAway }) => isAway) ? 'primary_away' : 'primary_behind';
  }

  async #ask(answer: ReplicaAnswer, sql: string, args: readonly Arg[]): Promise<readonly Row[]> {
    this.#count(answer);
    return this.#primary().query(sql, args);
  }

  #count(answer: ReplicaAnswer): void {
    this.#answers.set(answer, (this.#answers.get(answer) ?? 0) + 1);
  }

  #usable(mark: number): readonly Known[] {
    const least = Math.max(mark, this.#floor?.mark ?? Number.POSITIVE_INFINITY);
    return this.#replicas.filter((one) => !one.isAway && one.mark >= least);
  }

  #next(mark: number): Known | undefined {
    const usable = this.#usable(mark);
    this.#turn += 1;
    return usable[this.#turn % usable.length];
  }

  /** One guard object for all reads with one mark, so that it is run once for those of a round trip. */
  #guardOf(mark: number): Guard {
    if (this.#guard?.mark !== mark) this.#guard = { mark, guard: markGuard(mark) };
    return this.#guard.guard;
  }

  /** Begins the next round now. */
  #pollSoon(): void {
    clearTimeout(this.#timer);
    this.#polling = (this.#polling ?? Promise.resolve()).then(() => this.#poll());
  }

  async #poll(): Promise<void> {
    if (this.#closed) return;
    clearTimeout(this.#timer);
    await Promise.all([this.#askPrimary(), ...this.#replicas.map((one) => this.#askReplica(one))]);
    if (this.#closed) return;
    this.#timer = setTimeout(() => {
      this.#polling = this.#poll();
    }, POLL_MS).unref();
  }

  async #askPrimary(): Promise<void> {
    const memory = this.#memory;
    const before = this.#latest;
    try {
      await this.#begin?.();
      this.#begin = undefined;
      this.#latest = await readMark(this.#primary());
    } catch {
      // What is known of it still holds.
      return;
    }
    // Of what was committed before this memory began, only the primary knows.
    const mark = this.#floor?.memory === memory ? before : this.#latest;
    this.#floor = { memory, mark };
  }

  async #askReplica(replica: Known): Promise<void> {
    try {
      replica.mark = await readMark(replica.store);
      replica.isAway = false;
    } catch {
      replica.isAway = true;
    }
  }
}

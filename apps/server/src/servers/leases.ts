/** Work that one process of a platform does at a time. */
import type { Database, Writer } from '../db/database.ts';
import { dropEndedLeases, endLease, findLease, findLiveLease, renewLeases, takeLease } from './store.ts';

/** Milliseconds after which what a process held is another's to take, unless the process has prolonged it. */
export const LEASE_MS = 15_000;

/** Rows of leases that ended stay so long. */
const KEPT_MS = 60_000;

/** The leases of a process. They are prolonged with its registration, see `registration.ts`. */
export class Leases {
  readonly owner: string;
  readonly #database: Database;
  readonly #held = new Set<string>();
  readonly #lost = new Set<string>();

  /** @param owner the id of the process */
  constructor(database: Database, owner: string) {
    this.#database = database;
    this.owner = owner;
  }

  /** Takes a lease. @returns whether nobody else has it */
  async take(name: string): Promise<boolean> {
    const taken = await this.#database.write((writer) =>
      takeLease.run(writer, { name, owner: this.owner, lease_ms: LEASE_MS }),
    );
    if (taken > 0) this.#held.add(name);
    return taken > 0;
  }

  /** Gives a lease back. */
  async release(name: string): Promise<void> {
    this.forget(name);
    await this.#database.write((writer) => this.end(writer, name));
  }

  /** Has a lease prolonged that another statement has taken. */
  keep(name: string): void {
    this.#held.add(name);
  }

  /** Returns whether it is still held, inside a write: until its commit, nobody else can take it. */
  async holds(writer: Writer, name: string): Promise<boolean> {
    return (await findLease.first(writer, { name, owner: this.owner })) !== undefined;
  }

  /** Returns whether any process holds a lease that has not ended. */
  async isHeld(name: string): Promise<boolean> {
    return (await findLiveLease.first(this.#database, { name })) !== undefined;
  }

  /** Ends a lease in a write. */
  async end(writer: Writer, name: string): Promise<void> {
    await endLease.run(writer, { name, owner: this.owner });
  }

  /** Prolongs a lease no more. It ends by itself, if it was not ended. */
  forget(name: string): void {
    this.#held.delete(name);
    this.#lost.delete(name);
  }

  /** Whether another process had taken a lease when it was to be prolonged. */
  hasLost(name: string): boolean {
    return this.#lost.has(name);
  }

  /** Prolongs what is held, in a write. */
  async renew(writer: Writer): Promise<void> {
    const names = [...this.#held];
    if (names.length > 0) {
      const renewed = await renewLeases.run(writer, { owner: this.owner, names, lease_ms: LEASE_MS });
      if (renewed < names.length) await this.#noteLost(writer, names);
    }
    await dropEndedLeases.run(writer, { for_ms: KEPT_MS });
  }

  async #noteLost(writer: Writer, names: readonly string[]): Promise<void> {
    for (const name of names) {
      // Meanwhile it may have been given back.
      if (!(await this.holds(writer, name)) && this.#held.has(name)) this.#lost.add(name);
    }
  }
}

/** Writes of people, apps and tokens. Each change is recorded, and each write clears the cache for verifying requests. */
import { type Actor, recordChange } from '../db/change-log.ts';
import { type Database, violatedConstraint, type Writer } from '../db/database.ts';
import { type Clock, timestamp } from '../world/clock.ts';

/** The name is taken. */
export class NameTakenError extends Error {
  override readonly name = 'NameTakenError';
}

/** A change of an identity, for the change log. */
export interface IdentityChange {
  readonly entity: 'USER' | 'APP' | 'ACCESS_TOKEN';
  readonly before?: Readonly<Record<string, unknown>> | undefined;
  readonly after: Readonly<Record<string, unknown>> & { readonly id: string };
}

export class IdentityWrites {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #onWrite: () => void;

  /** @param onWrite called after each write, also after one that failed */
  constructor(database: Database, clock: Clock, onWrite: () => void) {
    this.#database = database;
    this.#clock = clock;
    this.#onWrite = onWrite;
  }

  /** Runs a write. @throws NameTakenError when a name is taken, in any case of letters */
  async run<Result>(body: (writer: Writer) => Promise<Result>): Promise<Result> {
    try {
      return await this.#database.write(body);
    } catch (error) {
      if (violatedConstraint(error) === 'unique') throw new NameTakenError();
      throw error;
    } finally {
      this.#onWrite();
    }
  }

  /** Runs a write that makes one change, and records it. @param body returns `undefined` when nothing changed */
  async change(actor: Actor, body: (writer: Writer) => Promise<IdentityChange | undefined>): Promise<void> {
    await this.run(async (writer) => {
      const change = await body(writer);
      if (change) await this.record(writer, actor, change);
    });
  }

  /** Records a change, in the write that makes it. */
  async record(writer: Writer, actor: Actor, { entity, before, after }: IdentityChange): Promise<void> {
    const at = timestamp(this.#clock);
    await recordChange(writer, actor, at, { account_id: null, entity, entity_id: after.id, before, after });
  }
}

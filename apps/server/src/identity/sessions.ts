/** People who are signed in with their browser. Stored are hashes; times follow the wall clock, as cookies do. */
import type { Database, Writer } from '../db/database.ts';
import type { Clock } from '../world/clock.ts';
import { type Random, randomText } from '../world/random.ts';
import { tokenHash } from '../world/secrets.ts';

/** A person who is signed in. */
export interface SignedIn {
  readonly user_id: string;
  readonly screen_name: string;
  readonly name: string;
}

/** How long a person stays signed in. */
export const SESSION_MS = 14 * 86_400_000;

interface Services {
  readonly database: Database;
  readonly wallClock: Clock;
  readonly random: Random;
}

export class Sessions {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  /** Signs a person in. @returns what the browser keeps: always new, so that nobody can have planted it */
  async begin(user_id: string): Promise<string> {
    const id = randomText(this.#services.random, 43);
    const now = this.#services.wallClock.now();
    await this.#services.database.write(async (writer) => {
      await writer.run('DELETE FROM "sessions" WHERE "expires_ms" <= ?', [now]);
      await writer.run(
        'INSERT INTO "sessions" ("id_hash", "user_id", "created_ms", "expires_ms") VALUES (?, ?, ?, ?)',
        [tokenHash(id), user_id, now, now + SESSION_MS],
      );
    });
    return id;
  }

  /** Who is signed in under an id; `undefined` when nobody is any more. */
  async find(id: string): Promise<SignedIn | undefined> {
    const [row] = await this.#services.database.query(
      `SELECT "users"."id", "users"."screen_name", "users"."name" FROM "sessions"
         JOIN "users" ON "users"."id" = "sessions"."user_id"
         WHERE "sessions"."id_hash" = ? AND "sessions"."expires_ms" > ? LIMIT 1`,
      [tokenHash(id), this.#services.wallClock.now()],
    );
    return row && { user_id: String(row[0]), screen_name: String(row[1]), name: String(row[2]) };
  }

  /** Signs a person out in one browser. */
  async end(id: string): Promise<void> {
    await this.#services.database.write((writer) =>
      writer.run('DELETE FROM "sessions" WHERE "id_hash" = ?', [tokenHash(id)]),
    );
  }
}

/** Signs a person out everywhere, in a write that is under way. */
export async function endSessionsOf(writer: Writer, user_id: string): Promise<void> {
  await writer.run('DELETE FROM "sessions" WHERE "user_id" = ?', [user_id]);
}

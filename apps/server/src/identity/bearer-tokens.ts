/**
 * App-only bearer tokens (specification A, States and transitions): one for each app until it is invalidated. Stored is a
 * hash and a salt; the token itself is made of the salt and a key from outside the database, and so can be told again.
 */
import { isSet } from '../db/cells.ts';
import { type Actor, recordChange } from '../db/change-log.ts';
import type { Database, Writer } from '../db/database.ts';
import { type Clock, timestamp } from '../world/clock.ts';
import { type Random, randomText } from '../world/random.ts';
import { tokenHash } from '../world/secrets.ts';
import { keyedHash } from './platform-key.ts';

interface Services {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  /** The platform key that tokens are made with. */
  readonly key: string;
}

const VALID = 'FROM "bearer_tokens" WHERE "app_id" = ? AND "revoked_at" IS NULL';

export class BearerTokens {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  /** The valid token of an app; a new one when there is none. Calls that race get the same. */
  async tokenOf(actor: Actor, app_id: string): Promise<string> {
    const known = await this.#services.database.query(`SELECT "salt", "token_hash" ${VALID} LIMIT 1`, [app_id]);
    return this.#told(known[0]) ?? this.#services.database.write((writer) => this.#issue(writer, actor, app_id));
  }

  /** The app that a valid token belongs to. */
  async appOf(token: string): Promise<{ readonly app_id: string; readonly suspended: boolean } | undefined> {
    const [row] = await this.#services.database.query(
      `SELECT "apps"."id", "apps"."suspended" FROM "bearer_tokens" JOIN "apps" ON "apps"."id" = "bearer_tokens"."app_id"
         WHERE "bearer_tokens"."token_hash" = ? AND "bearer_tokens"."revoked_at" IS NULL LIMIT 1`,
      [tokenHash(token)],
    );
    return row && { app_id: String(row[0]), suspended: isSet(row[1]) };
  }

  /** Invalidates a token of an app. @returns whether it was a valid one */
  async invalidate(actor: Actor, app_id: string, token: string): Promise<boolean> {
    return this.#services.database.write(async (writer) => {
      const hash = tokenHash(token);
      const [known] = await writer.query(`SELECT "token_hash" ${VALID} AND "token_hash" = ? LIMIT 1`, [app_id, hash]);
      if (known) await this.#revoke(writer, actor, hash);
      return known !== undefined;
    });
  }

  /** Invalidates the token of an app, whatever it is. @returns whether it had one */
  async invalidateOf(actor: Actor, app_id: string): Promise<boolean> {
    return this.#services.database.write((writer) => this.invalidateAll(writer, actor, app_id));
  }

  /** The same in a write that is under way. */
  async invalidateAll(writer: Writer, actor: Actor, app_id: string): Promise<boolean> {
    const rows = await writer.query(`SELECT "token_hash" ${VALID}`, [app_id]);
    for (const [hash] of rows) await this.#revoke(writer, actor, String(hash));
    return rows.length > 0;
  }

  async #issue(writer: Writer, actor: Actor, app_id: string): Promise<string> {
    const [known] = await writer.query(`SELECT "salt", "token_hash" ${VALID} LIMIT 1`, [app_id]);
    const told = this.#told(known);
    if (told !== undefined) return told;
    // What cannot be told again would leave the app with two valid tokens.
    await this.invalidateAll(writer, actor, app_id);
    const salt = randomText(this.#services.random, 43);
    const token = this.#token(salt);
    const created_at = timestamp(this.#services.clock);
    const id = tokenHash(token);
    await writer.run('INSERT INTO "bearer_tokens" ("token_hash", "app_id", "created_at", "salt") VALUES (?, ?, ?, ?)', [
      id,
      app_id,
      created_at,
      salt,
    ]);
    await recordChange(writer, actor, created_at, {
      account_id: null,
      entity: 'BEARER_TOKEN',
      entity_id: id,
      before: undefined,
      after: { id, app_id, created_at },
    });
    return token;
  }

  #told(row: readonly unknown[] | undefined): string | undefined {
    if (!row || typeof row[0] !== 'string') return undefined;
    const token = this.#token(row[0]);
    return tokenHash(token) === row[1] ? token : undefined;
  }

  /** About 110 characters that begin with a run of A (reference, auth section 3). */
  #token(salt: string): string {
    const bytes = keyedHash(this.#services.key, 'bearer token', salt);
    return `AAAAAAAAAAAAAAAAAAAAA${bytes.toString('hex').slice(0, 90)}`;
  }

  async #revoke(writer: Writer, actor: Actor, hash: string): Promise<void> {
    const revoked_at = timestamp(this.#services.clock);
    await writer.run('UPDATE "bearer_tokens" SET "revoked_at" = ? WHERE "token_hash" = ?', [revoked_at, hash]);
    await recordChange(writer, actor, revoked_at, {
      account_id: null,
      entity: 'BEARER_TOKEN',
      entity_id: hash,
      before: { revoked_at: null },
      after: { id: hash, revoked_at },
    });
  }
}

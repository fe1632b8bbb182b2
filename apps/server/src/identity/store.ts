/** People, client applications and their tokens: who can sign a request. */
import { type App, isStorable, type User } from '@broadside/core';
import { type Actor, recordChange } from '../db/change-log.ts';
import type { Database, Reader, Writer } from '../db/database.ts';
import { violatedConstraint } from '../db/database.ts';
import type { Clock } from '../world/clock.ts';
import { timestamp } from '../world/clock.ts';
import type { Snowflakes } from '../world/ids.ts';
import { LruMap } from '../world/lru-map.ts';
import { type Random, randomText } from '../world/random.ts';
import { type SecretBox, tokenHash } from '../world/secrets.ts';
import { hashPassword } from './password.ts';

export type AccessLevel = App['access_level'];

/** What a signed request names, and the secrets that must have signed it. */
export interface SigningIdentity {
  readonly app_id: string;
  readonly consumer_secret: string;
  /** Absent when the request names no token. */
  readonly token?: {
    readonly secret: string;
    readonly user_id: string;
    readonly screen_name: string;
    readonly access_level: AccessLevel;
    readonly revoked: boolean;
  };
}

/** A new token with its secret, which cannot be read again. */
export interface IssuedToken {
  readonly access_token: string;
  readonly access_token_secret: string;
  readonly user_id: string;
  readonly screen_name: string;
  readonly access_level: AccessLevel;
}

const SIGNING = `SELECT "apps"."id", "apps"."consumer_secret_sealed", "access_tokens"."secret_sealed",
    "access_tokens"."user_id", "users"."screen_name", "access_tokens"."access_level", "apps"."access_level",
    "access_tokens"."revoked_at"
  FROM "apps"
  LEFT JOIN "access_tokens" ON "access_tokens"."app_id" = "apps"."id" AND "access_tokens"."token" = ?
  LEFT JOIN "users" ON "users"."id" = "access_tokens"."user_id"
  WHERE "apps"."consumer_key" = ? LIMIT 1`;

/** A name is taken. */
export class NameTakenError extends Error {
  override readonly name = 'NameTakenError';
}

interface Services {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Snowflakes;
  readonly secrets: SecretBox;
  /** Keep what requests sign with in memory. Only where this process is the only one that writes the store. */
  readonly cache: boolean;
}

export class IdentityStore {
  readonly #services: Services;
  readonly #signing = new LruMap<string, SigningIdentity>(10_000);
  /** Counts writes: what was read before one is not kept after it. */
  #generation = 0;

  constructor(services: Services) {
    this.#services = services;
  }

  /**
   * The app and token that a request names; `undefined` when there is no such app. Without `token` in the result the token
   * is unknown or belongs to another app.
   */
  async signingIdentity(consumerKey: string, token: string | undefined): Promise<SigningIdentity | undefined> {
    const key = `${consumerKey.length} ${consumerKey} ${token ?? ''}`;
    // What a store cannot hold is no key or token of anybody.
    if (!isStorable(consumerKey) || !isStorable(token ?? '')) return undefined;
    const known = this.#signing.get(key);
    if (known) return known;
    const generation = this.#generation;
    const found = await this.#readSigningIdentity(consumerKey, token);
    if (found && this.#services.cache && generation === this.#generation) this.#signing.set(key, found);
    return found;
  }

  async #readSigningIdentity(consumerKey: string, token: string | undefined): Promise<SigningIdentity | undefined> {
    const { database, secrets } = this.#services;
    const [row] = await database.query(SIGNING, [token ?? null, consumerKey]);
    if (!row) return undefined;
    const [app_id, consumerSealed, tokenSealed, user_id, screen_name, tokenLevel, appLevel, revoked_at] = row;
    const app = { app_id: String(app_id), consumer_secret: secrets.open(String(consumerSealed)) };
    if (tokenSealed === null || tokenSealed === undefined) return app;
    return {
      ...app,
      token: {
        secret: secrets.open(String(tokenSealed)),
        user_id: String(user_id),
        screen_name: String(screen_name),
        // A token never does more than its app may now.
        access_level: tokenLevel === 'write' && appLevel === 'write' ? 'write' : 'read',
        revoked: revoked_at !== null,
      },
    };
  }

  /** @throws NameTakenError when the screen name is taken, in any case of letters. */
  async createUser(actor: Actor, fields: { screen_name: string; name: string; password: string }): Promise<User> {
    const password_hash = await hashPassword(fields.password);
    const user = {
      id: this.#services.ids.next(),
      screen_name: fields.screen_name,
      name: fields.name,
      created_at: timestamp(this.#services.clock),
    };
    await this.#write(actor, 'USER', user, (writer) =>
      writer.run(
        'INSERT INTO "users" ("id", "screen_name", "screen_name_folded", "name", "password_hash", "created_at") VALUES (?, ?, ?, ?, ?, ?)',
        [user.id, user.screen_name, user.screen_name.toLowerCase(), user.name, password_hash, user.created_at],
      ),
    );
    return user;
  }

  async user(id: string): Promise<User | undefined> {
    const [row] = await this.#services.database.query(
      'SELECT "id", "screen_name", "name", "created_at" FROM "users" WHERE "id" = ? LIMIT 1',
      [id],
    );
    return row && userOf(row);
  }

  /** The newest users first. */
  async users(count: number): Promise<User[]> {
    const rows = await this.#services.database.query(
      'SELECT "id", "screen_name", "name", "created_at" FROM "users" ORDER BY "created_at" DESC, length("id") DESC, "id" DESC LIMIT ?',
      [count],
    );
    return rows.map(userOf);
  }

  /** @throws NameTakenError when the app's name is taken, in any case of letters. */
  async createApp(
    actor: Actor,
    fields: { name: string; owner_user_id: string; access_level: AccessLevel },
  ): Promise<App & { consumer_secret: string }> {
    const { ids, clock, random, secrets } = this.#services;
    const app = { id: ids.next(), ...fields, consumer_key: randomText(random, 25), created_at: timestamp(clock) };
    const consumer_secret = randomText(random, 50);
    await this.#write(actor, 'APP', app, (writer) =>
      writer.run(
        `INSERT INTO "apps" ("id", "name", "name_folded", "owner_user_id", "access_level", "consumer_key", "consumer_secret_sealed", "created_at")
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        [
          app.id,
          app.name,
          app.name.toLowerCase(),
          app.owner_user_id,
          app.access_level,
          app.consumer_key,
          secrets.seal(consumer_secret),
          app.created_at,
        ],
      ),
    );
    return { ...app, consumer_secret };
  }

  async appByKey(consumerKey: string): Promise<App | undefined> {
    const [row] = await this.#services.database.query(`${APP} WHERE "consumer_key" = ? LIMIT 1`, [consumerKey]);
    return row && appOf(row);
  }

  /** The newest apps first. */
  async apps(count: number): Promise<App[]> {
    const rows = await this.#services.database.query(
      `${APP} ORDER BY "created_at" DESC, length("id") DESC, "id" DESC LIMIT ?`,
      [count],
    );
    return rows.map(appOf);
  }

  /** Issues an access token of a user for an app; it may do no more than the app. */
  async issueToken(actor: Actor, app: App, user: User, level: AccessLevel): Promise<IssuedToken> {
    const { random, clock, secrets } = this.#services;
    const access_level = app.access_level === 'write' ? level : 'read';
    const access_token = `${user.id}-${randomText(random, 40)}`;
    const access_token_secret = randomText(random, 45);
    const created_at = timestamp(clock);
    const record = { id: tokenHash(access_token), app_id: app.id, user_id: user.id, access_level, created_at };
    await this.#write(actor, 'ACCESS_TOKEN', record, (writer) =>
      writer.run(
        'INSERT INTO "access_tokens" ("token", "secret_sealed", "app_id", "user_id", "access_level", "created_at") VALUES (?, ?, ?, ?, ?, ?)',
        [access_token, secrets.seal(access_token_secret), app.id, user.id, access_level, created_at],
      ),
    );
    return { access_token, access_token_secret, user_id: user.id, screen_name: user.screen_name, access_level };
  }

  /** Revokes an access token; it is refused from the next request on. @returns whether there was a valid one. */
  async revokeToken(actor: Actor, token: string): Promise<boolean> {
    const revoked_at = timestamp(this.#services.clock);
    const record = { id: tokenHash(token), revoked_at };
    return this.#write(actor, 'ACCESS_TOKEN', record, async (writer) => {
      const count = await writer.run(
        'UPDATE "access_tokens" SET "revoked_at" = ? WHERE "token" = ? AND "revoked_at" IS NULL',
        [revoked_at, token],
      );
      return count;
    }).then((count) => count > 0);
  }

  /** Issues the app-only bearer token of an app. Only its hash is stored. */
  async issueBearer(actor: Actor, app: App): Promise<string> {
    const { random, clock } = this.#services;
    const token = `AAAAAAAAAAAAAAAAAAAAA${randomText(random, 90)}`;
    const record = { id: tokenHash(token), app_id: app.id, created_at: timestamp(clock) };
    await this.#write(actor, 'BEARER_TOKEN', record, (writer) =>
      writer.run('INSERT INTO "bearer_tokens" ("token_hash", "app_id", "created_at") VALUES (?, ?, ?)', [
        record.id,
        app.id,
        record.created_at,
      ]),
    );
    return token;
  }

  async #write(
    actor: Actor,
    entity: string,
    after: Readonly<Record<string, unknown>> & { readonly id: string },
    body: (writer: Writer) => Promise<number>,
  ): Promise<number> {
    const at = timestamp(this.#services.clock);
    try {
      return await this.#services.database.write(async (writer) => {
        const changed = await body(writer);
        if (changed > 0) {
          await recordChange(writer, actor, at, {
            account_id: null,
            entity,
            entity_id: after.id,
            before: 'revoked_at' in after ? { revoked_at: null } : undefined,
            after,
          });
        }
        return changed;
      });
    } catch (error) {
      if (violatedConstraint(error) === 'unique') throw new NameTakenError();
      throw error;
    } finally {
      this.#generation++;
      this.#signing.clear();
    }
  }
}

const APP = 'SELECT "id", "name", "owner_user_id", "access_level", "consumer_key", "created_at" FROM "apps"';

type Cells = Awaited<ReturnType<Reader['query']>>[number];

function userOf(row: Cells): User {
  const [id, screen_name, name, created_at] = row.map(String);
  return { id: id ?? '', screen_name: screen_name ?? '', name: name ?? '', created_at: created_at ?? '' };
}

function appOf(row: Cells): App {
  const [id = '', name = '', owner_user_id = '', level, consumer_key = '', created_at = ''] = row.map(String);
  return { id, name, owner_user_id, access_level: level === 'write' ? 'write' : 'read', consumer_key, created_at };
}

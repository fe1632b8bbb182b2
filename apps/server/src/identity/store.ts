/** People, client applications and their access tokens: who can sign a request. */

import {
  type AccessLevel,
  type App,
  type AppSettings,
  isStorable,
  type PersonTraits,
  parseJson,
  stringifyJson,
  type User,
} from '@broadside/core';
import QuickLRU from 'quick-lru';
import { isSet } from '../db/cells.ts';
import { type Actor, recordChange } from '../db/change-log.ts';
import type { Arg, Database, Reader, Row, Writer } from '../db/database.ts';
import { violatedConstraint } from '../db/database.ts';
import type { Clock } from '../world/clock.ts';
import { timestamp } from '../world/clock.ts';
import type { Snowflakes } from '../world/ids.ts';
import { type Random, randomText } from '../world/random.ts';
import { equalSecrets, type SecretBox, tokenHash } from '../world/secrets.ts';
import type { BearerTokens } from './bearer-tokens.ts';
import { hashPassword, NO_PASSWORD, verifyPassword } from './password.ts';
import { type ProfileChanges, profileCells, storeProfileEntities } from './profile.ts';
import { endSessionsOf, type SignedIn } from './sessions.ts';

/** What a signed request names, and the secrets that must have signed it. */
export interface SigningIdentity {
  readonly app_id: string;
  readonly consumer_secret: string;
  readonly owner_user_id: string;
  readonly suspended: boolean;
  /** Absent when the request names no token, or none of this app. */
  readonly token?: {
    readonly secret: string;
    readonly user_id: string;
    readonly screen_name: string;
    readonly access_level: AccessLevel;
    readonly revoked: boolean;
  };
}

/** A token with its secret, which the person's own pages never show. */
export interface IssuedToken {
  readonly access_token: string;
  readonly access_token_secret: string;
  readonly user_id: string;
  readonly screen_name: string;
  readonly access_level: AccessLevel;
}

/** What an approval is about. */
export interface Grant {
  readonly app_id: string;
  readonly user_id: string;
  readonly access_level: AccessLevel;
}

/** A secret beside the right one, under a name that can be shown. */
export interface NearSecret {
  readonly name: string;
  readonly consumer?: string;
  readonly token?: string;
}

/** An app that a person approved, through one token or several. */
export interface Approval {
  readonly app_id: string;
  readonly name: string;
  readonly description: string;
  readonly owner_screen_name: string;
  readonly access_level: AccessLevel;
  /** When the first of the valid tokens was issued. */
  readonly approved_at: string;
}

/** Gives a row whether or not there is such an app: reading one takes time, which would tell. */
const SIGNING = `SELECT "apps"."id", "apps"."consumer_secret_sealed", "access_tokens"."secret_sealed",
    "access_tokens"."user_id", "users"."screen_name", "access_tokens"."access_level", "apps"."access_level",
    "access_tokens"."revoked_at", "apps"."owner_user_id", "apps"."suspended"
  FROM (SELECT 1)
  LEFT JOIN "apps" ON "apps"."consumer_key" = ?
  LEFT JOIN "access_tokens" ON "access_tokens"."app_id" = "apps"."id" AND "access_tokens"."token" = ?
  LEFT JOIN "users" ON "users"."id" = "access_tokens"."user_id"
  LIMIT 1`;

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
  readonly bearers: BearerTokens;
  /** Keep what requests sign with in memory. Only where this process is the only one that writes the store. */
  readonly cache: boolean;
}

/** What a change log entry is about. */
interface Recorded {
  readonly entity: 'USER' | 'APP' | 'ACCESS_TOKEN';
  readonly before?: Readonly<Record<string, unknown>> | undefined;
  readonly after: Readonly<Record<string, unknown>> & { readonly id: string };
}

export class IdentityStore {
  readonly #services: Services;
  readonly #signing = new QuickLRU<string, SigningIdentity>({ maxSize: 10_000 });
  /** What was read and is not in memory yet, with the generation in which it was read. */
  readonly #fresh = new WeakMap<SigningIdentity, number>();
  /** Counts writes: what was read before one is not kept after it. */
  #generation = 0;
  /** What is opened in place of a secret that there is not. */
  readonly #decoy: string;

  constructor(services: Services) {
    this.#services = services;
    this.#decoy = services.secrets.seal('nobody has this secret');
  }

  /**
   * The app and token that a request names; `undefined` when there is no such app. Without `token` in the result the token
   * is unknown or belongs to another app.
   */
  async signingIdentity(consumerKey: string, token: string | undefined): Promise<SigningIdentity | undefined> {
    const key = signingKeyOf(consumerKey, token);
    // What a store cannot hold is no key or token of anybody.
    if (!isStorable(key)) return undefined;
    const known = this.#signing.get(key);
    if (known) return known;
    const generation = this.#generation;
    const found = await this.#readSigningIdentity(consumerKey, token);
    if (found) this.#fresh.set(found, generation);
    return found;
  }

  /**
   * Keeps in memory what a request was verified with. Nothing else is kept: requests that verify nothing would push it out, and
   * what they name would be found faster the next time.
   */
  remember(consumerKey: string, token: string | undefined, verified: SigningIdentity): void {
    const generation = this.#fresh.get(verified);
    if (generation === undefined) return;
    this.#fresh.delete(verified);
    if (this.#services.cache && generation === this.#generation) {
      this.#signing.set(signingKeyOf(consumerKey, token), verified);
    }
  }

  /**
   * Makes a refusal take as long for a key that is known as for one that is not: what `signingIdentity` had in memory is
   * looked up after all.
   */
  async evenOut(consumerKey: string, token: string | undefined): Promise<void> {
    const key = signingKeyOf(consumerKey, token);
    if (isStorable(key) && this.#signing.get(key)) await this.#readSigningIdentity(consumerKey, token);
  }

  async #readSigningIdentity(consumerKey: string, token: string | undefined): Promise<SigningIdentity | undefined> {
    const [row = []] = await this.#services.database.query(SIGNING, [consumerKey, token ?? null]);
    const [app_id, consumerSealed, tokenSealed, user_id, screen_name, tokenLevel, appLevel, revoked_at] = row;
    const [owner, suspended] = row.slice(8);
    const consumer_secret = this.#open(consumerSealed);
    const secret = this.#open(tokenSealed);
    if (typeof app_id !== 'string') return undefined;
    const app = { app_id, consumer_secret, owner_user_id: String(owner), suspended: isSet(suspended) };
    if (typeof tokenSealed !== 'string') return app;
    return {
      ...app,
      token: {
        secret,
        user_id: String(user_id),
        screen_name: String(screen_name),
        // A token never does more than its app may now.
        access_level: tokenLevel === 'write' && appLevel === 'write' ? 'write' : 'read',
        revoked: revoked_at !== null,
      },
    };
  }

  #open(sealed: unknown): string {
    return this.#services.secrets.open(typeof sealed === 'string' ? sealed : this.#decoy);
  }

  /** Whether somebody has this access token, for whichever app. */
  async hasToken(token: string): Promise<boolean> {
    if (!isStorable(token)) return false;
    const rows = await this.#services.database.query('SELECT 1 FROM "access_tokens" WHERE "token" = ? LIMIT 1', [
      token,
    ]);
    return rows.length > 0;
  }

  /**
   * Secrets that a developer can have taken by mistake: of other apps, of other tokens of this app, and of earlier tokens
   * of the same person. For explaining a refused signature in development mode; each has a name that can be shown.
   */
  async secretsNear(app_id: string | undefined, token: string | undefined): Promise<NearSecret[]> {
    const { database, secrets } = this.#services;
    const apps = await database.query(
      'SELECT "name", "consumer_secret_sealed" FROM "apps" WHERE "id" <> ? ORDER BY "created_at" DESC LIMIT 20',
      [app_id ?? ''],
    );
    const tokens = await database.query(
      `SELECT "apps"."name", "users"."screen_name", "access_tokens"."secret_sealed" FROM "access_tokens"
         JOIN "apps" ON "apps"."id" = "access_tokens"."app_id" JOIN "users" ON "users"."id" = "access_tokens"."user_id"
         WHERE "access_tokens"."token" <> ? ORDER BY "access_tokens"."created_at" DESC LIMIT 20`,
      [token !== undefined && isStorable(token) ? token : ''],
    );
    return [
      ...apps.map(([name, sealed]) => ({ name: `the app ${String(name)}`, consumer: secrets.open(String(sealed)) })),
      ...tokens.map(([app, person, sealed]) => ({
        name: `another token of @${String(person)} for the app ${String(app)}`,
        token: secrets.open(String(sealed)),
      })),
    ];
  }

  /**
   * @param fields with null for a password, the user cannot sign in
   * @throws NameTakenError when the screen name is taken, in any case of letters.
   */
  async createUser(
    actor: Actor,
    fields: { screen_name: string; name: string; password: string | null; traits?: PersonTraits },
  ): Promise<User> {
    const password_hash = fields.password === null ? NO_PASSWORD : await hashPassword(fields.password);
    const after = {
      id: this.#services.ids.next(),
      screen_name: fields.screen_name,
      name: fields.name,
      created_at: timestamp(this.#services.clock),
    };
    await this.#write(actor, async (writer) => {
      await writer.run(
        'INSERT INTO "users" ("id", "screen_name", "screen_name_folded", "name", "password_hash", "created_at") VALUES (?, ?, ?, ?, ?, ?)',
        [after.id, after.screen_name, after.screen_name.toLowerCase(), after.name, password_hash, after.created_at],
      );
      for (const [column, value] of Object.entries(profileCells(fields.traits ?? {}))) {
        await writer.run(`UPDATE "users" SET "${column}" = ? WHERE "id" = ?`, [value, after.id]);
      }
      return { entity: 'USER', after };
    });
    return after;
  }

  /**
   * Changes a user's profile or password; a new password signs the user out everywhere.
   * @returns the user as changed, or `undefined` when there is none
   */
  async updateUser(
    actor: Actor,
    id: string,
    { password, ...profile }: ProfileChanges & { readonly password?: string | undefined },
  ): Promise<User | undefined> {
    const password_hash = password === undefined ? undefined : await hashPassword(password);
    const cells = profileCells(profile);
    let after: User | undefined;
    await this.#write(actor, async (writer) => {
      const before = await readUser(writer, id);
      if (!before) return undefined;
      after = { ...before, name: profile.name ?? before.name };
      for (const [column, value] of Object.entries(cells)) {
        await writer.run(`UPDATE "users" SET "${column}" = ? WHERE "id" = ?`, [value, id]);
      }
      if ('description' in cells || 'url' in cells) await storeProfileEntities(writer, id);
      if (password_hash !== undefined) {
        await writer.run('UPDATE "users" SET "password_hash" = ? WHERE "id" = ?', [password_hash, id]);
        await endSessionsOf(writer, id);
      }
      // The record says that the password changed, never what it is or was.
      const changed = password_hash === undefined ? {} : { password_changed: true };
      return { entity: 'USER', before: { ...before }, after: { ...after, ...profile, ...changed } };
    });
    return after;
  }

  async user(id: string): Promise<User | undefined> {
    return readUser(this.#services.database, id);
  }

  /** What users are called, by their ids; users that do not exist are left out. */
  async screenNames(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.#services.database.query(
      'SELECT "id", "screen_name" FROM "users" WHERE "id" IN (SELECT value FROM json_each(?))',
      [JSON.stringify(ids)],
    );
    return new Map(rows.map(([id, screen_name]) => [String(id), String(screen_name)]));
  }

  /** The newest users first. @param screen_name the whole name, in any case of letters */
  async users(count: number, screen_name?: string): Promise<User[]> {
    const named = screen_name === undefined ? '' : ' WHERE "screen_name_folded" = ?';
    const rows = await this.#services.database.query(
      `${USER}${named} ORDER BY "created_at" DESC, length("id") DESC, "id" DESC LIMIT ?`,
      [...(screen_name === undefined ? [] : [screen_name.toLowerCase()]), count],
    );
    return rows.map(userOf);
  }

  /** The person with this name (in any case of letters) and password. Takes as long when there is no such person. */
  async verifyUser(screen_name: string, password: string): Promise<SignedIn | undefined> {
    const storable = isStorable(screen_name) && isStorable(password);
    const [row] = await this.#services.database.query(
      'SELECT "id", "screen_name", "name", "password_hash" FROM "users" WHERE "screen_name_folded" = ? LIMIT 1',
      [storable ? screen_name.toLowerCase() : ''],
    );
    const right = await verifyPassword(row && String(row[3]), password);
    return right && row ? { user_id: String(row[0]), screen_name: String(row[1]), name: String(row[2]) } : undefined;
  }

  /** @throws NameTakenError when the app's name is taken, in any case of letters. */
  async createApp(
    actor: Actor,
    fields: AppSettings & { readonly owner_user_id: string },
  ): Promise<App & { consumer_secret: string }> {
    const { ids, clock, random, secrets } = this.#services;
    const created_at = timestamp(clock);
    const app: App = {
      ...fields,
      id: ids.next(),
      suspended: false,
      consumer_key: randomText(random, 25),
      created_at,
      updated_at: created_at,
    };
    const consumer_secret = randomText(random, 50);
    await this.#write(actor, async (writer) => {
      const cells: Record<string, Arg> = {
        ...cellsOf(app),
        id: app.id,
        owner_user_id: app.owner_user_id,
        created_at,
        consumer_secret_sealed: secrets.seal(consumer_secret),
      };
      const names = Object.keys(cells);
      await writer.run(
        `INSERT INTO "apps" (${names.map((name) => `"${name}"`).join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
        Object.values(cells),
      );
      return { entity: 'APP', after: app };
    });
    return { ...app, consumer_secret };
  }

  /**
   * Changes the settings of an app.
   * @returns the app as changed, or `undefined` when there is none
   * @throws NameTakenError when the new name is taken
   */
  async updateApp(
    actor: Actor,
    id: string,
    changes: { readonly [Name in keyof AppSettings | 'suspended']?: App[Name] | undefined },
  ): Promise<App | undefined> {
    const set = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    return this.#changeApp(actor, id, (before) => ({ ...before, ...set }));
  }

  /** Gives an app a new key and secret; the old ones and the bearer token stop at once. */
  async regenerateKeys(actor: Actor, id: string): Promise<(App & { consumer_secret: string }) | undefined> {
    const { random, secrets, bearers } = this.#services;
    const consumer_key = randomText(random, 25);
    const consumer_secret = randomText(random, 50);
    const app = await this.#changeApp(
      actor,
      id,
      (before) => ({ ...before, consumer_key }),
      async (writer) => {
        await writer.run('UPDATE "apps" SET "consumer_secret_sealed" = ? WHERE "id" = ?', [
          secrets.seal(consumer_secret),
          id,
        ]);
        await bearers.invalidateAll(writer, actor, id);
      },
    );
    return app && { ...app, consumer_secret };
  }

  async #changeApp(
    actor: Actor,
    id: string,
    change: (before: App) => App,
    beside: (writer: Writer) => Promise<void> = async () => {},
  ): Promise<App | undefined> {
    let after: App | undefined;
    await this.#write(actor, async (writer) => {
      const before = await readApp(writer, 'id', id);
      if (!before) return undefined;
      after = { ...change(before), updated_at: timestamp(this.#services.clock) };
      const cells = Object.entries(cellsOf(after));
      await writer.run(`UPDATE "apps" SET ${cells.map(([name]) => `"${name}" = ?`).join(', ')} WHERE "id" = ?`, [
        ...cells.map(([, value]) => value),
        id,
      ]);
      await beside(writer);
      return { entity: 'APP', before: { ...before }, after };
    });
    return after;
  }

  async app(id: string): Promise<App | undefined> {
    return readApp(this.#services.database, 'id', id);
  }

  async appByKey(consumerKey: string): Promise<App | undefined> {
    return readApp(this.#services.database, 'consumer_key', consumerKey);
  }

  /** The app with these keys: the app itself is asking. Takes as long when there is no such app. */
  async verifyApp(consumerKey: string, consumerSecret: string): Promise<SigningIdentity | undefined> {
    const identity = await this.signingIdentity(consumerKey, undefined);
    const right = equalSecrets(consumerSecret, identity?.consumer_secret ?? '');
    if (right && identity) {
      this.remember(consumerKey, undefined, identity);
      return identity;
    }
    await this.evenOut(consumerKey, undefined);
    return undefined;
  }

  /** The newest apps first. */
  async apps(count: number): Promise<App[]> {
    const rows = await this.#services.database.query(
      `${APP} ORDER BY "created_at" DESC, length("id") DESC, "id" DESC LIMIT ?`,
      [count],
    );
    return rows.map(appOf);
  }

  /** The apps that a person owns, by name. */
  async appsOf(owner_user_id: string): Promise<App[]> {
    const rows = await this.#services.database.query(
      `${APP} WHERE "owner_user_id" = ? ORDER BY "name_folded" LIMIT 1000`,
      [owner_user_id],
    );
    return rows.map(appOf);
  }

  /** The apps that a person approved, by name. */
  async approvalsOf(user_id: string): Promise<Approval[]> {
    const rows = await this.#services.database.query(
      `SELECT "apps"."id", "apps"."name", "apps"."description", "users"."screen_name",
           max("access_tokens"."access_level" = 'write' AND "apps"."access_level" = 'write'), min("access_tokens"."created_at")
         FROM "access_tokens"
         JOIN "apps" ON "apps"."id" = "access_tokens"."app_id"
         LEFT JOIN "users" ON "users"."id" = "apps"."owner_user_id"
         WHERE "access_tokens"."user_id" = ? AND "access_tokens"."revoked_at" IS NULL
         GROUP BY "apps"."id" ORDER BY "apps"."name_folded" LIMIT 1000`,
      [user_id],
    );
    return rows.map(([app_id, name, description, owner, writes, approved_at]) => ({
      app_id: String(app_id),
      name: String(name),
      description: String(description),
      owner_screen_name: String(owner ?? ''),
      access_level: isSet(writes) ? 'write' : 'read',
      approved_at: String(approved_at),
    }));
  }

  /** Whether a person's approval of an app still stands for what it asks now. A token of the operator's is none. */
  async hasApproved(user_id: string, app_id: string, access_level: AccessLevel): Promise<boolean> {
    const [row] = await this.#services.database.query(
      `SELECT 1 FROM "access_tokens" WHERE "user_id" = ? AND "app_id" = ? AND "revoked_at" IS NULL
         AND "by_approval" = 1 AND ("access_level" = 'write' OR ? = 'read') LIMIT 1`,
      [user_id, app_id, access_level],
    );
    return row !== undefined;
  }

  /** Issues a new access token of a user for an app; it may do no more than the app. */
  async issueToken(actor: Actor, app: App, user: User, level: AccessLevel): Promise<IssuedToken> {
    const access_level = app.access_level === 'write' ? level : 'read';
    return this.#services.database.write((writer) =>
      this.#issueToken(writer, actor, { app_id: app.id, user_id: user.id, access_level, by_approval: false }),
    );
  }

  /**
   * The token that a person's approval gives: the one that an earlier approval gave the app, or else a new one. What the
   * operator issued stands apart, so that signing out of an app does not take it along.
   */
  async tokenFor(writer: Writer, grant: Grant): Promise<IssuedToken> {
    const { app_id, user_id, access_level } = grant;
    const [row] = await writer.query(
      `SELECT "access_tokens"."token", "access_tokens"."secret_sealed", "users"."screen_name" FROM "access_tokens"
         JOIN "users" ON "users"."id" = "access_tokens"."user_id"
         WHERE "user_id" = ? AND "app_id" = ? AND "access_level" = ? AND "revoked_at" IS NULL AND "by_approval" = 1
         ORDER BY "access_tokens"."created_at" DESC LIMIT 1`,
      [user_id, app_id, access_level],
    );
    if (!row) return this.#issueToken(writer, { user_id, platform: 'WEB' }, { ...grant, by_approval: true });
    const [token, sealed, screen_name] = row.map(String);
    return {
      access_token: token ?? '',
      access_token_secret: this.#services.secrets.open(sealed ?? ''),
      user_id,
      screen_name: screen_name ?? '',
      access_level,
    };
  }

  async #issueToken(
    writer: Writer,
    actor: Actor,
    grant: Grant & { readonly by_approval: boolean },
  ): Promise<IssuedToken> {
    const { random, clock, secrets } = this.#services;
    const { app_id, user_id, access_level, by_approval } = grant;
    const user = await readUser(writer, user_id);
    if (!user) throw new Error('an access token is for a user');
    const access_token = `${user_id}-${randomText(random, 40)}`;
    const access_token_secret = randomText(random, 45);
    const created_at = timestamp(clock);
    await writer.run(
      'INSERT INTO "access_tokens" ("token", "secret_sealed", "app_id", "user_id", "access_level", "created_at", "by_approval") VALUES (?, ?, ?, ?, ?, ?, ?)',
      [access_token, secrets.seal(access_token_secret), app_id, user_id, access_level, created_at, by_approval],
    );
    const after = { id: tokenHash(access_token), app_id, user_id, access_level, created_at };
    await this.#record(writer, actor, { entity: 'ACCESS_TOKEN', after });
    return { access_token, access_token_secret, user_id, screen_name: user.screen_name, access_level };
  }

  /** Revokes an access token; it is refused from the next request on. @returns whether there was a valid one. */
  async revokeToken(actor: Actor, token: string): Promise<boolean> {
    return (await this.#revoke(actor, '"token" = ?', [token])) > 0;
  }

  /** Takes back a person's approval of an app. @returns whether there was one */
  async revokeApproval(actor: Actor, user_id: string, app_id: string): Promise<boolean> {
    if (!isStorable(app_id)) return false;
    return (await this.#revoke(actor, '"user_id" = ? AND "app_id" = ?', [user_id, app_id])) > 0;
  }

  async #revoke(actor: Actor, condition: string, args: readonly string[]): Promise<number> {
    const revoked_at = timestamp(this.#services.clock);
    const where = `WHERE ${condition} AND "revoked_at" IS NULL`;
    return this.#change(async (writer) => {
      const rows = await writer.query(`SELECT "token" FROM "access_tokens" ${where}`, args);
      await writer.run(`UPDATE "access_tokens" SET "revoked_at" = ? ${where}`, [revoked_at, ...args]);
      for (const [token] of rows) {
        const id = tokenHash(String(token));
        await this.#record(writer, actor, {
          entity: 'ACCESS_TOKEN',
          before: { revoked_at: null },
          after: { id, revoked_at },
        });
      }
      return rows.length;
    });
  }

  async #write(actor: Actor, body: (writer: Writer) => Promise<Recorded | undefined>): Promise<void> {
    await this.#change(async (writer) => {
      const recorded = await body(writer);
      if (recorded) await this.#record(writer, actor, recorded);
    });
  }

  async #record(writer: Writer, actor: Actor, { entity, before, after }: Recorded): Promise<void> {
    const at = timestamp(this.#services.clock);
    await recordChange(writer, actor, at, { account_id: null, entity, entity_id: after.id, before, after });
  }

  /** Runs a write, and forgets what signatures are held against. */
  async #change<Result>(body: (writer: Writer) => Promise<Result>): Promise<Result> {
    try {
      return await this.#services.database.write(body);
    } catch (error) {
      if (violatedConstraint(error) === 'unique') throw new NameTakenError();
      throw error;
    } finally {
      this.#generation++;
      this.#signing.clear();
    }
  }
}

function signingKeyOf(consumerKey: string, token: string | undefined): string {
  return `${consumerKey.length} ${consumerKey} ${token ?? ''}`;
}

const USER = 'SELECT "id", "screen_name", "name", "created_at" FROM "users"';

const APP = `SELECT "id", "name", "owner_user_id", "access_level", "consumer_key", "created_at", "updated_at", "description",
    "callback_urls", "sign_in_enabled", "oob_enabled", "suspended" FROM "apps"`;

async function readUser(reader: Reader, id: string): Promise<User | undefined> {
  if (!isStorable(id)) return undefined;
  const [row] = await reader.query(`${USER} WHERE "id" = ? LIMIT 1`, [id]);
  return row && userOf(row);
}

async function readApp(reader: Reader, column: 'id' | 'consumer_key', value: string): Promise<App | undefined> {
  if (!isStorable(value)) return undefined;
  const [row] = await reader.query(`${APP} WHERE "${column}" = ? LIMIT 1`, [value]);
  return row && appOf(row);
}

function userOf(row: Row): User {
  const [id, screen_name, name, created_at] = row.map(String);
  return { id: id ?? '', screen_name: screen_name ?? '', name: name ?? '', created_at: created_at ?? '' };
}

function appOf(row: Row): App {
  const [id = '', name = '', owner_user_id = '', level, consumer_key = '', created_at = '', updated_at = ''] =
    row.map(String);
  const [description, callback_urls, sign_in_enabled, oob_enabled, suspended] = row.slice(7);
  const urls = parseJson(String(callback_urls));
  return {
    id,
    owner_user_id,
    name,
    description: String(description),
    callback_urls: Array.isArray(urls) ? urls.map(String) : [],
    sign_in_enabled: isSet(sign_in_enabled),
    oob_enabled: isSet(oob_enabled),
    access_level: level === 'write' ? 'write' : 'read',
    suspended: isSet(suspended),
    consumer_key,
    created_at,
    updated_at,
  };
}

/** The columns of an app that can change. */
function cellsOf(app: App): Record<string, Arg> {
  return {
    name: app.name,
    name_folded: app.name.toLowerCase(),
    description: app.description,
    callback_urls: stringifyJson(app.callback_urls),
    sign_in_enabled: app.sign_in_enabled,
    oob_enabled: app.oob_enabled,
    access_level: app.access_level,
    suspended: app.suspended,
    consumer_key: app.consumer_key,
    updated_at: app.updated_at,
  };
}

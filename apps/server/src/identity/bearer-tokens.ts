/**
 * App-only bearer tokens (specification A, States and transitions): one for each app until it is invalidated. Stored is a
 * hash and a salt; the token itself is derived from the salt and a key outside the database, and so can be issued again.
 */
import { and, eq, isNull } from 'drizzle-orm';
import { type Awaitable, chain } from '../awaitable.ts';
import { type Actor, recordChange } from '../db/change-log.ts';
import type { Database, Writer } from '../db/database.ts';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { TableCache } from '../db/table-cache.ts';
import { type Clock, timestamp } from '../world/clock.ts';
import { type Random, randomText } from '../world/random.ts';
import { tokenHash } from '../world/secrets.ts';
import { keyedHash } from './platform-key.ts';
import { apps, bearerTokens } from './platform-table.ts';

interface Services {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  /** Tokens begin with it; nothing by default. */
  readonly prefix?: string | undefined;
  /** The platform key that tokens are made with. */
  readonly key: string;
  /** Keep valid tokens in memory. Only where this process is the only one that writes the store. */
  readonly cache: boolean;
}

/** The app that a token belongs to. */
export interface BearerApp {
  readonly app_id: string;
  readonly suspended: boolean;
}

const { token_hash, app_id, created_at, revoked_at, salt } = bearerTokens;

const listValid = statement({ app_id }, (args) =>
  query
    .select({ token_hash, salt })
    .from(bearerTokens)
    .where(and(eq(app_id, args.app_id), isNull(revoked_at))),
);
const findApp = statement({ token_hash }, (args) =>
  query
    .select({ app_id: apps.id, suspended: apps.suspended })
    .from(bearerTokens)
    .innerJoin(apps, eq(apps.id, app_id))
    .where(and(eq(token_hash, args.token_hash), isNull(revoked_at)))
    .limit(1),
);
const insertToken = statement({ token_hash, app_id, created_at, salt }, (token) =>
  query.insert(bearerTokens).values(token),
);
const revokeToken = statement({ token_hash, revoked_at }, (args) =>
  query.update(bearerTokens).set({ revoked_at: args.revoked_at }).where(eq(token_hash, args.token_hash)),
);

export class BearerTokens {
  readonly #services: Services;
  /** Apps by their tokens: a hash for each request would take longer than the rest of finding out who calls. */
  readonly #known: TableCache<BearerApp>;

  constructor(services: Services) {
    this.#services = services;
    this.#known = new TableCache(services.database.generations, ['apps', 'bearer_tokens'], 10_000);
  }

  /** The valid token of an app; a new one when there is none. Calls that race get the same. */
  async tokenOf(actor: Actor, app_id: string): Promise<string> {
    const [known] = await listValid.all(this.#services.database, { app_id });
    return this.#reveal(known) ?? this.#services.database.write((writer) => this.#issue(writer, actor, app_id));
  }

  /**
   * The app that a valid token belongs to. Only tokens that open something are kept: all others take the same time, whether or
   * not they are known, and cannot evict those.
   */
  appOf(token: string): Awaitable<BearerApp | undefined> {
    const { cache, database } = this.#services;
    if (!cache) return findApp.first(database, { token_hash: tokenHash(token) });
    const known = this.#known.get(token);
    if (known) return known;
    const readIn = this.#known.state();
    return chain(findApp.first(database, { token_hash: tokenHash(token) }), (app) => {
      if (app && !app.suspended) this.#known.set(token, app, readIn);
      return app;
    });
  }

  /** Invalidates a token of an app. @returns whether it was a valid one */
  async invalidate(actor: Actor, app_id: string, token: string): Promise<boolean> {
    return this.#services.database.write(async (writer) => {
      const hash = tokenHash(token);
      const isValid = (await listValid.all(writer, { app_id })).some(({ token_hash }) => token_hash === hash);
      if (isValid) await this.#revoke(writer, actor, hash);
      return isValid;
    });
  }

  /** Invalidates the token of an app, whatever it is. @returns whether it had one */
  async invalidateOf(actor: Actor, app_id: string): Promise<boolean> {
    return this.#services.database.write((writer) => this.invalidateAll(writer, actor, app_id));
  }

  /** The same in a write that is under way. */
  async invalidateAll(writer: Writer, actor: Actor, app_id: string): Promise<boolean> {
    const valid = await listValid.all(writer, { app_id });
    for (const { token_hash } of valid) await this.#revoke(writer, actor, token_hash);
    return valid.length > 0;
  }

  async #issue(writer: Writer, actor: Actor, app_id: string): Promise<string> {
    const [known] = await listValid.all(writer, { app_id });
    const revealed = this.#reveal(known);
    if (revealed !== undefined) return revealed;
    // A token that cannot be reconstructed would leave the app with two valid tokens.
    await this.invalidateAll(writer, actor, app_id);
    const salt = randomText(this.#services.random, 43);
    const token = this.#token(salt);
    const created_at = timestamp(this.#services.clock);
    const id = tokenHash(token);
    await insertToken.run(writer, { token_hash: id, app_id, created_at, salt });
    await recordChange(writer, actor, created_at, {
      account_id: null,
      entity: 'BEARER_TOKEN',
      entity_id: id,
      before: undefined,
      after: { id, app_id, created_at },
    });
    return token;
  }

  #reveal(stored: { readonly token_hash: string; readonly salt: string | null } | undefined): string | undefined {
    if (!stored || stored.salt === null) return undefined;
    const token = this.#token(stored.salt);
    return tokenHash(token) === stored.token_hash ? token : undefined;
  }

  #token(salt: string): string {
    const { key, prefix = '' } = this.#services;
    return bearerText(key, prefix, salt);
  }

  async #revoke(writer: Writer, actor: Actor, hash: string): Promise<void> {
    const revoked_at = timestamp(this.#services.clock);
    await revokeToken.run(writer, { token_hash: hash, revoked_at });
    await recordChange(writer, actor, revoked_at, {
      account_id: null,
      entity: 'BEARER_TOKEN',
      entity_id: hash,
      before: { revoked_at: null },
      after: { id: hash, revoked_at },
    });
  }
}

/**
 * Makes a bearer token: about 110 characters that begin with a run of A (reference, auth section 3), after the prefix of the world.
 * @param key the platform key
 */
export function bearerText(key: string, prefix: string, salt: string): string {
  const bytes = keyedHash(key, 'bearer token', prefix + salt);
  return `${prefix.padEnd(21, 'A')}${bytes.toString('hex').slice(0, 90)}`;
}

/** Finds what a signed request names, and the secrets that must have signed it. */
import { isStorable } from '@broadside/core';
import type { AccessLevel } from '@broadside/core/resources/apps';
import { and, desc, eq, ne, sql } from 'drizzle-orm';
import { SigningKey } from '../auth/signing-key.ts';
import { NOBODY } from '../auth/verify-signature.ts';
import { type Awaitable, chain } from '../awaitable.ts';
import type { Database } from '../db/database.ts';
import { OutdatedCache } from '../db/outdated-cache.ts';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { orNull, types } from '../db/value-types.ts';
import { equalSecrets, type SecretBox } from '../world/secrets.ts';
import { accessTokens, apps, users } from './platform-table.ts';

/** The app and token that a signed request names, with the secrets that must have signed it. */
export interface SigningIdentity {
  /** The generation in which it was read, until it is cached. */
  readIn?: number | undefined;
  readonly app_id: string;
  readonly consumer_secret: string;
  /** Signs for the app alone. */
  readonly key: SigningKey;
  readonly owner_user_id: string;
  readonly suspended: boolean;
  /** Absent when the request names no token, or none of this app. */
  readonly token?: {
    readonly secret: string;
    /** Signs for the app with this token. */
    readonly key: SigningKey;
    readonly user_id: string;
    readonly screen_name: string;
    readonly access_level: AccessLevel;
    readonly revoked: boolean;
    /** The user is suspended. */
    readonly suspended: boolean;
  };
}

/** A secret beside the right one, under a name that can be shown. */
export interface NearSecret {
  readonly name: string;
  readonly consumer?: string;
  readonly token?: string;
}

/** Returns a row whether or not the app exists: reading one takes time, which would disclose it. */
const findSigning = statement({ consumer_key: apps.consumer_key, token: orNull(types.text) }, (args) =>
  query
    .select({
      app_id: apps.id,
      consumer_secret_sealed: apps.consumer_secret_sealed,
      app_level: apps.access_level,
      owner_user_id: apps.owner_user_id,
      suspended: apps.suspended,
      secret_sealed: accessTokens.secret_sealed,
      user_id: accessTokens.user_id,
      screen_name: users.screen_name,
      token_level: accessTokens.access_level,
      revoked_at: accessTokens.revoked_at,
      user_suspended: users.suspended,
    })
    .from(sql`(SELECT 1)`)
    .leftJoin(apps, eq(apps.consumer_key, args.consumer_key))
    .leftJoin(accessTokens, and(eq(accessTokens.app_id, apps.id), eq(accessTokens.token, args.token)))
    .leftJoin(users, eq(users.id, accessTokens.user_id))
    .limit(1),
);
const findToken = statement({ token: accessTokens.token }, ({ token }) =>
  query.select({ app_id: accessTokens.app_id }).from(accessTokens).where(eq(accessTokens.token, token)).limit(1),
);
const listOtherApps = statement({ id: apps.id }, ({ id }) =>
  query
    .select({ name: apps.name, sealed: apps.consumer_secret_sealed })
    .from(apps)
    .where(ne(apps.id, id))
    .orderBy(desc(apps.created_at))
    .limit(20),
);
const listOtherTokens = statement({ token: accessTokens.token }, ({ token }) =>
  query
    .select({ app: apps.name, person: users.screen_name, sealed: accessTokens.secret_sealed })
    .from(accessTokens)
    .innerJoin(apps, eq(apps.id, accessTokens.app_id))
    .innerJoin(users, eq(users.id, accessTokens.user_id))
    .where(ne(accessTokens.token, token))
    .orderBy(desc(accessTokens.created_at))
    .limit(20),
);

type SigningRow = NonNullable<Awaited<ReturnType<typeof findSigning.first>>>;

interface Services {
  readonly database: Database;
  readonly secrets: SecretBox;
  /** Keep what requests sign with in memory. Only where this process is the only one that writes the store. */
  readonly cache: boolean;
}

export class SigningIdentities {
  readonly #services: Services;
  readonly #known: OutdatedCache<SigningIdentity>;
  /** Opened in place of a secret that is missing, and as long as one: the time to make a key depends on the length. */
  readonly #decoy: string;

  constructor(services: Services) {
    this.#services = services;
    this.#known = new OutdatedCache(services.database.generations, 'signing identities', 10_000);
    this.#decoy = services.secrets.seal(NOBODY.consumer);
  }

  /**
   * The app and token that a request names; `undefined` when there is no such app. Without `token` in the result the token
   * is unknown or belongs to another app.
   */
  find(consumer_key: string, token: string | undefined): Awaitable<SigningIdentity | undefined> {
    const key = keyOf(consumer_key, token);
    // A value that the store cannot represent cannot be a key or token.
    if (!isStorable(key)) return undefined;
    const known = this.#known.get(key);
    if (known) return known;
    const { generation } = this.#known;
    return chain(this.#read(consumer_key, token), (found) => {
      if (found) found.readIn = generation;
      return found;
    });
  }

  /**
   * Caches the identity with which a request was verified. Nothing else is cached: requests that fail would evict it, and
   * the identities they name would be found faster the next time.
   */
  remember(consumer_key: string, token: string | undefined, verified: SigningIdentity): void {
    const generation = verified.readIn;
    if (generation === undefined) return;
    verified.readIn = undefined;
    if (this.#services.cache) this.#known.set(keyOf(consumer_key, token), verified, generation);
  }

  /** Returns whether an identity is the one that is cached, and so as current as what this server was told last. */
  remembers(consumer_key: string, token: string | undefined, identity: SigningIdentity): boolean {
    return this.#known.get(keyOf(consumer_key, token)) === identity;
  }

  /** Forgets everything; called after each write of an identity. */
  forget(): void {
    this.#known.forget();
  }

  /**
   * Makes a rejection take as long for a key that is known as for one that is not: what `find` had in memory is looked up
   * after all.
   */
  evenOut(consumer_key: string, token: string | undefined): Awaitable<unknown> {
    const key = keyOf(consumer_key, token);
    return isStorable(key) && this.#known.get(key) ? this.#read(consumer_key, token) : undefined;
  }

  /** Returns the app with these keys: the app itself is the caller. Takes as long when there is no such app. */
  async verifyApp(consumer_key: string, consumer_secret: string): Promise<SigningIdentity | undefined> {
    const identity = await this.find(consumer_key, undefined);
    const right = equalSecrets(consumer_secret, identity?.consumer_secret ?? '');
    if (right && identity) {
      this.remember(consumer_key, undefined, identity);
      return identity;
    }
    await this.evenOut(consumer_key, undefined);
    return undefined;
  }

  /** Returns whether this access token exists, for any app. */
  async hasToken(token: string): Promise<boolean> {
    return isStorable(token) && (await findToken.first(this.#services.database, { token })) !== undefined;
  }

  /**
   * Secrets that a developer can have taken by mistake: of other apps, of other tokens of this app, and of earlier tokens
   * of the same person. For explaining a rejected signature in development mode; each has a name that can be shown.
   */
  async secretsNear(app_id: string | undefined, token: string | undefined): Promise<NearSecret[]> {
    const { database, secrets } = this.#services;
    const others = await listOtherApps.all(database, { id: app_id ?? '' });
    const tokens = await listOtherTokens.all(database, {
      token: token !== undefined && isStorable(token) ? token : '',
    });
    return [
      ...others.map(({ name, sealed }) => ({ name: `the app ${name}`, consumer: secrets.open(sealed) })),
      ...tokens.map(({ app, person, sealed }) => ({
        name: `another token of @${person} for the app ${app}`,
        token: secrets.open(sealed),
      })),
    ];
  }

  #read(consumer_key: string, token: string | undefined): Awaitable<SigningIdentity | undefined> {
    const { database } = this.#services;
    return chain(findSigning.first(database, { consumer_key, token: token ?? null }), (row) => this.#opened(row));
  }

  #opened(row: SigningRow | undefined): SigningIdentity | undefined {
    const consumer_secret = this.#open(row?.consumer_secret_sealed);
    const secret = this.#open(row?.secret_sealed);
    // Both in any case: making them takes time too.
    const appKey = new SigningKey({ consumer: consumer_secret, token: undefined });
    const tokenKey = new SigningKey({ consumer: consumer_secret, token: secret });
    if (!row || row.app_id === null || row.owner_user_id === null) return undefined;
    const { app_id, owner_user_id } = row;
    const app = {
      readIn: undefined,
      app_id,
      consumer_secret,
      key: appKey,
      owner_user_id,
      suspended: row.suspended === true,
    };
    if (row.user_id === null) return app;
    return {
      ...app,
      token: {
        secret,
        key: tokenKey,
        user_id: row.user_id,
        screen_name: row.screen_name ?? '',
        // A token never does more than its app may now.
        access_level: row.token_level === 'write' && row.app_level === 'write' ? 'write' : 'read',
        revoked: row.revoked_at !== null,
        suspended: row.user_suspended === true,
      },
    };
  }

  #open(sealed: string | null | undefined): string {
    return this.#services.secrets.open(sealed ?? this.#decoy);
  }
}

function keyOf(consumer_key: string, token: string | undefined): string {
  return `${consumer_key.length} ${consumer_key} ${token ?? ''}`;
}

/**
 * Request tokens, the middle of the three-legged flow (specification A, States and transitions): issued to an app, approved
 * or cancelled by a person, exchanged once for an access token. They expire on the world's clock.
 */
import { formatTimestamp, isStorable } from '@broadside/core';
import type { AccessLevel } from '@broadside/core/resources/apps';
import { OUT_OF_BAND } from '@broadside/core/resources/apps';
import { and, eq, lt } from 'drizzle-orm';
import type { Database, Reader, Writer } from '../db/database.ts';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { type Clock, timestamp } from '../world/clock.ts';
import { type Random, randomText } from '../world/random.ts';
import { equalSecrets, type SecretBox, tokenHash } from '../world/secrets.ts';
import type { Grant, IssuedToken } from './access-tokens.ts';
import { credentialText } from './credential-text.ts';
import { keyedHash } from './platform-key.ts';
import { requestTokens } from './platform-table.ts';

/** Lifetime of a request token (reference, auth section 3: 15 minutes is its suggestion). */
export const REQUEST_TOKEN_MS = 15 * 60_000;

/** Maximum number of wrong verifiers of a request token: a PIN has seven digits. */
export const MAX_VERIFIER_FAILURES = 5;

/** Rows are retained for a while after they expire, so that a late client learns that its token is too old. */
const KEPT_MS = 24 * 3_600_000;

const PIN_DIGITS = 7;

/** Properties of a pending request token, for the pages. */
export interface WaitingToken {
  readonly app_id: string;
  /** The callback URL, or `oob`. */
  readonly callback: string;
  readonly access_level: AccessLevel;
}

/** Outcome of an exchange. */
export type Exchange =
  | { readonly kind: 'issued'; readonly token: IssuedToken }
  /** The token is not approved, or the verifier is not the one issued for it. */
  | { readonly kind: 'wrong_verifier' }
  /** The token has lapsed or was used up. */
  | { readonly kind: 'spent' };

interface Services {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  /** Tokens begin with it; nothing by default. */
  readonly prefix?: string | undefined;
  readonly secrets: SecretBox;
  /** The platform key that verifiers are hashed with. */
  readonly key: string;
  /** Creates or returns a person's token for an app, in the write of the exchange. */
  readonly issue: (writer: Writer, grant: Grant) => Promise<IssuedToken>;
}

const {
  token_hash,
  secret_sealed,
  app_id,
  callback,
  access_level,
  created_at,
  expires_at,
  state,
  user_id,
  verifier_hash,
  failures,
} = requestTokens;

const findToken = statement({ token_hash }, (args) =>
  query
    .select({ app_id, callback, access_level, expires_at, state, user_id, verifier_hash, failures })
    .from(requestTokens)
    .where(eq(token_hash, args.token_hash))
    .limit(1),
);
const findSecret = statement({ token_hash, app_id }, (args) =>
  query
    .select({ secret_sealed })
    .from(requestTokens)
    .where(and(eq(token_hash, args.token_hash), eq(app_id, args.app_id)))
    .limit(1),
);
const deleteExpired = statement({ before: expires_at }, ({ before }) =>
  query.delete(requestTokens).where(lt(expires_at, before)),
);
const insertToken = statement(
  { token_hash, secret_sealed, app_id, callback, access_level, created_at, expires_at },
  (token) => query.insert(requestTokens).values({ ...token, state: 'issued' }),
);
const authorize = statement({ token_hash, user_id, verifier_hash }, ({ token_hash: hash, ...approval }) =>
  query
    .update(requestTokens)
    .set({ ...approval, state: 'authorized' })
    .where(eq(token_hash, hash)),
);
const setState = statement({ token_hash, state }, (args) =>
  query.update(requestTokens).set({ state: args.state }).where(eq(token_hash, args.token_hash)),
);
const setFailures = statement({ token_hash, failures }, (args) =>
  query.update(requestTokens).set({ failures: args.failures }).where(eq(token_hash, args.token_hash)),
);

export class RequestTokens {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  /** Issues a request token to an app. Only the app's own answer ever holds the secret. */
  async issue(
    app_id: string,
    callback: string,
    access_level: AccessLevel,
  ): Promise<{ oauth_token: string; oauth_token_secret: string }> {
    const { database, random, prefix = '', secrets, clock } = this.#services;
    const oauth_token = credentialText(random, 42, prefix);
    const oauth_token_secret = randomText(random, 42);
    const now = clock.now();
    await database.write(async (writer) => {
      await deleteExpired.run(writer, { before: formatTimestamp(now - KEPT_MS) });
      await insertToken.run(writer, {
        token_hash: tokenHash(oauth_token),
        secret_sealed: secrets.seal(oauth_token_secret),
        app_id,
        callback,
        access_level,
        created_at: formatTimestamp(now),
        expires_at: formatTimestamp(now + REQUEST_TOKEN_MS),
      });
    });
    return { oauth_token, oauth_token_secret };
  }

  /** The secret of a request token of an app, whatever its state; `undefined` when the app has no such token. */
  async secretOf(app_id: string, token: string): Promise<string | undefined> {
    if (!isStorable(token)) return undefined;
    const { database, secrets } = this.#services;
    const found = await findSecret.first(database, { token_hash: tokenHash(token), app_id });
    return found && secrets.open(found.secret_sealed);
  }

  /** Returns a token that a person can still approve; `undefined` when it is unknown, expired, or was decided on. */
  async waiting(token: string): Promise<WaitingToken | undefined> {
    if (!isStorable(token)) return undefined;
    const row = await this.#read(this.#services.database, token);
    return row?.state === 'issued' && !this.#hasLapsed(row) ? row : undefined;
  }

  /** Approves a token. @returns the verifier (a PIN for `oob`), or `undefined` when it cannot be approved any more */
  async approve(token: string, user_id: string): Promise<string | undefined> {
    const { database, random } = this.#services;
    return database.write(async (writer) => {
      const row = await this.#read(writer, token);
      if (row?.state !== 'issued' || this.#hasLapsed(row)) return undefined;
      const verifier =
        row.callback === OUT_OF_BAND ? randomText(random, PIN_DIGITS, '0123456789') : randomText(random, 42);
      const verifier_hash = this.#verifierHash(token, verifier);
      await authorize.run(writer, { token_hash: tokenHash(token), user_id, verifier_hash });
      return verifier;
    });
  }

  /** Cancels a token that waits for a person. @returns whether it did */
  async cancel(token: string): Promise<boolean> {
    return this.#services.database.write(async (writer) => {
      const row = await this.#read(writer, token);
      if (row?.state !== 'issued' || this.#hasLapsed(row)) return false;
      await setState.run(writer, { token_hash: tokenHash(token), state: 'cancelled' });
      return true;
    });
  }

  /** Exchanges an approved token for an access token, once: of concurrent calls, one succeeds. */
  async exchange(token: string, verifier: string): Promise<Exchange> {
    return this.#services.database.write(async (writer): Promise<Exchange> => {
      const hash = tokenHash(token);
      const row = await this.#read(writer, token);
      if (!row || this.#hasLapsed(row) || row.state === 'used' || row.state === 'cancelled') return { kind: 'spent' };
      const { app_id, user_id, access_level, verifier_hash, failures } = row;
      if (
        user_id === null ||
        verifier_hash === null ||
        !equalSecrets(verifier_hash, this.#verifierHash(token, verifier))
      ) {
        await setFailures.run(writer, { token_hash: hash, failures: failures + 1 });
        if (failures + 1 >= MAX_VERIFIER_FAILURES) await setState.run(writer, { token_hash: hash, state: 'used' });
        return { kind: 'wrong_verifier' };
      }
      await setState.run(writer, { token_hash: hash, state: 'used' });
      return { kind: 'issued', token: await this.#services.issue(writer, { app_id, user_id, access_level }) };
    });
  }

  #read(reader: Reader, token: string) {
    return findToken.first(reader, { token_hash: tokenHash(token) });
  }

  #hasLapsed({ expires_at }: { readonly expires_at: string }): boolean {
    return expires_at <= timestamp(this.#services.clock);
  }

  #verifierHash(token: string, verifier: string): string {
    return keyedHash(this.#services.key, 'verifier', token, verifier).toString('base64url');
  }
}

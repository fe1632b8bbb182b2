/** OAuth 1.0a access tokens, and the approvals of people that give them to apps. */
import { isStorable } from '@broadside/core';
import type { AccessLevel, App } from '@broadside/core/resources/apps';
import type { User } from '@broadside/core/resources/operator';
import { and, desc, eq, isNull, min, or, sql } from 'drizzle-orm';
import type { Awaitable } from '../awaitable.ts';
import type { Actor } from '../db/change-log.ts';
import type { Database, Writer } from '../db/database.ts';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { types } from '../db/value-types.ts';
import { type Clock, timestamp } from '../world/clock.ts';
import { type Random, randomText } from '../world/random.ts';
import { type SecretBox, tokenHash } from '../world/secrets.ts';
import type { IdentityWrites } from './identity-writes.ts';
import { accessTokens, apps, users } from './platform-table.ts';
import { readUser } from './user-store.ts';

/** A token with its secret, which the person's own pages never show. */
export interface IssuedToken {
  readonly access_token: string;
  readonly access_token_secret: string;
  readonly user_id: string;
  readonly screen_name: string;
  readonly access_level: AccessLevel;
}

/** An approval of an app by a person. */
export interface Grant {
  readonly app_id: string;
  readonly user_id: string;
  readonly access_level: AccessLevel;
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

const { token, secret_sealed, app_id, user_id, access_level, created_at, revoked_at, by_approval } = accessTokens;
const isValid = isNull(revoked_at);

const listApprovals = statement({ user_id }, (args) =>
  query
    .select({
      app_id: apps.id,
      name: apps.name,
      description: apps.description,
      owner_screen_name: users.screen_name,
      writes: sql`max(${access_level} = 'write' AND ${apps.access_level} = 'write')`.mapWith(types.flag),
      approved_at: min(created_at),
    })
    .from(accessTokens)
    .innerJoin(apps, eq(apps.id, app_id))
    .leftJoin(users, eq(users.id, apps.owner_user_id))
    .where(and(eq(user_id, args.user_id), isValid))
    .groupBy(apps.id)
    .orderBy(apps.name_folded)
    .limit(1000),
);
const findApproval = statement({ user_id, app_id, access_level }, (args) =>
  query
    .select({ token })
    .from(accessTokens)
    .where(
      and(
        eq(user_id, args.user_id),
        eq(app_id, args.app_id),
        isValid,
        eq(by_approval, true),
        or(eq(access_level, 'write'), sql`${args.access_level} = 'read'`),
      ),
    )
    .limit(1),
);
const findGranted = statement({ user_id, app_id, access_level }, (args) =>
  query
    .select({ token, secret_sealed, screen_name: users.screen_name })
    .from(accessTokens)
    .innerJoin(users, eq(users.id, user_id))
    .where(
      and(
        eq(user_id, args.user_id),
        eq(app_id, args.app_id),
        eq(access_level, args.access_level),
        isValid,
        eq(by_approval, true),
      ),
    )
    .orderBy(desc(created_at))
    .limit(1),
);
const insertToken = statement(
  { token, secret_sealed, app_id, user_id, access_level, created_at, by_approval },
  (issued) => query.insert(accessTokens).values(issued),
);
const revokedColumns = { token, app_id, user_id, access_level } as const;
const revokeOne = statement({ token, revoked_at }, (args) =>
  query
    .update(accessTokens)
    .set({ revoked_at: args.revoked_at })
    .where(and(eq(token, args.token), isValid))
    .returning(revokedColumns),
);
const revokeGranted = statement({ user_id, app_id, revoked_at }, (args) =>
  query
    .update(accessTokens)
    .set({ revoked_at: args.revoked_at })
    .where(and(eq(user_id, args.user_id), eq(app_id, args.app_id), isValid))
    .returning(revokedColumns),
);

const revokeOfApp = statement({ app_id, revoked_at }, (args) =>
  query
    .update(accessTokens)
    .set({ revoked_at: args.revoked_at })
    .where(and(eq(app_id, args.app_id), isValid))
    .returning(revokedColumns),
);

/** An access token that was revoked. */
export interface RevokedToken {
  /** The hash of the token, by which it is recorded. */
  readonly id: string;
  readonly app_id: string;
  readonly user_id: string;
  readonly access_level: AccessLevel;
  readonly revoked_at: string;
}

interface Services {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly secrets: SecretBox;
  readonly writes: IdentityWrites;
}

export class AccessTokenStore {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  /** Returns the apps that a person approved, by name. */
  async approvalsOf(person: string): Promise<Approval[]> {
    const found = await listApprovals.all(this.#services.database, { user_id: person });
    return found.map(({ writes, owner_screen_name, approved_at, ...approval }) => ({
      ...approval,
      owner_screen_name: owner_screen_name ?? '',
      access_level: writes ? 'write' : 'read',
      approved_at: approved_at ?? '',
    }));
  }

  /** Returns whether a person's approval still covers the access that an app asks for. The operator's tokens do not count. */
  async hasApproved(person: string, app: string, level: AccessLevel): Promise<boolean> {
    const grant = { user_id: person, app_id: app, access_level: level };
    return (await findApproval.first(this.#services.database, grant)) !== undefined;
  }

  /** Issues a new access token of a user for an app; it may do no more than the app. */
  async issue(actor: Actor, app: App, user: User, level: AccessLevel): Promise<IssuedToken> {
    const access_level = app.access_level === 'write' ? level : 'read';
    return this.#services.database.write((writer) =>
      this.#issue(writer, actor, { app_id: app.id, user_id: user.id, access_level, by_approval: false }),
    );
  }

  /**
   * The token that a person's approval gives: the one that an earlier approval gave the app, or else a new one. What the
   * operator issued is separate, so that signing out of an app does not revoke it.
   */
  async grant(writer: Writer, grant: Grant): Promise<IssuedToken> {
    const { user_id, access_level } = grant;
    const known = await findGranted.first(writer, grant);
    if (!known) return this.#issue(writer, { user_id, platform: 'WEB' }, { ...grant, by_approval: true });
    return {
      access_token: known.token,
      access_token_secret: this.#services.secrets.open(known.secret_sealed),
      user_id,
      screen_name: known.screen_name,
      access_level,
    };
  }

  async #issue(writer: Writer, actor: Actor, grant: Grant & { readonly by_approval: boolean }): Promise<IssuedToken> {
    const { random, clock, secrets, writes } = this.#services;
    const { app_id, user_id, access_level } = grant;
    const user = await readUser(writer, user_id);
    if (!user) throw new Error('an access token is for a user');
    const access_token = `${user_id}-${randomText(random, 40)}`;
    const access_token_secret = randomText(random, 45);
    const created_at = timestamp(clock);
    await insertToken.run(writer, {
      ...grant,
      token: access_token,
      secret_sealed: secrets.seal(access_token_secret),
      created_at,
    });
    const after = { id: tokenHash(access_token), app_id, user_id, access_level, created_at };
    await writes.record(writer, actor, { entity: 'ACCESS_TOKEN', after });
    return { access_token, access_token_secret, user_id, screen_name: user.screen_name, access_level };
  }

  /** Revokes an access token; it is rejected from the next request on. @returns it, if it was valid */
  async revoke(actor: Actor, access_token: string): Promise<RevokedToken | undefined> {
    if (!isStorable(access_token)) return undefined;
    const [revoked] = await this.#revoke(actor, (writer, revoked_at) =>
      revokeOne.all(writer, { token: access_token, revoked_at }),
    );
    return revoked;
  }

  /** Revokes the access tokens of an app, those of one user or of all. @returns those that were valid */
  revokeAccess(actor: Actor, app: string, person?: string): Promise<RevokedToken[]> {
    return this.#revoke(actor, (writer, revoked_at) =>
      person === undefined
        ? revokeOfApp.all(writer, { app_id: app, revoked_at })
        : revokeGranted.all(writer, { user_id: person, app_id: app, revoked_at }),
    );
  }

  /** Takes back a person's approval of an app. @returns whether there was one */
  async revokeApproval(actor: Actor, person: string, app: string): Promise<boolean> {
    if (!isStorable(app)) return false;
    return (await this.revokeAccess(actor, app, person)).length > 0;
  }

  async #revoke(
    actor: Actor,
    revoke: (
      writer: Writer,
      revoked_at: string,
    ) => Awaitable<readonly (Omit<RevokedToken, 'id' | 'revoked_at'> & { readonly token: string })[]>,
  ): Promise<RevokedToken[]> {
    const revoked_at = timestamp(this.#services.clock);
    return this.#services.writes.run(async (writer) => {
      const revoked = await revoke(writer, revoked_at);
      for (const { token } of revoked) {
        await this.#services.writes.record(writer, actor, {
          entity: 'ACCESS_TOKEN',
          before: { revoked_at: null },
          after: { id: tokenHash(token), revoked_at },
        });
      }
      return revoked.map(({ token, ...of }) => ({ ...of, id: tokenHash(token), revoked_at }));
    });
  }
}

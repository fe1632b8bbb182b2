/** Client applications: their settings and keys. */
import { isStorable } from '@broadside/core';
import type { App, AppSettings } from '@broadside/core/resources/apps';
import type { StandingFlags } from '@broadside/core/resources/users';
import { eq, getTableColumns } from 'drizzle-orm';
import { forgetChanges } from '../audit/forget.ts';
import type { Awaitable } from '../awaitable.ts';
import { type Actor, isUnchanged } from '../db/change-log.ts';
import type { Database, Writer } from '../db/database.ts';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { types } from '../db/value-types.ts';
import { type Clock, timestamp } from '../world/clock.ts';
import type { Snowflakes } from '../world/ids.ts';
import { type Random, randomText } from '../world/random.ts';
import type { SecretBox } from '../world/secrets.ts';
import type { BearerTokens } from './bearer-tokens.ts';
import { credentialText } from './credential-text.ts';
import type { IdentityWrites } from './identity-writes.ts';
import { type Made, NEWEST, newestFirst, olderThan } from './newest-first.ts';
import { accessTokens, apps, bearerTokens, requestTokens } from './platform-table.ts';

const { id, name_folded, created_at, consumer_secret_sealed } = apps;
/** The mutable members of an app. */
const changeable = {
  name: apps.name,
  description: apps.description,
  callback_urls: apps.callback_urls,
  sign_in_enabled: apps.sign_in_enabled,
  oob_enabled: apps.oob_enabled,
  access_level: apps.access_level,
  suspended: apps.suspended,
  frame_origins: apps.frame_origins,
  consumer_key: apps.consumer_key,
  updated_at: apps.updated_at,
};
const shown = { id, owner_user_id: apps.owner_user_id, created_at, ...changeable };

const findById = statement({ id }, (args) => query.select(shown).from(apps).where(eq(id, args.id)).limit(1));
const findByKey = statement({ consumer_key: apps.consumer_key }, ({ consumer_key }) =>
  query.select(shown).from(apps).where(eq(apps.consumer_key, consumer_key)).limit(1),
);
const findByName = statement({ name_folded }, (args) =>
  query.select(shown).from(apps).where(eq(name_folded, args.name_folded)).limit(1),
);
/** Apps of a person that are read at once, at most. */
export const MOST_OWNED = 1000;

const listApps = statement({ id, created_at, count: types.int }, ({ count, ...before }) =>
  query
    .select(shown)
    .from(apps)
    .where(olderThan(apps, before))
    .orderBy(...newestFirst(apps))
    .limit(count.placeholder),
);
const owned = { owner_user_id: apps.owner_user_id, passed: types.int, count: types.int };
const listOwned = statement(owned, ({ owner_user_id, passed, count }) =>
  query
    .select(shown)
    .from(apps)
    .where(eq(apps.owner_user_id, owner_user_id))
    .orderBy(name_folded)
    .limit(count.placeholder)
    .offset(passed.placeholder),
);
const insertApp = statement(getTableColumns(apps), (app) => query.insert(apps).values(app));
const updateApp = statement({ id, name_folded, ...changeable }, ({ id: app_id, ...changes }) =>
  query.update(apps).set(changes).where(eq(id, app_id)),
);
const updateSecret = statement({ id, consumer_secret_sealed }, (args) =>
  query.update(apps).set({ consumer_secret_sealed: args.consumer_secret_sealed }).where(eq(id, args.id)),
);

const flags = {
  suspended: apps.suspended,
  suspended_reason: apps.suspended_reason,
  delete_at: apps.delete_at,
  stays_suspended: apps.stays_suspended,
};
const findFlags = statement({ id }, (args) => query.select(flags).from(apps).where(eq(id, args.id)).limit(1));
const setFlags = statement({ id, ...flags }, ({ id: app_id, ...set }) =>
  query.update(apps).set(set).where(eq(id, app_id)),
);
const deleteApp = statement({ id }, (args) => query.delete(apps).where(eq(id, args.id)));
const deleteAccessTokens = statement({ app_id: types.text }, ({ app_id }) =>
  query.delete(accessTokens).where(eq(accessTokens.app_id, app_id)),
);
const deleteBearerTokens = statement({ app_id: types.text }, ({ app_id }) =>
  query.delete(bearerTokens).where(eq(bearerTokens.app_id, app_id)),
);
const deleteRequestTokens = statement({ app_id: types.text }, ({ app_id }) =>
  query.delete(requestTokens).where(eq(requestTokens.app_id, app_id)),
);

interface Services {
  readonly database: Database;
  readonly clock: Clock;
  /** For keys and secrets. */
  readonly random: Random;
  /** Keys begin with it; nothing by default. */
  readonly prefix?: string | undefined;
  readonly ids: Snowflakes;
  readonly secrets: SecretBox;
  readonly bearers: BearerTokens;
  readonly writes: IdentityWrites;
}

/** An app to be created. By default any site may frame its previews. */
interface NewApp extends Omit<AppSettings, 'frame_origins'> {
  readonly owner_user_id: string;
  readonly frame_origins?: string[] | undefined;
}

export class AppStore {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  /** @throws NameTakenError when the app's name is taken, in any case of letters. */
  async create(actor: Actor, { frame_origins = [], ...fields }: NewApp): Promise<App & { consumer_secret: string }> {
    const { ids, clock, random, prefix = '', secrets, writes } = this.#services;
    const now = timestamp(clock);
    const app: App = {
      ...fields,
      frame_origins,
      id: ids.next(),
      suspended: false,
      consumer_key: credentialText(random, 25, prefix),
      created_at: now,
      updated_at: now,
    };
    const consumer_secret = randomText(random, 50);
    await writes.change(actor, async (writer) => {
      const sealed = secrets.seal(consumer_secret);
      await insertApp.run(writer, {
        ...app,
        name_folded: app.name.toLowerCase(),
        consumer_secret_sealed: sealed,
        suspended_reason: null,
        delete_at: null,
        stays_suspended: false,
      });
      return { entity: 'APP', after: app };
    });
    return { ...app, consumer_secret };
  }

  /**
   * Changes the settings of an app.
   * @returns the changed app, or `undefined` if it does not exist
   * @throws NameTakenError when the new name is taken
   */
  async update(
    actor: Actor,
    app_id: string,
    changes: { readonly [Name in keyof AppSettings | 'suspended']?: App[Name] | undefined },
  ): Promise<App | undefined> {
    const set = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    return this.#change(actor, app_id, (before) => ({ ...before, ...set }));
  }

  /** Gives an app a new key and secret; the old ones and the bearer token stop at once. */
  async regenerateKeys(actor: Actor, app_id: string): Promise<(App & { consumer_secret: string }) | undefined> {
    const { random, prefix = '', secrets, bearers } = this.#services;
    const consumer_key = credentialText(random, 25, prefix);
    const consumer_secret = randomText(random, 50);
    const app = await this.#change(
      actor,
      app_id,
      (before) => ({ ...before, consumer_key }),
      async (writer) => {
        await updateSecret.run(writer, { id: app_id, consumer_secret_sealed: secrets.seal(consumer_secret) });
        await bearers.invalidateAll(writer, actor, app_id);
      },
    );
    return app && { ...app, consumer_secret };
  }

  async #change(
    actor: Actor,
    app_id: string,
    change: (before: App) => App,
    beside: (writer: Writer) => Promise<void> = async () => {},
  ): Promise<App | undefined> {
    let after: App | undefined;
    await this.#services.writes.change(actor, async (writer) => {
      const before = isStorable(app_id) ? await findById.first(writer, { id: app_id }) : undefined;
      if (!before) return undefined;
      after = { ...change(before), updated_at: timestamp(this.#services.clock) };
      await updateApp.run(writer, { ...after, name_folded: after.name.toLowerCase() });
      await beside(writer);
      return { entity: 'APP', before: { ...before }, after };
    });
    return after;
  }

  /**
   * Changes how an app stands on the platform.
   * @param change returns how it stands afterwards
   * @param beside writes what belongs to it, in the same write
   * @returns the app, and how it stands afterwards; `undefined` if there is none
   */
  async setStanding(
    actor: Actor,
    app_id: string,
    change: (before: StandingFlags) => StandingFlags,
    beside: (writer: Writer) => Promise<void> = async () => {},
  ): Promise<(App & StandingFlags) | undefined> {
    await this.#services.writes.change(actor, async (writer) => {
      const before = await findFlags.first(writer, { id: app_id });
      const after = before && change(before);
      if (!after || isUnchanged({ ...before }, after)) return undefined;
      await setFlags.run(writer, { id: app_id, ...after });
      await beside(writer);
      return { entity: 'APP', before: { id: app_id, ...before }, after: { id: app_id, ...after } };
    });
    return this.standing(app_id);
  }

  /** An app, and how it stands on the platform. */
  async standing(app_id: string): Promise<(App & StandingFlags) | undefined> {
    const { database } = this.#services;
    const app = await findById.first(database, { id: app_id });
    const flags = await findFlags.first(database, { id: app_id });
    return app && flags && { ...app, ...flags };
  }

  /**
   * Deletes an app with all of its tokens.
   * @param isMeant decides by how the app stands, in the same write
   * @returns whether it was deleted
   */
  async delete(
    actor: Actor,
    app_id: string,
    isMeant: (standing: StandingFlags) => boolean = () => true,
  ): Promise<boolean> {
    let isDeleted = false;
    await this.#services.writes.change(actor, async (writer) => {
      const standing = await findFlags.first(writer, { id: app_id });
      if (standing && !isMeant(standing)) return undefined;
      isDeleted = (await deleteApp.run(writer, { id: app_id })) > 0;
      await deleteAccessTokens.run(writer, { app_id });
      await deleteBearerTokens.run(writer, { app_id });
      await deleteRequestTokens.run(writer, { app_id });
      if (!isDeleted) return undefined;
      await forgetChanges(writer, 'APP', app_id);
      return { entity: 'APP', before: { deleted: false }, after: { id: app_id, deleted: true } };
    });
    return isDeleted;
  }

  /** The app with an id. */
  async get(app_id: string): Promise<App | undefined> {
    return isStorable(app_id) ? findById.first(this.#services.database, { id: app_id }) : undefined;
  }

  /** The app with a consumer key. */
  async byKey(consumer_key: string): Promise<App | undefined> {
    return isStorable(consumer_key) ? findByKey.first(this.#services.database, { consumer_key }) : undefined;
  }

  /** The app with a name, in any case of letters. */
  byName(name: string): Awaitable<App | undefined> {
    return findByName.first(this.#services.database, { name_folded: name.toLowerCase() });
  }

  /** The newest apps first. @param before those that come after this one in the order */
  list(count: number, { id, created_at }: Made = NEWEST): Awaitable<App[]> {
    return listApps.all(this.#services.database, { id, created_at, count });
  }

  /** The apps that a person owns, by name. @param passed leaves out so many of the first */
  ownedBy(owner_user_id: string, passed = 0, count = MOST_OWNED): Awaitable<App[]> {
    return listOwned.all(this.#services.database, { owner_user_id, passed, count });
  }
}

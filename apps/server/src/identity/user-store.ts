/** People: their names, passwords and profiles. */
import { isStorable } from '@broadside/core';
import type { User } from '@broadside/core/resources/operator';
import type { PersonIdentifiers, PersonTraits, StandingFlags } from '@broadside/core/resources/users';
import { eq, sql } from 'drizzle-orm';
import { forgetChanges } from '../audit/forget.ts';
import { type Awaitable, chain } from '../awaitable.ts';
import { type Actor, isUnchanged } from '../db/change-log.ts';
import type { Database, Reader, Writer } from '../db/database.ts';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { among, types } from '../db/value-types.ts';
import { type Clock, timestamp } from '../world/clock.ts';
import type { Snowflakes } from '../world/ids.ts';
import type { IdentityWrites } from './identity-writes.ts';
import { type Made, NEWEST, newestFirst, olderThan } from './newest-first.ts';
import { hashPassword, NO_PASSWORD, verifyPassword } from './password.ts';
import { accessTokens, users } from './platform-table.ts';
import { changedProfile, emptyProfile, type ProfileChanges } from './profile.ts';
import { endSessionsOf, type SignedIn } from './sessions.ts';
import { identifierColumns, profileColumns, shownColumns, traitColumns } from './user-columns.ts';

const { id, screen_name, screen_name_folded, password_hash, created_at } = users;
const shown = { id, screen_name, name: users.name, created_at };

const standingColumns = {
  suspended: users.suspended,
  suspended_reason: users.suspended_reason,
  delete_at: users.delete_at,
  stays_suspended: users.stays_suspended,
};

const findUser = statement({ id }, (args) => query.select(shown).from(users).where(eq(id, args.id)).limit(1));
const findProfile = statement({ id }, (args) =>
  query.select(profileColumns).from(users).where(eq(id, args.id)).limit(1),
);
const listUsers = statement({ id, created_at, count: types.int }, ({ count, ...before }) =>
  query
    .select(shown)
    .from(users)
    .where(olderThan(users, before))
    .orderBy(...newestFirst(users))
    .limit(count.placeholder),
);
const findByName = statement({ screen_name_folded }, (args) =>
  query
    .select({ ...shown, password_hash, suspended: users.suspended })
    .from(users)
    .where(eq(screen_name_folded, args.screen_name_folded))
    .limit(1),
);
const listScreenNames = statement({ ids: types.texts }, ({ ids }) =>
  query.select({ id, screen_name }).from(users).where(among(id, ids)),
);
const insertUser = statement(
  { id, screen_name, screen_name_folded, password_hash, created_at, ...profileColumns },
  (user) => query.insert(users).values(user),
  (user) => user.id,
);
const updateShown = statement(
  { id, ...shownColumns },
  ({ id: user_id, ...profile }) => query.update(users).set(profile).where(eq(id, user_id)),
  (user) => user.id,
);
const updateTraits = statement(
  { id, ...traitColumns },
  ({ id: user_id, ...traits }) => query.update(users).set(traits).where(eq(id, user_id)),
  (user) => user.id,
);
const updateIdentifiers = statement(
  { id, ...identifierColumns },
  ({ id: user_id, ...identifiers }) => query.update(users).set(identifiers).where(eq(id, user_id)),
  (user) => user.id,
);
const findIdentifiers = statement({ id }, (args) =>
  query.select(identifierColumns).from(users).where(eq(id, args.id)).limit(1),
);
/** The first people of the platform, in the order in which they joined. */
const listFirst = statement({ count: types.int }, ({ count }) =>
  query
    .select({ id })
    .from(users)
    .where(eq(users.suspended, false))
    .orderBy(sql`${users}.rowid`)
    .limit(count.placeholder),
);
const setFlags = statement(
  { id, ...standingColumns },
  ({ id: user_id, ...standing }) => query.update(users).set(standing).where(eq(id, user_id)),
  (user) => user.id,
);
const deleteUser = statement(
  { id },
  (args) => query.delete(users).where(eq(id, args.id)),
  (user) => user.id,
);
const deleteTokensOf = statement({ user_id: types.text }, ({ user_id }) =>
  query.delete(accessTokens).where(eq(accessTokens.user_id, user_id)),
);
const findStanding = statement({ id }, (args) =>
  query
    .select({
      ...shown,
      ...standingColumns,
      followers_count: users.followers_count,
      following_count: users.following_count,
      post_count: users.post_count,
    })
    .from(users)
    .where(eq(id, args.id))
    .limit(1),
);
const updatePassword = statement(
  { id, password_hash },
  (args) => query.update(users).set({ password_hash: args.password_hash }).where(eq(id, args.id)),
  (user) => user.id,
);

/** A user, how many follow them and the like, and whether they are suspended. */
export interface Standing extends User, StandingFlags {
  readonly followers_count: number;
  readonly following_count: number;
  readonly post_count: number;
}

function readStanding(reader: Reader, user_id: string): Awaitable<Standing | undefined> {
  return isStorable(user_id) ? findStanding.first(reader, { id: user_id }) : undefined;
}

interface Services {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Snowflakes;
  readonly writes: IdentityWrites;
}

export class UserStore {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  /**
   * @param fields with null for a password, the user cannot sign in, unless there is a hash of one
   * @throws NameTakenError when the screen name is taken, in any case of letters.
   */
  async create(
    actor: Actor,
    fields: {
      screen_name: string;
      name: string;
      password: string | null;
      password_hash?: string | undefined;
      traits?: PersonTraits & PersonIdentifiers;
    },
  ): Promise<User> {
    const { password, password_hash = NO_PASSWORD } = fields;
    const hash = password === null ? password_hash : await hashPassword(password);
    const after = {
      id: this.#services.ids.next(),
      screen_name: fields.screen_name,
      name: fields.name,
      created_at: timestamp(this.#services.clock),
    };
    await this.#services.writes.change(actor, async (writer) => {
      await insertUser.run(writer, {
        ...changedProfile(emptyProfile(after.name), fields.traits ?? {}),
        ...after,
        screen_name_folded: after.screen_name.toLowerCase(),
        password_hash: hash,
      });
      return { entity: 'USER', after };
    });
    return after;
  }

  /**
   * Changes a user's profile or password; a new password signs the user out everywhere.
   * @returns the changed user, or `undefined` if it does not exist
   */
  async update(
    actor: Actor,
    user_id: string,
    { password, ...changes }: ProfileChanges & { readonly password?: string | undefined },
  ): Promise<User | undefined> {
    const hash = password === undefined ? undefined : await hashPassword(password);
    let after: User | undefined;
    await this.#services.writes.change(actor, async (writer) => {
      const before = await readUser(writer, user_id);
      const profile = before && (await findProfile.first(writer, { id: user_id }));
      if (!profile) return undefined;
      after = { ...before, name: changes.name ?? before.name };
      const stored = { ...changedProfile(profile, changes), id: user_id };
      await updateShown.run(writer, stored);
      if (differ(Object.keys(traitColumns), profile, stored)) await updateTraits.run(writer, stored);
      const identified = differ(Object.keys(identifierColumns), profile, stored);
      if (identified) await updateIdentifiers.run(writer, stored);
      if (hash !== undefined) {
        await updatePassword.run(writer, { id: user_id, password_hash: hash });
        await endSessionsOf(writer, user_id);
      }
      // The record says that the password or identifiers changed, never what they are or were.
      const { email, phone_numbers, devices, ...recorded } = changes;
      const changed = {
        ...(hash === undefined ? {} : { password_changed: true }),
        ...(identified ? { identifiers_changed: true } : {}),
      };
      return { entity: 'USER', before: { ...before }, after: { ...after, ...recorded, ...changed } };
    });
    return after;
  }

  /**
   * Changes how a user stands on the platform. One who is hidden by it is signed out everywhere.
   * @param change returns how the user stands afterwards
   * @param beside writes what belongs to it, in the same write
   * @param verify throws where nothing may be changed, in the same write
   * @returns the user as they are afterwards, or `undefined` if there is none
   */
  async setStanding(
    actor: Actor,
    user_id: string,
    change: (before: StandingFlags) => StandingFlags,
    beside: (writer: Writer) => Promise<void> = async () => {},
    verify: (writer: Writer) => Promise<void> = async () => {},
  ): Promise<Standing | undefined> {
    await this.#services.writes.change(actor, async (writer) => {
      await verify(writer);
      const before = await readStanding(writer, user_id);
      if (!before) return undefined;
      const { id } = before;
      const was = flagsOf(before);
      const after = flagsOf(change(was));
      if (isUnchanged({ ...was }, after)) return undefined;
      await setFlags.run(writer, { id, ...after });
      if (after.suspended) await endSessionsOf(writer, user_id);
      await beside(writer);
      return { entity: 'USER', before: { id, ...was }, after: { id, ...after } };
    });
    return this.standing(user_id);
  }

  /**
   * Deletes a user with sessions and access tokens; of the changes of the user, ids are left.
   * @param beside deletes what else is held on the user, in the same write
   */
  async delete(actor: Actor, user_id: string, beside: (writer: Writer) => Promise<void>): Promise<void> {
    await this.#services.writes.change(actor, async (writer) => {
      const isDeleted = (await deleteUser.run(writer, { id: user_id })) > 0;
      await endSessionsOf(writer, user_id);
      await deleteTokensOf.run(writer, { user_id });
      await beside(writer);
      if (!isDeleted) return undefined;
      await forgetChanges(writer, 'USER', user_id);
      return { entity: 'USER', before: { deleted: false }, after: { id: user_id, deleted: true } };
    });
  }

  /** The ids of the first people who joined and are not suspended, in that order. */
  async firstToJoin(count: number): Promise<string[]> {
    const found = await listFirst.all(this.#services.database, { count });
    return found.map((user) => user.id);
  }

  /** How a user stands on the platform; `undefined` if there is none. @param reader a write whose changes count already */
  standing(user_id: string, reader: Reader = this.#services.database): Awaitable<Standing | undefined> {
    return readStanding(reader, user_id);
  }

  /** Returns whether changes would alter the profile of a user. */
  async differs(user_id: string, changes: ProfileChanges): Promise<boolean> {
    const before = await findProfile.first(this.#services.database, { id: user_id });
    if (!before) return true;
    return differ(Object.keys(profileColumns), before, changedProfile(before, changes));
  }

  /** The user with an id. */
  get(user_id: string): Promise<User | undefined> {
    return readUser(this.#services.database, user_id);
  }

  /** The identifiers that a user gave, normalized; none for a user that does not exist. */
  async identifiers(user_id: string): Promise<PersonIdentifiers> {
    const { email, phone_numbers, devices } =
      (await findIdentifiers.first(this.#services.database, { id: user_id })) ?? {};
    return { email, phone_numbers: phone_numbers ?? [], devices: devices ?? [] };
  }

  /** The names of users by their ids; users that do not exist are left out. */
  screenNames(ids: readonly string[]): Awaitable<ReadonlyMap<string, string>> {
    return chain(
      listScreenNames.all(this.#services.database, { ids }),
      (found) => new Map(found.map((user) => [user.id, user.screen_name])),
    );
  }

  /** The newest users first. @param before those that come after this one in the order */
  list(count: number, { id, created_at }: Made = NEWEST): Awaitable<User[]> {
    return listUsers.all(this.#services.database, { id, created_at, count });
  }

  /** The user with a screen name, in any case of letters. */
  async byName(name: string): Promise<User | undefined> {
    const found = await findByName.first(this.#services.database, { screen_name_folded: name.toLowerCase() });
    if (!found) return undefined;
    const { password_hash: _, suspended: __, ...user } = found;
    return user;
  }

  /** Returns the person with this screen name (case-insensitive) and password. Takes as long when there is no such person. */
  async verify(name: string, password: string): Promise<(SignedIn & { readonly suspended: boolean }) | undefined> {
    const storable = isStorable(name) && isStorable(password);
    const user = await findByName.first(this.#services.database, {
      screen_name_folded: storable ? name.toLowerCase() : '',
    });
    const right = await verifyPassword(user?.password_hash, password);
    if (!right || !user) return undefined;
    return { user_id: user.id, screen_name: user.screen_name, name: user.name, suspended: user.suspended };
  }
}

function differ(names: readonly string[], before: object, after: object): boolean {
  const textOf = (row: object, name: string) => JSON.stringify(Reflect.get(row, name));
  return names.some((name) => textOf(before, name) !== textOf(after, name));
}

function flagsOf({ suspended, suspended_reason, delete_at, stays_suspended }: StandingFlags): StandingFlags {
  return { suspended, suspended_reason, delete_at, stays_suspended };
}

/** The user with an id. */
export async function readUser(reader: Reader, user_id: string): Promise<User | undefined> {
  return isStorable(user_id) ? findUser.first(reader, { id: user_id }) : undefined;
}

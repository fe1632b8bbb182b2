/** People who are signed in with their browser. Stored are hashes; times follow the wall clock, as cookies do. */
import { and, count, eq, getTableColumns, gt, lte } from 'drizzle-orm';
import type { Database, Writer } from '../db/database.ts';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import type { Clock } from '../world/clock.ts';
import type { Random } from '../world/random.ts';
import { tokenHash } from '../world/secrets.ts';
import { credentialText } from './credential-text.ts';
import { sessions, users } from './platform-table.ts';

/** A person who is signed in. */
export interface SignedIn {
  readonly user_id: string;
  readonly screen_name: string;
  readonly name: string;
}

/** Lifetime of a session. */
export const SESSION_MS = 14 * 86_400_000;

const { id_hash, user_id, expires_ms } = sessions;

const deleteExpired = statement({ now: expires_ms }, ({ now }) => query.delete(sessions).where(lte(expires_ms, now)));
const insertSession = statement(getTableColumns(sessions), (session) => query.insert(sessions).values(session));
const findSignedIn = statement({ id_hash, now: expires_ms }, ({ id_hash: hash, now }) =>
  query
    .select({ user_id: users.id, screen_name: users.screen_name, name: users.name })
    .from(sessions)
    .innerJoin(users, eq(users.id, user_id))
    .where(and(eq(id_hash, hash), gt(expires_ms, now)))
    .limit(1),
);
const countSessions = statement({ user_id, now: expires_ms }, (args) =>
  query
    .select({ sessions: count() })
    .from(sessions)
    .where(and(eq(user_id, args.user_id), gt(expires_ms, args.now)))
    .limit(1),
);
const deleteSession = statement({ id_hash }, (args) => query.delete(sessions).where(eq(id_hash, args.id_hash)));
const deleteSessionsOf = statement({ user_id }, (args) => query.delete(sessions).where(eq(user_id, args.user_id)));

interface Services {
  readonly database: Database;
  readonly wallClock: Clock;
  readonly random: Random;
  /** Session ids begin with it; nothing by default. */
  readonly prefix?: string | undefined;
}

export class Sessions {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  /** Signs a person in. @returns the session id for the browser: always new, to prevent session fixation */
  async begin(user_id: string): Promise<string> {
    const { random, prefix = '' } = this.#services;
    const id = credentialText(random, 43, prefix);
    const now = this.#services.wallClock.now();
    await this.#services.database.write(async (writer) => {
      await deleteExpired.run(writer, { now });
      await insertSession.run(writer, {
        id_hash: tokenHash(id),
        user_id,
        created_ms: now,
        expires_ms: now + SESSION_MS,
      });
    });
    return id;
  }

  /** Returns the signed-in user of a session id; `undefined` if there is none. */
  async find(id: string): Promise<SignedIn | undefined> {
    const { database, wallClock } = this.#services;
    return findSignedIn.first(database, { id_hash: tokenHash(id), now: wallClock.now() });
  }

  /** Returns in how many browsers a person is signed in. */
  async count(user_id: string): Promise<number> {
    const { database, wallClock } = this.#services;
    return (await countSessions.first(database, { user_id, now: wallClock.now() }))?.sessions ?? 0;
  }

  /** Signs a person out in all browsers. @returns in how many they were signed in */
  async endAll(person: string): Promise<number> {
    const ended = await this.count(person);
    await this.#services.database.write((writer) => endSessionsOf(writer, person));
    return ended;
  }

  /** Signs a person out in one browser. */
  async end(id: string): Promise<void> {
    await this.#services.database.write((writer) => deleteSession.run(writer, { id_hash: tokenHash(id) }));
  }
}

/** Signs a person out everywhere, in a write that is under way. */
export async function endSessionsOf(writer: Writer, user_id: string): Promise<void> {
  await deleteSessionsOf.run(writer, { user_id });
}

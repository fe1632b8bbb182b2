/** A platform's store with an audience index, reopened for each test of a file that uses this. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AudienceQuery, Trait } from '@broadside/core/resources/audience-estimate';
import { afterEach, beforeEach } from 'vitest';
import type { Arg, Database } from '../../db/database.ts';
import { migrate } from '../../db/migrate.ts';
import { openDatabase } from '../../db/open-database.ts';
import { temporaryDirectory } from '../../db/testing/temporary.ts';
import { packageFile } from '../../package-file.ts';
import { ManualClock } from '../../world/clock.ts';
import { snowflakeAt } from '../../world/ids.ts';
import { AudienceStore } from '../audience-store.ts';
import { SyntheticMembers } from './synthetic-members.ts';

/** The time of every test's world. */
export const NOW = Date.UTC(2026, 2, 1, 12);
export const DAY_MS = 86_400_000;

export let database: Database;
export let clock: ManualClock;
export let audience: AudienceStore;
export let members: SyntheticMembers;
let serial: number;

/** Opens a store and an index for each test of a file. */
export function useAudienceWorld(): void {
  beforeEach(open);
  afterEach(async () => {
    await audience.close();
    await database.close();
  });
}

async function open(): Promise<void> {
  database = await openDatabase(pathToFileURL(path.join(temporaryDirectory(), 'platform.db')).href);
  await migrate(database, packageFile('drizzle/platform'), new Date(NOW));
  clock = new ManualClock(NOW);
  members = new SyntheticMembers();
  reopenAudience();
  serial = 0;
}

/** Runs a statement in a write. */
export const run = (sql: string, args: readonly Arg[] = []) => database.write((writer) => writer.run(sql, args));

/** The columns by which people are counted. */
export const traitColumns = [
  'country',
  'place',
  'birth_date',
  'gender',
  'languages',
  'platforms',
  'interests',
] as const;
export type Known = { readonly [Name in (typeof traitColumns)[number]]?: Arg | undefined };

/** Ids beyond what a double holds. */
export const personId = (person: number) => `${snowflakeAt(NOW, BigInt(person))}`;

export async function addPerson(known: Known = {}): Promise<number> {
  const person = serial++;
  await run(
    `INSERT INTO users (id, screen_name, screen_name_folded, name, password_hash, created_at, ${traitColumns.join(', ')})
     VALUES (?, ?, ?, 'Name', '', '2026-01-01T00:00:00Z', ?, ?, ?, ?, ?, ?, ?)`,
    [personId(person), `p${person}`, `p${person}`, ...traitColumns.map((name) => known[name] ?? null)],
  );
  return person;
}

export interface Wording {
  readonly text: string;
  readonly days_ago?: number;
  readonly reposted?: boolean;
  readonly nullcast?: boolean;
}

export async function addPost(author: number, { text, days_ago = 0, reposted = false, nullcast = false }: Wording) {
  const created = clock.now() - days_ago * DAY_MS;
  const id = snowflakeAt(created, BigInt(100_000 + serial++));
  await run(
    `INSERT INTO posts (id, author_id, created_ms, text, lang, source, conversation_id, possibly_sensitive, reply_settings,
       nullcast, reposted_id) VALUES (?, ?, ?, ?, 'en', 'Test', ?, 0, 'everyone', ?, ?)`,
    [id, BigInt(personId(author)), created, text, id, nullcast, reposted ? 1 : null],
  );
  return id;
}

/** Opens the store again, as after a restart. */
export function reopenAudience(): void {
  audience = new AudienceStore({ database, clock, members, key: 'the key of the platform' });
}

export const everybody: AudienceQuery = { all: [], none: [] };
export const ask = (...traits: readonly Trait[]): AudienceQuery => ({ all: [traits], none: [] });
export const wrote = (...groups: readonly (readonly string[])[]): Trait => ({ kind: 'wrote', groups });

/** Skips numbers of people and posts: this many that a test has written by itself. */
export function skipNumbers(count: number): void {
  serial += count;
}

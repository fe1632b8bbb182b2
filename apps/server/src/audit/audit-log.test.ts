import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type AuditEntry, auditLogs } from '@broadside/core/resources/operator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordChange } from '../db/change-log.ts';
import type { Database } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { openDatabase } from '../db/open-database.ts';
import { packageFile } from '../package-file.ts';
import { AuditLog, type AuditQuery } from './audit-log.ts';
import { findSeqAt, ways } from './log-statements.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 0, 15, 8);
const timeOf = (hour: number) => new Date(START + hour * HOUR).toISOString().replace('.000Z', 'Z');

const databases: Record<string, Database> = {};
let log: AuditLog;
/** All changes, as they were made. */
const made: Omit<AuditEntry, 'id' | 'changes' | 'entity_data'>[] = [];

const directory = mkdtempSync(path.join(tmpdir(), 'broadside-audit-'));

afterAll(async () => {
  for (const database of Object.values(databases)) await database.close();
  rmSync(directory, { recursive: true });
});

beforeAll(async () => {
  for (const name of auditLogs) {
    const database = await openDatabase(path.join(directory, `${name}.db`));
    await migrate(database, packageFile(`drizzle/${name === 'platform' ? 'platform' : 'ads'}`), new Date(0));
    databases[name] = database;
  }
  const [platform, production, sandbox] = auditLogs.map((name) => databases[name]);
  if (!platform || !production || !sandbox) throw new TypeError('a log is missing');
  log = new AuditLog({ platform, production, sandbox });
  const users = ['11', '12', null] as const;
  for (let i = 0; i < 300; i++) {
    const name = auditLogs[i % 7 === 0 ? 0 : i % 3 === 0 ? 1 : 2] ?? 'platform';
    const user_id = users[i % 5] ?? null;
    const entry = {
      log: name,
      change_time: timeOf(Math.floor(i / 4)),
      change_by_user_id: user_id,
      change_by_platform: user_id === null ? (i % 2 === 0 ? 'OPERATOR' : 'SERVER') : 'API_OTHER',
      change_type: i % 4 === 0 ? 'CREATE' : 'UPDATE',
      entity: i % 6 < 4 ? 'CAMPAIGN' : 'USER',
      entity_id: `e${i % 9}`,
      account_id: name === 'platform' ? null : `a${i % 4}`,
    } as const;
    made.push(entry);
    const { entity, entity_id, account_id, change_type } = entry;
    const before = change_type === 'CREATE' ? undefined : { name: 'one' };
    const actor = { user_id, platform: entry.change_by_platform };
    const change = { account_id, entity, entity_id, before, after: { name: `two ${i}` } } as const;
    await databases[name]?.write(async (writer) => {
      await recordChange(writer, actor, entry.change_time, change);
    });
  }
});

async function readAll(asked: Omit<AuditQuery, 'count'>, count: number): Promise<AuditEntry[]> {
  const found: AuditEntry[] = [];
  let cursor: string | undefined;
  do {
    const page = await log.list({ ...asked, count, cursor });
    if (!page) throw new TypeError('the cursor was rejected');
    expect(page.data.length).toBeLessThanOrEqual(count);
    found.push(...page.data);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}

describe('the change logs', () => {
  test('are read from given changes on, each from its own', async () => {
    const all = await readAll({}, 300);
    const newest = auditLogs.slice(0, 2).map((name) => all.filter((entry) => entry.log === name).slice(0, 6));
    const after = [...newest.flatMap((entries) => entries.at(-1)?.id ?? []), 'production/nosuch-1'];
    const others = all.filter((entry) => entry.log === auditLogs[2]);
    const expected = new Set([...newest.flatMap((entries) => entries.slice(0, 5)), ...others]);
    expect(await readAll({ after }, 7)).toEqual(all.filter((entry) => expected.has(entry)));
    expect((await readAll({ after, log: 'platform' }, 7)).map(({ id }) => id)).toEqual(
      newest[0]?.slice(0, 5).map(({ id }) => id),
    );
  });

  test.each<[string, Omit<AuditQuery, 'count'>, (entry: (typeof made)[number]) => boolean]>([
    ['everything', {}, () => true],
    ['a log', { log: 'production' }, (entry) => entry.log === 'production'],
    ['a user', { user_id: '12' }, (entry) => entry.change_by_user_id === '12'],
    ['the operator', { platform: 'OPERATOR' }, (entry) => entry.change_by_platform === 'OPERATOR'],
    ['a client', { platform: 'API_OTHER' }, (entry) => entry.change_by_platform === 'API_OTHER'],
    ['an account', { account_id: 'a1' }, (entry) => entry.account_id === 'a1'],
    ['a kind of entity', { entity: 'USER' }, (entry) => entry.entity === 'USER'],
    ['an entity', { entity: 'USER', entity_id: 'e4' }, (one) => one.entity === 'USER' && one.entity_id === 'e4'],
    ['a kind of change', { change_type: 'CREATE' }, (entry) => entry.change_type === 'CREATE'],
    [
      'a time',
      { start_time: timeOf(20), end_time: timeOf(40) },
      ({ change_time }) => change_time >= timeOf(20) && change_time < timeOf(40),
    ],
    [
      'all of these together',
      { user_id: '11', account_id: 'a2', entity: 'CAMPAIGN', change_type: 'UPDATE', start_time: timeOf(5) },
      (one) =>
        one.change_by_user_id === '11' &&
        one.account_id === 'a2' &&
        one.entity === 'CAMPAIGN' &&
        one.change_type === 'UPDATE' &&
        one.change_time >= timeOf(5),
    ],
    ['nobody', { user_id: '99' }, () => false],
  ])('are read by %s, the newest first, each change once', async (_, asked, matches) => {
    const expected = made.filter(matches);
    for (const count of [7, 1000]) {
      const found = await readAll(asked, count);
      expect(found.map(({ change_time }) => change_time)).toEqual(expected.map((one) => one.change_time).reverse());
      const texts = found.map(({ id: _id, changes: _changes, entity_data: _data, ...entry }) => JSON.stringify(entry));
      expect(texts.sort()).toEqual(expected.map((entry) => JSON.stringify(inOrder(entry))).sort());
      expect(new Set(found.map(({ id }) => id)).size).toBe(expected.length);
    }
  });

  test('take no cursor of another list', async () => {
    expect(await log.list({ count: 1, cursor: 'none' })).toBeUndefined();
  });

  test('are searched by an index for each filter, and never sorted', async () => {
    const plans: Record<string, string> = {};
    for (const [name, { list, end }] of Object.entries({ ...ways })) {
      for (const { compiled } of [list, end]) {
        const nothing = compiled.text.match(/\?/g)?.map(() => null);
        const rows = await databases['production']?.query(`EXPLAIN QUERY PLAN ${compiled.text}`, nothing);
        plans[name] = `${plans[name] ?? ''}${rows?.map((row) => String(row.at(-1))).join('; ')}; `;
      }
    }
    expect(plans['entity']).toContain('USING INDEX change_log_entity (entity=? AND entity_id=?');
    expect(plans['user']).toContain('INDEX change_log_user (change_by_user_id=?');
    expect(plans['account']).toContain('INDEX change_log_account (account_id=?');
    expect(plans['platform']).toContain('INDEX change_log_platform (change_by_platform=?');
    expect(plans['all']).toContain('USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)');
    expect(Object.values(plans).join()).not.toContain('TEMP B-TREE');
    expect(findSeqAt.compiled.text).toContain('LIMIT 1');
  });
});

/** The members of an entry in the order in which they are read. */
function inOrder(entry: (typeof made)[number]) {
  const { account_id, entity, entity_id, change_type, change_time, change_by_user_id, change_by_platform } = entry;
  return {
    account_id,
    entity,
    entity_id,
    change_type,
    change_time,
    change_by_user_id,
    change_by_platform,
    log: entry.log,
  };
}

/** A replica of a store is told from its primary, and rejected: what it answers can be older than an acknowledged write. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Sqld, sqldMissing, startSqld } from '@broadside/test-servers/sqld';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../database.ts';
import { openRemote } from './open-remote.ts';

const missing = sqldMissing();
if (missing !== undefined) console.warn(`tests of replicas are left out: ${missing}`);

describe.skipIf(missing !== undefined)('a store with a replica', () => {
  const directory = mkdtempSync(join(tmpdir(), 'broadside-replica-'));
  let primary: Sqld;
  let replica: Sqld;

  beforeAll(async () => {
    primary = await startSqld({ directory: join(directory, 'primary'), isReplicated: true });
    replica = await startSqld({ directory: join(directory, 'replica'), primary });
  });
  afterAll(async () => {
    await replica.close();
    await primary.close();
    rmSync(directory, { recursive: true, force: true });
  });

  it('is not opened at the replica, which is said in one line with the way out', async () => {
    await expect(openRemote(replica.url, { setting: 'BROADSIDE_DATABASE_URL' })).rejects.toThrow(
      /BROADSIDE_DATABASE_URL.*it is a replica, whose answers can be older than what was acknowledged; name the primary instead[^\n]*$/,
    );
  });

  it('is opened at the primary, whose connections keep their settings', async () => {
    const database = new Database(await openRemote(primary.url, {}));
    expect(await database.query('PRAGMA foreign_keys')).toEqual([[1n]]);
    await database.close();
  });
});

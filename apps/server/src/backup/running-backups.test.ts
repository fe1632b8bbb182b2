import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../db/testing/temporary.ts';
import { BackupUnderWayError, RunningBackups } from './running-backups.ts';

test('one backup is made at a time, and one that fails says why', async () => {
  const dataDirectory = temporaryDirectory();
  const failures: unknown[] = [];
  const backups = new RunningBackups({
    dataDirectory,
    settings: { url: undefined, credentials: undefined, passphrase: undefined },
    host: () => {
      throw new Error('there are no worlds');
    },
    now: () => 0,
    token: undefined,
    failed: (error) => failures.push(error),
  });
  const order = { to: path.join(dataDirectory, 'backups'), worlds: false, snapshots: false };
  expect(() => backups.begin({ ...order, to: undefined })).toThrow('or set BROADSIDE_BACKUP_URL');
  expect(backups.begin(order).outcome).toEqual({ state: 'RUNNING' });
  expect(() => backups.begin(order)).toThrow(BackupUnderWayError);
  await backups.close();
  expect(backups.get(1)?.outcome).toEqual({ state: 'FAILED', reason: 'there are no worlds' });
  expect(failures).toHaveLength(1);
  expect(backups.get(2)).toBeUndefined();
  expect(existsSync(path.join(dataDirectory, 'exports'))).toBe(false);
  // And then the next one.
  expect(backups.begin(order).number).toBe(2);
  await backups.close();
});

/** The store of a platform that is restored: what it says of servers from before. */
import path from 'node:path';
import { expect, test } from 'vitest';
import { migrate } from '../db/migrate.ts';
import { openDatabase } from '../db/open-database.ts';
import { temporaryDirectory } from '../db/testing/temporary.ts';
import { packageFile } from '../package-file.ts';
import { movePlatform } from './moved-platform.ts';
import { directoryId } from './place.ts';

test('no server or worker of before is known, media and members are where they were restored, and ids stay taken', async () => {
  const root = temporaryDirectory();
  const file = path.join(root, 'platform.db');
  const before = await openDatabase(file);
  await migrate(before, packageFile('drizzle/platform'), new Date(0));
  const facts = ['media', 'members', 'members KEEPER', 'members.address', 'members.address KEEPER', 'worker W', 'demo'];
  await before.write(async (writer) => {
    const server = ['an id', 'a place', 'a host', 'a time'];
    await writer.run(
      'INSERT INTO servers (worker, id, place, host, started_at, pid, serves, shares, lease_until_ms, ids_until_ms) VALUES (3, ?, ?, ?, ?, 1, 1, 1, 9000000000000, 77)',
      server,
    );
    await writer.run("INSERT INTO leases (name, owner, until_ms) VALUES ('members', 'an id', 9000000000000)");
    for (const name of facts) await writer.run('INSERT INTO platform_facts (name, value) VALUES (?, ?)', [name, 'old']);
  });
  await before.close();
  const [dataDirectory, media] = [path.join(root, 'data'), path.join(root, 'media')];
  await movePlatform(file, { dataDirectory, media: { directory: media, isShared: true } });
  const after = await openDatabase(file);
  expect(await after.query('SELECT worker, lease_until_ms, ids_until_ms FROM servers')).toEqual([[3n, 0n, 77n]]);
  expect(await after.query('SELECT 1 FROM leases')).toEqual([]);
  const left = await after.query('SELECT name, value FROM platform_facts ORDER BY name');
  await after.close();
  expect(left).toEqual([
    ['demo', 'old'],
    ['media', expect.stringContaining(directoryId(media))],
    ['members', expect.stringContaining(directoryId(dataDirectory))],
    ['members KEEPER', 'old'],
  ]);
});

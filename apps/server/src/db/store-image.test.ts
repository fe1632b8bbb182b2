/** Images of stores beside another process that checkpoints them. */
import { copyFileSync, readFileSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { NativeConnection } from './native-connection.ts';
import { openDatabase } from './open-database.ts';
import type { StoreImage } from './store-image.ts';
import { temporaryDirectory } from './testing/temporary.ts';

test.each([
  ['with commits in the log', false],
  ['with all commits in the file', true],
])('what another process checkpoints does not change an image %s', async (_, isWhole) => {
  const directory = temporaryDirectory();
  const file = path.join(directory, 'one.db');
  const database = await openDatabase(file);
  onTestFinished(() => database.close());
  const other = new NativeConnection(file, ['PRAGMA busy_timeout = 0']);
  onTestFinished(() => other.close());
  const checkpoint = () => {
    for (const mode of ['PASSIVE', 'RESTART', 'TRUNCATE']) other.script(`PRAGMA wal_checkpoint(${mode})`);
  };
  const insert = async (count: number) => {
    for (let i = 0; i < count; i++)
      await database.write((writer) => writer.change('INSERT INTO t VALUES (zeroblob(3000))'));
  };
  await database.applyMigration([{ sql: 'CREATE TABLE t (bytes BLOB NOT NULL)' }]);
  await insert(20);
  if (isWhole) checkpoint();
  let image: StoreImage | undefined;
  await database.write(() => {
    image = database.image();
  });
  checkpoint();
  await insert(200);
  checkpoint();
  await insert(5);
  checkpoint();
  const copy = path.join(directory, 'copy.db');
  for (const [part, to] of [
    [image?.main, copy],
    [image?.wal, `${copy}-wal`],
  ] as const) {
    if (!part) continue;
    copyFileSync(part.path, to);
    truncateSync(to, part.bytes);
  }
  image?.release();
  const copied = await openDatabase(copy);
  onTestFinished(() => copied.close());
  expect(await copied.query('PRAGMA integrity_check')).toEqual([['ok']]);
  expect(await copied.query('SELECT count(*) FROM t')).toEqual([[20n]]);
  // And the store goes on, checkpoints too.
  await insert(5);
  checkpoint();
  expect(await database.query('SELECT count(*) FROM t')).toEqual([[230n]]);
  expect(readFileSync(file).length).toBeGreaterThan(230 * 3000);
});

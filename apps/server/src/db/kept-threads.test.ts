import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { Database } from './database.ts';
import { openNativeClient } from './native-client.ts';
import type { KeptReaderReport, KeptReaderStart } from './testing/kept-reader.ts';
import { temporaryDirectory } from './testing/temporary.ts';

const PAIRS = 4;
const WRITES = 600;

test('two threads that keep rows never read what an acknowledged write has outdated, nor an older state after a newer one', async () => {
  const path = join(temporaryDirectory(), 'birds.db');
  const database = new Database(openNativeClient({ path }));
  await database.applyMigration([
    { sql: 'CREATE TABLE birds (id TEXT PRIMARY KEY, version INTEGER NOT NULL)' },
    ...Array.from({ length: PAIRS }, (_, n) => ({ sql: `INSERT INTO birds VALUES ('${n}a', 0), ('${n}b', 0)` })),
  ]);
  const acknowledged = new SharedArrayBuffer(4 * (PAIRS + 1));
  const words = new Int32Array(acknowledged);
  const start: KeptReaderStart = { path, generations: database.generations.buffer, acknowledged, pairs: PAIRS };
  const readers = [0, 1].map(
    () => new Worker(new URL('./testing/kept-reader.ts', import.meta.url), { workerData: start }),
  );
  await Promise.all(readers.map((reader) => once(reader, 'message')));
  let satisfied = 0;
  for (const reader of readers) reader.once('message', () => satisfied++);
  for (let version = 1; version <= WRITES || satisfied < readers.length; version++) {
    const pair = version % PAIRS;
    await database.write(async (tx) => {
      for (const half of ['a', 'b']) {
        const id = `${pair}${half}`;
        await tx.run('UPDATE birds SET version = ? WHERE id = ?', [version, id], { scope: 's', id });
      }
    });
    Atomics.store(words, pair, version);
    // Now and then there is time to keep something.
    if (version % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 2));
  }
  const reported = Promise.all(readers.map(async (reader) => (await once(reader, 'message')) as [KeptReaderReport]));
  Atomics.store(words, PAIRS, 1);
  const reports = await reported;
  for (const [{ stale, back, torn, kept, reads }] of reports) {
    expect({ stale, back, torn }).toEqual({ stale: 0, back: 0, torn: 0 });
    expect(kept).toBeGreaterThan(0);
    // Some were outdated.
    expect(reads - kept).toBeGreaterThan(10);
  }
  await database.close();
});

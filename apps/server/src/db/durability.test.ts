import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openDatabase } from './open-database.ts';
import { startChild } from './testing/child.ts';
import { temporaryDirectory } from './testing/temporary.ts';

const rounds = Number(process.env.BROADSIDE_CRASH_ROUNDS ?? 3);

it(`kill -9 under write load: nothing acknowledged is lost, nothing is half applied (${rounds} rounds)`, async () => {
  const path = join(temporaryDirectory(), 'store.db');
  const setup = await openDatabase(path);
  await setup.write(async (tx) => {
    await tx.run('CREATE TABLE entries (key TEXT PRIMARY KEY, body TEXT NOT NULL)');
    await tx.run('CREATE TABLE details (key TEXT PRIMARY KEY REFERENCES entries (key))');
    await tx.run('CREATE TABLE totals (entries INTEGER NOT NULL)');
    await tx.run('INSERT INTO totals VALUES (0)');
  });
  await setup.close();
  const acknowledged: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const child = startChild('./crash-writer.ts', [path, `r${round}`]);
    // Long enough for the first checkpoints in some rounds, hardly begun in others.
    const [killAfter = 1] = fc.sample(fc.integer({ min: 1, max: 3000 }), 1);
    let seen = 0;
    for await (const key of child.lines) {
      acknowledged.push(key);
      if (++seen === killAfter) child.kill();
    }
    expect(await child.ended).toEqual({ code: null, stderr: '' });
    expect(seen).toBeGreaterThanOrEqual(killAfter);

    const database = await openDatabase(path);
    const keys = await database.query('SELECT key FROM entries');
    const stored = new Set(keys.map((row) => row[0]));
    expect(acknowledged.filter((key) => !stored.has(key))).toEqual([]);
    const details = await database.query('SELECT count(*) FROM details JOIN entries USING (key)');
    const totals = await database.query('SELECT entries FROM totals');
    expect([details, totals]).toEqual([[[BigInt(stored.size)]], [[BigInt(stored.size)]]]);
    expect(await database.query('PRAGMA integrity_check')).toEqual([['ok']]);
    expect(await database.query('PRAGMA foreign_key_check')).toEqual([]);
    await database.close();
  }
});

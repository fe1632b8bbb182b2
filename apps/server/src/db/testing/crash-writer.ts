/**
 * Child of the durability test: writes as fast as it can until it is killed, and prints each key once it is acknowledged.
 * Arguments: the database file, a prefix for the keys.
 */
import { writeSync } from 'node:fs';
import { openDatabase } from '../open-database.ts';

const [path = '', prefix = ''] = process.argv.slice(2);
const database = await openDatabase(path);

async function writeForever(lane: number): Promise<never> {
  for (let i = 0; ; i++) {
    const key = `${prefix}-${lane}-${i}`;
    await database.write(async (tx) => {
      await tx.run('INSERT INTO entries (key, body) VALUES (?, ?)', [key, key.repeat(40)]);
      await tx.run('INSERT INTO details (key) VALUES (?)', [key]);
      await tx.run('UPDATE totals SET entries = entries + 1');
    });
    writeSync(1, `${key}\n`);
  }
}

// Several lanes, so that commits are shared.
await Promise.all([0, 1, 2, 3, 4, 5].map(writeForever));

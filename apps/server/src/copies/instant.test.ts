/** The instant of a copy where stores are on libSQL servers: nobody else writes there, or there is no instant. */
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { WriteAbortedError } from '../db/errors.ts';
import { openDatabase } from '../db/open-database.ts';
import { startSqlServer } from '../db/testing/sql-server.ts';
import { temporaryDirectory } from '../db/testing/temporary.ts';
import { atInstant } from './instant.ts';

/** A store on a server as one process has it open, and as another one has. */
async function opened(directory: string, name: string) {
  const server = await startSqlServer({ path: path.join(directory, `${name}.db`) });
  const [own, other] = [await openDatabase(server.url), await openDatabase(server.url)];
  await own.applyMigration([{ sql: 'CREATE TABLE written (id INTEGER PRIMARY KEY)' }]);
  onTestFinished(async () => {
    await own.close();
    await other.close();
    await server.close();
  });
  return { own, other, expire: () => server.expireStreams() };
}

async function storesOf() {
  const directory = temporaryDirectory();
  const open = (name: string) => opened(directory, name);
  const [platform, production, sandbox] = [await open('platform'), await open('production'), await open('sandbox')];
  const shard = await open('east');
  const databases = { platform: platform.own, production: production.own, sandbox: sandbox.own };
  const write = () => shard.other.write((writer) => writer.run('INSERT INTO written DEFAULT VALUES'));
  const count = async () => Number((await shard.other.query('SELECT count(*) FROM written LIMIT 1'))[0]?.[0]);
  return { databases, shards: [shard.own], write, count, expire: shard.expire };
}

test('another server writes no store of the platform until the instant is over', async () => {
  const { databases, shards, write, count } = await storesOf();
  let writing: Promise<unknown> = Promise.resolve();
  const seen = await atInstant(
    databases,
    async () => {
      writing = write();
      // Far more round trips than the write would take.
      for (let i = 0; i < 50; i += 1) await count();
      return count();
    },
    shards,
  );
  expect(seen).toBe(0);
  await writing;
  expect(await count()).toBe(1);
});

test('there is no instant where a server has given the turn to another one in between', async () => {
  const { databases, shards, write, expire, count } = await storesOf();
  const body = async () => {
    expire();
    await write();
  };
  await expect(atInstant(databases, body, shards)).rejects.toThrow(WriteAbortedError);
  expect(await count()).toBe(1);
});

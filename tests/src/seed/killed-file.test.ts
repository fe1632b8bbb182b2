/** A file that is seeded when the process is killed is there as a whole afterwards, or not at all. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { World } from '@broadside/server';
import { expect, onTestFinished, test } from 'vitest';
import { commandArguments } from '../../../apps/cli/src/testing/command.ts';
import { packageArguments } from '../support/package-arguments.ts';
import { ServerProcess } from '../support/server-process.ts';

const POSTS = 1500;

function temporary(): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'broadside-killed-file-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** People, posts, and an account in each environment. */
function fileIn(directory: string): string {
  const users = [{ screen_name: 'writer_1' }, { screen_name: 'reader_1' }];
  const posts = Array.from({ length: POSTS }, (_, i) => ({
    author: 'writer_1',
    text: `Number ${i}`,
    likes: ['reader_1'],
  }));
  const accounts = ['sandbox', 'production'].map((environment) => ({
    environment,
    name: 'Writers',
    owner: 'writer_1',
    custom_audiences: [{ name: 'Dealers' }],
  }));
  const file = path.join(directory, 'seed.json');
  writeFileSync(file, JSON.stringify({ users, posts, accounts }));
  return file;
}

function run(...words: readonly string[]) {
  return spawn(process.execPath, [...packageArguments, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** What there is of the file: users, posts, likes, accounts and audiences of both environments. */
async function countsOf(dataDirectory: string): Promise<number[]> {
  const world = await World.open({ dataDirectory });
  const count = async (reader: Pick<typeof world.seeds.reader, 'query'>, sql: string) =>
    Number((await reader.query(`SELECT count(*) FROM ${sql}`))[0]?.[0]);
  const counts = [
    await count(world.seeds.reader, `"users" WHERE "screen_name" IN ('writer_1', 'reader_1')`),
    await count(world.seeds.reader, `"posts" WHERE "text" LIKE 'Number %'`),
    await count(
      world.seeds.reader,
      `"likes" WHERE "user_id" = (SELECT "id" FROM "users" WHERE "screen_name" = 'reader_1')`,
    ),
    ...(await Promise.all(
      [world.ads.sandbox, world.ads.production].flatMap(({ database }) => [
        count(database, `"accounts" WHERE "name" = 'Writers'`),
        count(database, `"custom_audiences" WHERE "name" = 'Dealers'`),
      ]),
    )),
  ];
  await world.close();
  return counts;
}

const nothing = [0, 0, 0, 0, 0, 0, 0];
const everything = [2, POSTS, POSTS, 1, 1, 1, 1];

test('killed between the commits of two stores, it is completed with the next start', async () => {
  const directory = temporary();
  const data = path.join(directory, 'data');
  const script = path.join(import.meta.dirname, 'kill-between-stores.ts');
  const [, signal] = await once(run(script, data, fileIn(directory)), 'close');
  expect(signal).toBe('SIGKILL');
  expect(await countsOf(data)).toEqual(everything);
});

test('a server that is killed while it seeds has nothing of the file afterwards, or all of it, and seeds it then', async () => {
  const directory = temporary();
  const data = path.join(directory, 'data');
  const file = fileIn(directory);
  const seed = () => run(...commandArguments, 'seed', file, '--quiet', '--data-dir', data);
  const server = await ServerProcess.start(data);
  const first = seed();
  const ended = once(first, 'close');
  // Its pages are being written.
  await expect.poll(async () => (await fetch(`${server.credentials.base_url}/ready`)).status).toBe(200);
  await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 2500))]);
  await server.end('SIGKILL');
  const [code] = await ended;
  const counts = await countsOf(data);
  expect([nothing, everything]).toContainEqual(counts);
  if (code === 0) expect(counts).toEqual(everything);

  const [again] = await once(seed(), 'close');
  expect(again).toBe(0);
  expect(await countsOf(data)).toEqual(everything);
});

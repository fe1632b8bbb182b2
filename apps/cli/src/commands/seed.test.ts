import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { World } from '@broadside/server';
import { expect, onTestFinished, test } from 'vitest';
import { type Outside, runCli } from '../testing/run-cli.ts';

const example = path.join(import.meta.dirname, '../../../../docs/examples/seed.yaml');

function temporary(): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'broadside-cli-seed-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

async function seed(line: string, outside: Outside & { readonly directory?: string } = {}) {
  const { directory = temporary(), ...rest } = outside;
  const outcome = await runCli(`seed ${line}`, { cwd: directory, ...rest });
  return { ...outcome, directory };
}

const jsonOf = ({ stdout }: { readonly stdout: string }): unknown => JSON.parse(stdout);

test('a world is generated into the data directory, with lines of progress and a summary', async () => {
  const { code, stdout, stderr, directory } = await seed('--users 20 --posts 100 --seed spring');
  expect(code).toBe(0);
  expect(stderr).toMatch(/^0 %\n(\d+ %, \d+ s left\n)*100 %\n$/);
  expect(stdout).toMatch(/^users +20\nfollows +\d+\nposts +100\nlikes +\d+\n$/);
  expect(readdirSync(path.join(directory, '.data'))).toContain('platform.db');
  const again = await seed('--users 20 --posts 100 --seed spring', { directory });
  expect(again.stdout).toMatch(/\nchanged +nothing: all of it was there\n$/);
});

test('the same flags make the same world elsewhere', async () => {
  const dump = async (line: string) => {
    const { directory } = await seed(`${line} --quiet --data-dir data`);
    const world = await World.open({ dataDirectory: path.join(directory, 'data') });
    const rows = await world.seeds.reader.query('SELECT "id", "text" FROM "posts" ORDER BY "id"');
    await world.close();
    return rows;
  };
  const rows = await dump('--users 5 --posts 20');
  expect(rows).toHaveLength(20);
  expect(await dump('--users 5 --posts 20')).toEqual(rows);
  expect(await dump('--users 5 --posts 20 --until 2026-10-01')).not.toEqual(rows);
});

test('--json is one document, --quiet is silence', async () => {
  const json = await seed('--users 5 --posts 10 --json');
  expect(jsonOf(json)).toMatchObject({
    users: 5,
    posts: 10,
    already: false,
    seed: 'broadside',
    until: '2026-11-01T00:00:00.000Z',
  });
  expect(await seed('--users 5 --posts 10 --quiet')).toMatchObject({ code: 0, stdout: '', stderr: '' });
  expect((await seed('--users 5 --json --quiet')).code).toBe(2);
});

test('a terminal sees a bar that ends full, on a line of its own', async () => {
  const { stderr } = await seed('--users 20 --posts 100', { columns: 80 });
  expect(stderr.startsWith('\r\u001b[K[')).toBe(true);
  expect(stderr.endsWith(`[${'='.repeat(24)}]100 %\n`)).toBe(true);
});

test('the example file is seeded, and the ids of its posts are reported', async () => {
  const first = await seed(`--file ${example} --json`);
  expect(first.code).toBe(0);
  expect(jsonOf(first)).toMatchObject({
    posts: { made: 6 },
    ids: {
      posts: { autumn: expect.stringMatching(/^\d+$/) },
      apps: { 'Reading desk': { consumer_secret: expect.any(String) } },
    },
  });
  const { directory } = first;
  const again = await seed('--file - --data-dir .data', { directory, stdin: readFileSync(example, 'utf8') });
  expect(again.code).toBe(0);
  expect(again.stdout).toMatch(/^users +3 kept\n/);
  expect(again.stdout).toMatch(/\npost autumn +\d+\n/);
  expect(again.stdout).not.toContain('secret');
});

test('errors of a file are on lines of their own, and nothing is created', async () => {
  const stdin = 'posts:\n  - author: bob\n    text: hi\n';
  const { code, stdout, stderr, directory } = await seed('--file -', { stdin });
  expect({ code, stdout, stderr }).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'broadside: - cannot be seeded\n  line 2, column 13: posts[0].author: no user "bob" in this file or on the platform\n',
  });
  expect((await seed('--file -', { stdin: 'users: [', directory })).stderr).toMatch(
    /^broadside: - is not YAML\n {2}line 1, column /,
  );
  expect((await seed('--file nowhere.yaml')).code).toBe(2);
});

test('a directory in use by a server is rejected with one clear line and a remedy', async () => {
  const directory = temporary();
  const world = await World.open({ dataDirectory: path.join(directory, '.data') });
  onTestFinished(() => world.close());
  const { code, stderr } = await seed('--users 5', { directory });
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^broadside: The data directory .* is in use by another running server\.\n {2}Stop the server, seed, /,
  );
});

test.each([
  '--users 0',
  '--users x',
  '--users 1e3',
  '--posts -1',
  '--users 99999999999',
  '--until soon',
  '--until 1990-01-01',
  '--file a.yaml --users 5',
])('seed %s is a mistake on the command line', async (line) => {
  const { code, stderr, directory } = await seed(line);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^broadside: --/);
  expect(readdirSync(directory)).toEqual([]);
});

test('without a server that runs, a file is seeded in the default world only', async () => {
  const file = { stdin: 'users: [{ screen_name: alone }]\n' };
  expect(await seed('- --world spring', file)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--world spring needs a server that runs on the data directory'),
  });
  expect(await seed('- --world default', file)).toMatchObject({ code: 0 });
});

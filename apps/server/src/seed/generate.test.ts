import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { sqldMissing, startSqld } from '@broadside/test-servers/sqld';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startSqlServer } from '../db/testing/sql-server.ts';
import { temporaryDirectory } from '../db/testing/temporary.ts';
import { generate, UnfinishedSeedError } from './generate.ts';
import type { GeneratorParameters } from './plan.ts';
import type { SeedStore } from './seed-store.ts';
import { digestOf, openSeedPlatform, rowsOf, type SeedPlatform } from './testing/platform.ts';

const UNTIL = Date.UTC(2026, 10, 1);
/** Digest of {@link small}. Changing it changes every seeded world, which must be announced to those who have some. */
const PINNED = '98320c4c5e3876554c3fa64be274c2cd';
const small: GeneratorParameters = { seed: 'pin', users: 40, posts: 200, until_ms: UNTIL };

async function seeded(parameters: GeneratorParameters): Promise<SeedPlatform> {
  const platform = await openSeedPlatform(temporaryDirectory());
  await generate(platform.seeds, parameters);
  return platform;
}

async function digest(parameters: GeneratorParameters): Promise<string> {
  const { database } = await seeded(parameters);
  const text = await digestOf(database);
  await database.close();
  return text;
}

test('equal parameters produce equal rows, and any other parameter produces others', async () => {
  const first = await digest(small);
  expect(first).toBe(PINNED);
  expect(await digest(small)).toBe(first);
  const others = [
    { ...small, seed: 'pin2' },
    { ...small, users: 41 },
    { ...small, posts: 201 },
    { ...small, until_ms: UNTIL + 1 },
  ];
  const digests = await Promise.all(others.map(digest));
  expect(new Set([first, ...digests]).size).toBe(others.length + 1);
});

test('neither time zone nor locale nor process changes a row', () => {
  const script = path.join(import.meta.dirname, 'testing/digest.ts');
  const run = spawnSync(
    process.execPath,
    ['--conditions=@broadside/source', script, temporaryDirectory(), small.seed],
    {
      encoding: 'utf8',
      env: { ...process.env, TZ: 'Asia/Kathmandu', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
    },
  );
  expect(run.stderr).toBe('');
  expect(run.stdout).toBe(PINNED);
});

test('seeding the same again changes nothing', async () => {
  const { database, seeds } = await seeded(small);
  const before = await digestOf(database);
  expect(await generate(seeds, small)).toMatchObject({ users: 40, posts: 200, already: true });
  expect(await digestOf(database)).toBe(before);
});

/** A store that fails before its n-th write. */
function failing(seeds: SeedStore, n: number): SeedStore {
  let left = n;
  return new Proxy(seeds, {
    get(target, name) {
      if (name === 'write' && left-- === 0) return () => Promise.reject(new Error('the power went'));
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** More posts than a batch, so that an interruption can fall between two. */
const large = { ...small, posts: 4500 };
let digestOfLarge: Promise<string> | undefined;

test.each([1, 2, 3, 4, 5])(
  'a run that was cut off before write %i is finished by the same again, and by no other',
  async (n) => {
    digestOfLarge ??= digest(large);
    const { database, seeds } = await openSeedPlatform(temporaryDirectory());
    await expect(generate(failing(seeds, n), large)).rejects.toThrow('the power went');
    expect(await seeds.records()).toMatchObject([{ finished: false }]);
    const other = generate(seeds, small);
    await expect(other).rejects.toThrow(UnfinishedSeedError);
    await expect(other).rejects.toThrow('--seed "pin" --users 40 --posts 4500 --until 2026-11-01T00:00:00.000Z');
    expect(await generate(seeds, large)).toMatchObject({ already: false });
    expect(await seeds.records()).toMatchObject([{ finished: true }]);
    expect(await digestOf(database)).toBe(await digestOfLarge);
  },
);

const servers: Readonly<Record<string, (directory: string) => Promise<{ url: string; close(): Promise<unknown> }>>> = {
  emulator: (directory) => startSqlServer({ path: path.join(directory, 'served.db') }),
  sqld: (directory) => startSqld({ directory: path.join(directory, 'served') }),
};

describe.each([
  { kind: 'emulator', reason: undefined },
  { kind: 'sqld', reason: sqldMissing() },
])('on $kind', ({ kind, reason }) => {
  test.skipIf(reason)('rows are the same, also when the run is resumed', { timeout: 60_000 }, async () => {
    const directory = temporaryDirectory();
    const server = await servers[kind]?.(directory);
    onTestFinished(async () => void (await server?.close()));
    const { database, seeds } = await openSeedPlatform(directory, server?.url);
    await expect(generate(failing(seeds, 2), small)).rejects.toThrow('the power went');
    await generate(seeds, small);
    expect(await digestOf(database)).toBe(PINNED);
    await database.close();
  });
});

test('a taken screen name is replaced by another one, also when the run is resumed', async () => {
  const alone = await seeded(small);
  const [someone] = await rowsOf(alone.database, 'users');
  const name = String(someone?.[1]);
  const { database, seeds } = await openSeedPlatform(temporaryDirectory());
  await database.write((writer) =>
    writer.run(
      'INSERT INTO "users" ("id", "screen_name", "screen_name_folded", "name", "password_hash", "created_at") VALUES (?, ?, ?, ?, ?, ?)',
      ['7', name.toUpperCase(), name.toLowerCase(), 'First', 'x', '2026-01-01T00:00:00Z'],
    ),
  );
  await expect(generate(failing(seeds, 2), small)).rejects.toThrow('the power went');
  await generate(seeds, small);
  const names = (await rowsOf(database, 'users')).map((row) => String(row[1]));
  expect(names).toHaveLength(41);
  expect(new Set(names.map((one) => one.toLowerCase())).size).toBe(41);
  const renamed = names.filter((one) => one.startsWith(name.slice(0, 13)) && one !== name.toUpperCase());
  expect(renamed).not.toContain(name);
  for (const one of names) expect(one).toMatch(/^\w{1,15}$/);
});

test('worlds of two seeds can coexist on one platform', async () => {
  const { database, seeds } = await seeded(small);
  await generate(seeds, { ...small, seed: 'second' });
  expect(await rowsOf(database, 'users')).toHaveLength(80);
  expect(await rowsOf(database, 'posts')).toHaveLength(400);
});

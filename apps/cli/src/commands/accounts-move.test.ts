/** `broadside admin accounts move`, and what clients meet while an account takes no writes. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createClient } from '@broadside/client';
import type { Credentials, RunningServer } from '@broadside/server';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { OPERATOR_TOKEN, startOperated } from '../testing/operated-server.ts';
import { emptyDirectory, type Outside, runCli } from '../testing/run-cli.ts';

const directory = emptyDirectory();
let server: RunningServer;
let credentials: Credentials;

beforeAll(async () => {
  const shards = ['east', 'west'].map((name) => `${name}=file:${path.join(directory, `${name}.db`)}`).join();
  server = await startOperated(path.join(directory, '.data'), { demo: true, env: { BROADSIDE_ADS_SHARDS: shards } });
  credentials = JSON.parse(readFileSync(server.credentialsFile ?? '', 'utf8'));
});
afterAll(() => server.close());

function move(to: string, flags = '', outside: Outside = {}) {
  const env = { XDG_CONFIG_HOME: directory, BROADSIDE_OPERATOR_TOKEN: OPERATOR_TOKEN };
  const { account_id } = credentials;
  const line = `admin accounts move --account-id ${account_id} --to ${to} ${flags}`;
  return runCli(line, { cwd: directory, env, fetch, sleep: async () => {}, ...outside });
}

test('a move that cannot be is rejected with what would be right', async () => {
  const unknown = await move('north');
  expect(unknown.code).not.toBe(0);
  expect(unknown.stderr).toContain('There is no shard north; there are east, west, directory');
  const none = await move('east', '--sandbox');
  expect(none.code).not.toBe(0);
  expect(none.stderr).toContain('The accounts of sandbox are in one store: there are no shards to move them to');
});

test('a dry run tells where the account is, and moves nothing', async () => {
  for (let i = 0; i < 2; i += 1) {
    const { code, stdout, stderr } = await move('west', '--dry-run --json');
    expect(code, stderr).toBe(0);
    const planned = JSON.parse(stdout);
    expect(planned).toMatchObject({ from: 'east', to: 'west', state: 'PLANNED', closed_ms: null });
    expect(planned.rows).toBeGreaterThan(0);
  }
});

test('a move that is asked for while one that has failed is undone is to be asked for again', async () => {
  const { account_id } = credentials;
  const { shards } = server.world.ads.production;
  if (shards === undefined) throw new TypeError('there are shards');
  const undoing = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  onTestFinished(() => goOn.resolve());
  const { directory: store } = shards;
  const write = store.write.bind(store);
  const held = vi.spyOn(store, 'write');
  onTestFinished(() => held.mockRestore());
  const failed = shards.moves.begin({ account_id, source: 'east', target: 'west' }, (step) => {
    if (step !== 'COPIED') return;
    held.mockImplementation(async (...args) => {
      undoing.resolve();
      await goOn.promise;
      return write(...args);
    });
    throw new Error('it was away');
  });
  await Promise.race([undoing.promise, failed.closed_ms]);
  const { code, stderr } = await move('west');
  expect(code).not.toBe(0);
  expect(stderr).toContain('A move of the account to west is not over');
  goOn.resolve();
  await expect(failed.closed_ms).rejects.toThrow('it was away');
  expect(await shards.places.ask(account_id)).toMatchObject({ shard: 'east', closed: false });
});

test('a write that comes while the account takes none gets 423, and the client repeats it', async () => {
  const { account_id } = credentials;
  const { shards } = server.world.ads.production;
  const isClosed = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const running = shards?.moves.begin({ account_id, source: 'east', target: 'west' }, async (step) => {
    if (step !== 'CLOSED') return;
    isClosed.resolve();
    await goOn.promise;
  });
  onTestFinished(() => goOn.resolve());
  await isClosed.promise;
  // Another server would be told the same.
  const elsewhere = await move('directory', '--json');
  expect(elsewhere.code).not.toBe(0);
  expect(elsewhere.stderr).toContain('A move of the account to west is not over');
  const answers: (readonly [number, string | null, string])[] = [];
  const client = createClient(credentials, {
    environment: 'production',
    fetch: async (url, init) => {
      const answer = await fetch(url, init);
      answers.push([answer.status, answer.headers.get('retry-after'), await answer.clone().text()]);
      goOn.resolve();
      return answer;
    },
    sleep: async () => {
      await running?.closed_ms;
    },
  });
  const changed = await client.accounts.update({ account_id, name: 'Moved' });
  expect(changed.name).toBe('Moved');
  expect(answers.map(([status, after]) => [status, after])).toEqual([
    [423, '1'],
    [200, null],
  ]);
  expect(answers[0]?.[2]).toContain('LOCK_ACQUISITION_TIMEOUT');
  expect(await shards?.places.ask(account_id)).toMatchObject({ shard: 'west', closed: false });
});

test('an account that is there already is moved, and a terminal shows what was done', async () => {
  const { code, stdout, stderr } = await move('west', '', { columns: 80 });
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/^from +west$/m);
  expect(stdout).toMatch(/^to +west$/m);
  expect(stdout).toMatch(/^state +MOVED$/m);
  expect(stdout).toMatch(/^rows +0$/m);
});

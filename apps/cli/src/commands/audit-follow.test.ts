/** `broadside admin audit --follow`, where the accounts of production are spread over shards. */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningServer } from '@broadside/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPERATOR_TOKEN, startOperated } from '../testing/operated-server.ts';
import { emptyDirectory, type Outside, runCli } from '../testing/run-cli.ts';

const directory = emptyDirectory();
let server: RunningServer;

beforeAll(async () => {
  const shards = ['east', 'west'].map((name) => `${name}=file:${path.join(directory, `${name}.db`)}`).join();
  server = await startOperated(path.join(directory, '.data'), { demo: true, env: { BROADSIDE_ADS_SHARDS: shards } });
});
afterAll(() => server.close());

function cli(line: string, outside: Outside = {}) {
  const env = { XDG_CONFIG_HOME: directory, BROADSIDE_OPERATOR_TOKEN: OPERATOR_TOKEN };
  return runCli(line, { cwd: directory, env, fetch, ...outside });
}

async function ok(line: string, outside?: Outside): Promise<string> {
  const { code, stdout, stderr } = await cli(line, outside);
  expect(code, stderr).toBe(0);
  return stdout.trim();
}

test('changes on all shards are shown, each once, whichever shard they are on', { timeout: 60_000 }, async () => {
  const user = await ok('admin users create --screen-name ann --password - --quiet', { stdin: 'correct horse\n' });
  const accounts: string[] = [];
  const add = async () => {
    accounts.push(await ok(`admin accounts create --user-id ${user} --name A${accounts.length} --quiet`));
  };
  await add();
  await add();
  let written = '';
  let stop = () => {};
  const ended = cli('admin audit --log production --entity ACCOUNT --count 1 --follow --json', {
    onStdout: (text) => {
      written = text;
    },
    onInterrupt: (given) => {
      stop = given;
    },
    sleep: (_, signal) => sleep(20, undefined, { signal }),
  });
  const shown = () => written.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  const patient = { timeout: 30_000, interval: 20 };
  await expect.poll(shown, patient).toHaveLength(1);
  for (let i = 2; i <= 5; i++) {
    await add();
    await expect.poll(shown, patient).toHaveLength(i);
  }
  stop();
  const { code, stderr } = await ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const [, ...made] = shown();
  expect(made.map(({ entity_id }) => entity_id)).toEqual(accounts.slice(2));
  const sources = new Set(made.map(({ id }) => String(id).replace(/-\d+$/, '')));
  expect(sources).toEqual(new Set(['production/east', 'production/west']));
});

test('a list that begins with what a moved account has left behind goes on until it has something', {
  timeout: 60_000,
}, async () => {
  const user = await ok('admin users create --screen-name bob --password - --quiet', { stdin: 'correct horse\n' });
  const account = await ok(`admin accounts create --user-id ${user} --name Moving --quiet`);
  const [from = ''] = (await ok(`admin accounts move --account-id ${account} --to east --dry-run --query from`)).split(
    '\n',
  );
  const to = from === 'east' ? 'west' : 'east';
  expect(await ok(`admin accounts move --account-id ${account} --to ${to} --query state`)).toBe('MOVED');
  const found: unknown = JSON.parse(await ok(`admin audit --log production --account-id ${account} --count 1 --json`));
  expect(found).toMatchObject([{ account_id: account }]);
});

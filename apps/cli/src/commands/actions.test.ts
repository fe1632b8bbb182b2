/** Actions of the platform from the command line: in which environment, and on which account. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { RunningServer } from '@broadside/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startOperated } from '../testing/operated-server.ts';
import { emptyDirectory, runCli } from '../testing/run-cli.ts';

let server: RunningServer;
const directory = emptyDirectory();
const config = emptyDirectory();
const data = path.join(directory, '.data');

beforeAll(async () => {
  server = await startOperated(data, { demo: true });
});
afterAll(() => server.close());

function cli(line: string) {
  const env = { XDG_CONFIG_HOME: config, BROADSIDE_OPERATOR_TOKEN: 'operator-token-of-at-least-24-characters' };
  const port = new URL(server.controlUrl ?? '').port;
  return runCli(line, { cwd: directory, env: { ...env, BROADSIDE_CONTROL_PORT: port }, fetch });
}

async function json(line: string) {
  const { code, stdout, stderr } = await cli(`${line} --json`);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

const credentials = () => JSON.parse(readFileSync(path.join(data, 'credentials.json'), 'utf8'));

test('--sandbox says whose data an action is about, and the account is that of the credentials', async () => {
  const { account_id, sandbox_account_id } = credentials();
  const changedBy = async (line: string) => (await json(line)).changed.map(({ id }: { id: string }) => id);
  const review = 'actions review --entity ACCOUNT';
  expect(await changedBy(`${review} --sandbox`)).toEqual([sandbox_account_id]);
  expect(await changedBy(review)).toEqual([account_id]);
  expect(await changedBy(`${review} --environment sandbox`)).toEqual([sandbox_account_id]);
  expect(await changedBy(`${review} --no-sandbox --account-id ${account_id}`)).toEqual([account_id]);
  const file = path.join(directory, 'of-the-sandbox.json');
  writeFileSync(file, JSON.stringify({ ...credentials(), environment: 'sandbox' }));
  expect(await changedBy(`actions approve --entity ACCOUNT --credentials ${file}`)).toEqual([sandbox_account_id]);
  const [campaign] = await json('campaigns list --sandbox');
  const { changed } = await json(`actions spend --sandbox --campaign-id ${campaign.id} --amount-local-micro 1000000`);
  expect(changed[0]).toMatchObject({ entity: 'CAMPAIGN', id: campaign.id, after: { spent_local_micro: 1_000_000 } });
});

test('in the world in use an account need not be named, in another one it must', async () => {
  const { id } = await json('world create --name autumn');
  const review = 'actions review --entity ACCOUNT --sandbox';
  const left = await cli(`${review} --world-id autumn`);
  expect(left).toMatchObject({ code: 2, stderr: expect.stringContaining('--account-id <id>') });
  await json('world use autumn');
  const { sandbox_account_id } = (await json('world get')).credentials;
  const { changed } = await json(review);
  expect(changed).toMatchObject([{ entity: 'ACCOUNT', id: sandbox_account_id }]);
  // Its account is not what a suspension is about unless it is named.
  expect((await cli('actions suspend --sandbox')).code).not.toBe(0);
  await json('world use default');
  const refused = await cli(`actions approve --world-id ${id} --sandbox --environment production --entity ACCOUNT`);
  expect(refused).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--environment production and --sandbox contradict each other'),
  });
});

test('help names --sandbox where an action has an environment, and nowhere else', async () => {
  expect((await cli('actions spend --help')).stdout).toContain('The same as --environment sandbox.');
  expect((await cli('actions like --help')).stdout).not.toContain('--sandbox');
  expect((await cli('world create --help')).stdout).not.toContain('--sandbox');
});

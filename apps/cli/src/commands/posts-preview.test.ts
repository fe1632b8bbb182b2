import { createWorld, type TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Outcome, type Outside, runCli } from '../testing/run-cli.ts';

let world: TestWorld;
let post_id: string;

beforeAll(async () => {
  world = await createWorld();
  const post = { author_id: world.user.user_id, text: 'Autumn reading is in', source: 'Test', lang: 'en' };
  post_id = await world.platform.posts.create({ user_id: null, platform: 'SERVER' }, post);
});
afterAll(async () => {
  expect(world.failures).toEqual([]);
  await world.close();
});

function cli(line: string, more: Outside = {}): Promise<Outcome> {
  const env = { BROADSIDE_DATA_DIR: world.directory };
  return runCli(line, { env, now: () => world.wallClock.now(), fetch: world.fetch, ...more });
}

test('a preview is an address to open, and a frame for a page', async () => {
  const opened: string[] = [];
  const { code, stdout, stderr } = await cli(`posts preview ${post_id} --open --json`, {
    openBrowser: (url) => void opened.push(url),
  });
  expect([code, stderr]).toEqual([0, '']);
  const printed: { post_id: string; address: string; preview: string } = JSON.parse(stdout);
  expect(printed).toEqual({
    post_id,
    address: expect.stringMatching(/^http:\/\/api\.test\/previews\?data=[\w.-]+$/),
    preview: expect.stringContaining(`<iframe class='post-preview' src='${printed.address}'`),
  });
  expect(opened).toEqual([printed.address]);
  const shown = await world.fetch(printed.address);
  expect(await shown.text()).toContain('Autumn reading is in');
});

test('nothing is opened unless that is asked for; the type and the account can be given', async () => {
  const openBrowser = () => {
    throw new Error('a browser was opened');
  };
  const account = world.credentials.account_id;
  const line = `posts preview ${post_id} --type PUBLISHED --account-id ${account}`;
  expect(await cli(line, { openBrowser })).toMatchObject({ code: 0, stdout: expect.stringMatching(/^post_id +\d+\n/) });
  expect(await cli(`posts preview ${post_id} --quiet`)).toMatchObject({ code: 0, stdout: `${post_id}\n` });
});

test.for<[line: string, code: number, words: string]>([
  ['posts preview', 2, '<id> is missing'],
  ['posts preview x', 2, 'no id of a post'],
  ['posts preview 1 --type ORGANIC', 2, 'DRAFT, PUBLISHED, SCHEDULED'],
  ['posts preview 1', 4, 'The account has no post 1'],
  ['posts preview 1 --type DRAFT', 4, 'The account has no post 1 of the type DRAFT'],
])('%s ends with %i: %s', async ([line, code, words]) => {
  expect(await cli(line)).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(words) });
});

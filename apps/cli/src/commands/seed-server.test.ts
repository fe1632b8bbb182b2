/** A file is seeded by the server that runs on the data directory: what it caches and serves follows. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import type { RunningServer } from '@broadside/server';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { OPERATOR_TOKEN, startOperated } from '../testing/operated-server.ts';
import { emptyDirectory, runCli } from '../testing/run-cli.ts';

const example = path.join(import.meta.dirname, '../../../../docs/examples/advertising.yaml');
const directory = emptyDirectory();
const data = path.join(directory, 'data');
let server: RunningServer;

beforeAll(async () => {
  server = await startOperated(data, { demo: true });
});

afterAll(() => server.close());

function cli(line: string, env: Readonly<Record<string, string>> = { BROADSIDE_OPERATOR_TOKEN: OPERATOR_TOKEN }) {
  return runCli(line, {
    cwd: directory,
    env: { BROADSIDE_DATA_DIR: data, ...env },
    fetch: (url, init) => globalThis.fetch(url, init),
  });
}

function file(name: string, text: string): string {
  const full = path.join(directory, name);
  writeFileSync(full, text);
  return full;
}

test('the server is found, makes what the file names, and shows it to requests at once', async () => {
  const credentials = JSON.parse(readFileSync(path.join(data, 'credentials.json'), 'utf8'));
  const owned = file('owned.yaml', readFileSync(example, 'utf8').replaceAll('harborbooks', 'demo'));
  expect(JSON.parse((await cli('accounts list --sandbox --json')).stdout)).toHaveLength(1);
  const made = await cli(`seed ${owned} --json`);
  expect(made).toMatchObject({ code: 0, stderr: '' });
  const { accounts, ids } = JSON.parse(made.stdout);
  expect(accounts).toEqual({ made: 1, changed: 0, kept: 0 });
  const { id, ids: items } = ids.accounts['Harbor Books'];
  const campaigns = await cli(`campaigns list --sandbox --account-id ${id} --json`);
  expect(JSON.parse(campaigns.stdout)).toMatchObject([{ id: items.autumn, name: 'Autumn reading' }]);
  expect(JSON.parse((await cli('accounts list --sandbox --json')).stdout)).toHaveLength(2);
  expect(credentials.sandbox_account_id).not.toBe(id);

  const again = await cli(`seed ${owned} --json`);
  expect(JSON.parse(again.stdout)).toMatchObject({ accounts: { made: 0, kept: 1 }, posts: { made: 0 }, ids });
});

test('a profile that a file changes is another one for those who have read it before', async () => {
  const name = async () => {
    const url = `${server.urls.api}/reader_1`;
    return /<title>([^<]*)/.exec(await (await fetch(url)).text())?.[1];
  };
  await cli(`seed ${file('first.yaml', 'users: [{ screen_name: reader_1, name: Nora }]\n')}`);
  expect(await name()).toContain('Nora');
  await cli(`seed ${file('second.yaml', 'users: [{ screen_name: reader_1, name: Nell }]\n')}`);
  expect(await name()).toContain('Nell');
});

test('what the server rejects is named at its place in the file, and nothing of the file is there', async () => {
  const text = `users:
  - { screen_name: quiet_one }
  - { screen_name: loud_one }
posts:
  - { as: first, author: quiet_one, text: hi, reply_settings: following }
  - author: loud_one
    text: hello
    reply_to: first
`;
  expect(await cli(`seed ${file('rejected.yaml', text)}`)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^broadside: .*rejected\.yaml cannot be seeded\n {2}line 6, column 5: posts\[1\]: Its author takes replies/,
    ),
  });
  expect(JSON.parse((await cli('admin users list --screen-name quiet_one --json')).stdout)).toEqual([]);
  const misspelt = await cli(`seed ${file('misspelt.yaml', 'posts:\n  - { author: demoo, text: hi }\n')}`);
  expect(misspelt.stderr).toContain(
    'line 2, column 15: posts[0].author: no user "demoo" in this file or on the platform',
  );
});

test('a server elsewhere is named, and the token goes to no other', async () => {
  const users = file('users.yaml', 'users: [{ screen_name: far_away }]\n');
  const env = { BROADSIDE_OPERATOR_TOKEN: OPERATOR_TOKEN, BROADSIDE_DATA_DIR: path.join(directory, 'none') };
  expect(await cli(`seed ${users} --base-url ${server.urls.api}`, env)).toMatchObject({ code: 0 });
  const heard: string[] = [];
  const other = createServer((request, response) => {
    heard.push(`${request.url} ${JSON.stringify(request.headers)}`);
    response.end('{}');
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void other.close());
  const address = other.address();
  const port = typeof address === 'object' ? address?.port : 0;
  expect(await cli(`seed ${users} --base-url http://127.0.0.1:${port}`, env)).toMatchObject({ code: 5 });
  expect(heard).toHaveLength(1);
  expect(heard.join()).not.toContain(OPERATOR_TOKEN);
});

test('without a token, with a file that is too long or named twice, and for what is generated, it says what to do', async () => {
  const users = file('users.yaml', 'users: [{ screen_name: far_away }]\n');
  expect(await cli(`seed ${users}`, {})).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('Or stop the server, seed, and start it again.'),
  });
  const long = file(
    'long.json',
    JSON.stringify({ users: [], posts: [{ author: 'demo', text: 'x'.repeat(1_000_000) }] }),
  );
  expect(await cli(`seed ${long}`)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/characters as JSON; a server that runs takes up to 1,000,000\n {2}Stop the server/),
  });
  expect(await cli(`seed ${users} --file ${users}`)).toMatchObject({ code: 2 });
  expect(await cli('seed --users 5')).toMatchObject({ code: 1, stderr: expect.stringContaining('is in use by') });
  expect(await cli('admin seeds apply --content {')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Expected JSON for content'),
  });
});

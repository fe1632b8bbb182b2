/** The examples of the README run unchanged against a server process, and the README quotes them exactly. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodePng } from '../../../apps/server/src/media/testing/images.ts';
import { encodeMp4 } from '../../../apps/server/src/media/testing/videos.ts';
import { BrowserUser, pinOn } from '../support/browser-user.ts';
import { packageArguments } from '../support/package-arguments.ts';
import { ServerProcess } from '../support/server-process.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const examples = path.join(root, 'docs/examples');
const directory = mkdtempSync(path.join(tmpdir(), 'broadside-examples-'));
const credentials = path.join(directory, 'credentials.json');
let server: ServerProcess;

beforeAll(async () => {
  server = await ServerProcess.start(directory);
});

afterAll(async () => {
  await server.end('SIGTERM');
  rmSync(directory, { recursive: true, force: true });
});

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, env, encoding: 'utf8' });
  return { status, stdout, stderr };
}

test.each(['quickstart.ts', 'quickstart.py', 'posts.py', 'sign-in.py'])('the README quotes %s as it is', (name) => {
  expect(readFileSync(path.join(root, 'README.md'), 'utf8')).toContain(
    readFileSync(path.join(examples, name), 'utf8').trim(),
  );
});

test.each([
  ['uploading', 'upload.ts'],
  ['uploading', 'upload.py'],
  ['campaign-management', 'campaign.ts'],
  ['campaign-management', 'campaign.py'],
  ['keyword-insights', 'insights.py'],
])('the guide %s quotes %s as it is', (guide, name) => {
  expect(readFileSync(path.join(root, `docs/guides/${guide}.md`), 'utf8')).toContain(
    readFileSync(path.join(examples, name), 'utf8').trim(),
  );
});

test('a second start names the server that runs on the data directory already, and another one the port', async () => {
  const port = new URL(server.credentials.base_url).port;
  const again = ServerProcess.spawn(directory, { BROADSIDE_API_PORT: port });
  expect(await again.ended).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /A server runs on this data directory already: process \d+ at http:\S+\. `broadside stop` ends it\./,
    ),
  });
  const other = path.join(directory, 'other');
  expect(await ServerProcess.spawn(other, { BROADSIDE_API_PORT: port }).ended).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`Cannot listen on 127.0.0.1:${port}: the port is taken. Set BROADSIDE_API_PORT`),
  });
});

const files = { 'photo.png': encodePng(40, 30), 'clip.mp4': encodeMp4({ width: 320, height: 240, seconds: 2 }) };

test.each(['photo.png', 'clip.mp4'] as const)('the typed client uploads %s', (name) => {
  const file = path.join(directory, name);
  writeFileSync(file, files[name]);
  const { status, stdout, stderr } = run(process.execPath, [
    ...packageArguments,
    path.join(examples, 'upload.ts'),
    file,
    credentials,
  ]);
  expect(stderr).toBe('');
  expect(status).toBe(0);
  const { length } = files[name];
  expect(stdout).toContain(`sending ${length} of ${length}\n`);
  expect(stdout).toMatch(new RegExp(`\\n${name === 'photo.png' ? 3 : 7}_\\d+ ${length}\\n$`));
});

test('the typed client of the README walks the sandbox', () => {
  const { status, stdout, stderr } = run(process.execPath, [
    ...packageArguments,
    path.join(examples, 'quickstart.ts'),
    credentials,
  ]);
  expect(stderr).toBe('');
  expect(status).toBe(0);
  expect(stdout).toContain('Summer reading');
  expect(stdout).toContain('400 INVALID_PARAMETER');
});

/** Output of both examples of a whole campaign. */
const campaignLines = [
  'between 0 and 1000 people',
  'INTEREST EQ Books and literature/Biographies and memoirs',
  'LOCATION EQ United States',
  'BROAD_KEYWORD EQ summer books',
  'PHRASE_KEYWORD NE library card',
  expect.stringMatching(/^promoted \d+ ACCEPTED$/),
  'ACTIVE []',
  '',
];

test('the typed client goes from an account to a running campaign', () => {
  const { status, stdout, stderr } = run(process.execPath, [
    ...packageArguments,
    path.join(examples, 'campaign.ts'),
    credentials,
  ]);
  expect(stderr).toBe('');
  expect(status).toBe(0);
  expect(stdout.split('\n')).toEqual(campaignLines);
});

const python = '/usr/bin/python3';
const hasClient = run(python, ['-c', 'import requests_oauthlib']).status === 0;

const hasPython = run(python, ['-c', '']).status === 0;

// Those of generated clients need what is generated.
const withoutMore = readdirSync(examples).filter((name) => /^(?!generated).*\.(?:py|ts)$/.test(name));

test.for(withoutMore)('%s says in one line that there are no credentials', (name) => {
  const file = path.join(examples, name);
  if (name.endsWith('.py') && !hasClient && !process.env['CI']) return;
  const env = { ...process.env, BROADSIDE_DATA_DIR: '/nowhere' };
  const { status, stdout, stderr } = name.endsWith('.py')
    ? run(python, [file], env)
    : run(process.execPath, [...packageArguments, file], env);
  expect(stderr).toMatch(
    /^\/nowhere\/credentials\.json does not exist: start the server first, or name the file as argument [12]\n$/,
  );
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
});

test.skipIf(!hasPython && !process.env['CI'])('Python alone reads posts of the demo with the bearer token', () => {
  const { status, stdout, stderr } = run(python, [path.join(examples, 'posts.py'), credentials]);
  expect(stderr).toBe('');
  expect(status).toBe(0);
  const lines = stdout.trim().split('\n');
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z @harborbooks 4 The autumn shelf is up/);
});

test.skipIf(!hasClient && !process.env['CI'])('an ordinary OAuth 1.0a client in Python walks the sandbox', () => {
  const { status, stdout, stderr } = run(python, [path.join(examples, 'quickstart.py'), credentials]);
  expect(stderr).toBe('');
  expect(status).toBe(0);
  expect(stdout.trim().split('\n').at(-1)).toContain('Summer reading');
});

test.skipIf(!hasClient && !process.env['CI'])(
  'an ordinary OAuth 1.0a client in Python goes from an account to a running campaign',
  () => {
    const { status, stdout, stderr } = run(python, [path.join(examples, 'campaign.py'), credentials]);
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(stdout.split('\n')).toEqual(campaignLines);
  },
);

test.skipIf(!hasClient && !process.env['CI'])('an ordinary OAuth 1.0a client in Python looks into keywords', () => {
  const { status, stdout, stderr } = run(python, [path.join(examples, 'insights.py'), credentials]);
  expect(stderr).toBe('');
  expect(status).toBe(0);
  const lines = stdout.trim().split('\n');
  expect(lines).toHaveLength(8);
  const days = lines.slice(0, 7).map((line) => Number(/^from \w+day \d\d:\d\d (\d+)$/.exec(line)?.[1]));
  // The storm of the demo.
  expect(days.reduce((sum, posts) => sum + posts, 0)).toBe(4);
  expect(lines[7]).toMatch(/^\d+ related keywords:/);
});

test.skipIf(!hasClient && !process.env['CI'])('an ordinary OAuth 1.0a client in Python uploads an image', () => {
  const file = path.join(directory, 'python.png');
  writeFileSync(file, files['photo.png']);
  const { status, stdout, stderr } = run(python, [path.join(examples, 'upload.py'), file, credentials]);
  expect(stderr).toBe('');
  expect(status).toBe(0);
  expect(stdout).toMatch(/^3_\d+ 40 30\n$/);
});

test.skipIf(!hasClient && !process.env['CI'])('a person gives an app in Python access with a PIN', async () => {
  const child = spawn(python, ['-u', path.join(examples, 'sign-in.py'), credentials], { stdio: 'pipe' });
  let said = '';
  const ended = once(child, 'close');
  const asked = new Promise<string>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const [, url] = /Open (\S+)\nPIN: /.exec(said) ?? [];
      if (url) resolve(url);
    });
    void ended.then(() => resolve(''));
  });
  const { page } = await new BrowserUser(server.credentials).visit(await asked);
  child.stdin.end(`${pinOn(page)}\n`);
  expect(await ended).toEqual([0, null]);
  expect(said).toMatch(/^PIN: demo \[.*'Demo sandbox account'/m);
});

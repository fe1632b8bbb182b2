/** The examples of the guide on creatives run unchanged on the demo, and the guide quotes them exactly. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandLine } from '../../../apps/cli/src/testing/command.ts';
import { encodePng } from '../../../apps/server/src/media/testing/images.ts';
import { packageArguments } from '../support/package-arguments.ts';
import { ServerProcess } from '../support/server-process.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const examples = path.join(root, 'docs/examples');
const directory = mkdtempSync(path.join(tmpdir(), 'broadside-creatives-'));
const credentials = path.join(directory, 'credentials.json');
const picture = path.join(directory, 'picture.png');
let server: ServerProcess;

function run(command: string, args: readonly string[]) {
  const { PATH = '' } = process.env;
  const env = { PATH, BROADSIDE_DATA_DIR: directory, XDG_CONFIG_HOME: directory };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: 'utf8', env });
  return { status, stdout, stderr };
}

beforeAll(async () => {
  writeFileSync(picture, encodePng(1200, 628));
  server = await ServerProcess.start(directory);
});

afterAll(async () => {
  await server.end('SIGTERM');
  rmSync(directory, { recursive: true, force: true });
});

test.each(['creative.sh', 'creative.ts', 'creative.py'])('the guide quotes %s as it is', (name) => {
  const guide = readFileSync(path.join(root, 'docs/guides/creatives.md'), 'utf8');
  expect(guide).toContain(readFileSync(path.join(examples, name), 'utf8').trim());
});

/** Loads what the frame of a preview loads. */
async function previewed(output: string): Promise<string> {
  const [, address = ''] = /<iframe [^>]*src='([^']+)'/.exec(output) ?? [];
  const response = await fetch(address);
  expect(response.status).toBe(200);
  return response.text();
}

/** The draft that the examples preview, with its card. */
async function expectPreview(output: string) {
  const page = await previewed(output);
  expect(page).toContain('The autumn shelf is up');
  expect(page).toContain('40 books for long evenings');
  expect(page).toContain('https://harborbooks.example.com/autumn');
}

const lines = /^IMAGE_WEBSITE\n<iframe .*<\/iframe>\nSCHEDULED\npromoted \d+ ACCEPTED\n$/;

test('the typed client goes from a picture to a promoted post with a card', async () => {
  const args = [...packageArguments, path.join(examples, 'creative.ts'), picture, credentials];
  const { status, stdout, stderr } = run(process.execPath, args);
  expect(stderr).toBe('');
  expect(status).toBe(0);
  expect(stdout).toMatch(lines);
  await expectPreview(stdout);
});

const python = '/usr/bin/python3';
const hasClient = run(python, ['-c', 'import requests_oauthlib']).status === 0;

test.skipIf(!hasClient && !process.env['CI'])('so does an ordinary OAuth 1.0a client in Python', async () => {
  const { status, stdout, stderr } = run(python, [path.join(examples, 'creative.py'), picture, credentials]);
  expect(stderr).toBe('');
  expect(status).toBe(0);
  expect(stdout).toMatch(lines);
  await expectPreview(stdout);
});

test('so does the command', async () => {
  const script = readFileSync(path.join(examples, 'creative.sh'), 'utf8');
  const args = ['--norc', '-c', `broadside() { ${commandLine} "$@"; }\n${script}`, 'bash', picture];
  const { status, stdout, stderr } = run('bash', args);
  expect(status, stderr).toBe(0);
  expect(stdout).toMatch(/scheduled_status +SCHEDULED\n/);
  expect(stdout).toMatch(/SCHEDULED[\s\S]*ACCEPTED/);
  await expectPreview(stdout);
});

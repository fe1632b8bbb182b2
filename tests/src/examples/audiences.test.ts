/** The examples of the guide on audiences run unchanged, on a platform with people, and the guide quotes them exactly. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandLine } from '../../../apps/cli/src/testing/command.ts';
import { packageArguments } from '../support/package-arguments.ts';
import { ServerProcess } from '../support/server-process.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const examples = path.join(root, 'docs/examples');
const directory = mkdtempSync(path.join(tmpdir(), 'broadside-audiences-'));
const credentials = path.join(directory, 'credentials.json');
const people = path.join(directory, 'people.csv');
let server: ServerProcess;

function run(command: string, args: readonly string[]) {
  const { PATH = '' } = process.env;
  const env = { PATH, BROADSIDE_DATA_DIR: directory, XDG_CONFIG_HOME: directory };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: 'utf8', env });
  return { status, stdout, stderr };
}

/** Runs a script of a shell in which `broadside` is ours. */
function shell(script: string, ...args: readonly string[]) {
  return run('bash', ['--norc', '-c', `broadside() { ${commandLine} "$@"; }\n${script}`, 'bash', ...args]);
}

beforeAll(async () => {
  // The commands of the guide, so that the people are there who it says.
  const seeded = shell('broadside seed --users 300 --until $(date -u +%F)');
  expect(seeded.status, seeded.stderr).toBe(0);
  server = await ServerProcess.start(directory);
  const listed = shell('broadside admin users list --columns screen_name');
  expect(listed.status, listed.stderr).toBe(0);
  writeFileSync(people, listed.stdout);
});

afterAll(async () => {
  await server.end('SIGTERM');
  rmSync(directory, { recursive: true, force: true });
});

test.each(['audience.sh', 'audience.ts', 'audience.py'])('the guide quotes %s as it is', (name) => {
  const guide = readFileSync(path.join(root, 'docs/guides/audiences.md'), 'utf8');
  expect(guide).toContain(readFileSync(path.join(examples, name), 'utf8').trim());
});

const python = '/usr/bin/python3';
const hasClient = run(python, ['-c', 'import requests_oauthlib']).status === 0;

const SIZE = /^targetable (\d{2}0)$/m;

test('the typed client goes from a file to a line item that targets its people', () => {
  const args = [...packageArguments, path.join(examples, 'audience.ts'), people, credentials];
  const { status, stdout, stderr } = run(process.execPath, args);
  expect(stderr).toBe('');
  expect(status).toBe(0);
  expect(stdout).toContain('200 rows, 200 sent, 0 refused\n');
  expect(stdout).toMatch(SIZE);
  expect(stdout).toMatch(/between 0 and 1000 people\nCUSTOM_AUDIENCE .+\n$/);
});

test.skipIf(!hasClient && !process.env['CI'])('so does an ordinary OAuth 1.0a client in Python', () => {
  const { status, stdout, stderr } = run(python, [path.join(examples, 'audience.py'), people, credentials]);
  expect(stderr).toBe('');
  expect(status).toBe(0);
  expect(stdout).toMatch(/^200 sent\n/);
  expect(stdout).toMatch(SIZE);
  expect(stdout).toMatch(/between 0 and 1000 people\nCUSTOM_AUDIENCE .+\n$/);
});

test('so does the command', () => {
  const { status, stdout, stderr } = shell(readFileSync(path.join(examples, 'audience.sh'), 'utf8'), people);
  expect(status, stderr).toBe(0);
  expect(stdout).toMatch(/rows +200\nvalid +200\nnot valid +0\nrequests +1 would be sent\n/);
  expect(stdout).toMatch(/rows +200\nsent +200\nrefused +0\n[\s\S]*matched +about \d{2}0 people\n/);
  expect(stdout).toMatch(/targeting_type +CUSTOM_AUDIENCE\n/);
});

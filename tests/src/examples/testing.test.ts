/** The recipes of the guide on testing run unchanged against a server process, and so do a fixture of pytest and a test in Go. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { connect } from '@broadside/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandLine } from '../../../apps/cli/src/testing/command.ts';
import { findGo, missingPackages, runGo } from '../generated-clients/go.ts';
import { ServerProcess } from '../support/server-process.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const examples = path.join(root, 'docs/examples/testing');
const directory = mkdtempSync(path.join(tmpdir(), 'broadside-testing-'));
const python = '/usr/bin/python3';
let server: ServerProcess;

beforeAll(async () => {
  server = await ServerProcess.start(directory, { BROADSIDE_CONTROL_PORT: '0', BROADSIDE_RATE_LIMITS: 'development' });
  const { control_url } = JSON.parse(readFileSync(path.join(directory, 'server.json'), 'utf8'));
  // For the recipes and all that they start, in this and other languages.
  Object.assign(process.env, { BROADSIDE_DATA_DIR: directory, BROADSIDE_CONTROL_URL: control_url });
});

afterAll(async () => {
  // Files that the same worker runs after this one find no server by them.
  for (const name of ['BROADSIDE_DATA_DIR', 'BROADSIDE_CONTROL_URL']) Reflect.deleteProperty(process.env, name);
  await server.end('SIGTERM');
  rmSync(directory, { recursive: true, force: true });
});

test.each(readdirSync(examples))('the guide quotes %s as it is', (name) => {
  expect(readFileSync(path.join(root, 'docs/guides/testing-an-integration.md'), 'utf8')).toContain(
    readFileSync(path.join(examples, name), 'utf8').trim(),
  );
});

test.each(readdirSync(examples).filter((name) => name.endsWith('.ts')))('the recipe %s holds', async (name) => {
  await import(pathToFileURL(path.join(examples, name)).href);
});

test('a script of a shell makes a world, and deletes it at the end', async () => {
  const { worlds } = connect();
  const before = (await worlds.list()).map(({ id }) => id);
  const script = `broadside() { ${commandLine} "$@"; }\n${readFileSync(path.join(examples, 'worlds.sh'), 'utf8')}`;
  // As scripts of CI run, in a shell that knows no more than POSIX.
  const { status, stdout, stderr } = spawnSync('sh', ['-c', script], { cwd: directory, encoding: 'utf8' });
  expect(status, `${stdout}${stderr}`).toBe(0);
  expect(stdout).toContain('it tries again after a failure');
  expect((await worlds.list()).map(({ id }) => id)).toEqual(before);
});

const hasPytest = spawnSync(python, ['-c', 'import pytest, requests_oauthlib']).status === 0;

test.skipIf(!hasPytest && !process.env['CI'])('pytest makes a world for each test', () => {
  const args = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', path.join(examples, 'test_worlds.py')];
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' };
  const { status, stdout } = spawnSync(python, args, { cwd: directory, encoding: 'utf8', env });
  expect(status, stdout).toBe(0);
  expect(stdout).toContain('4 passed');
});

test('a test in Go makes worlds', async ({ skip }) => {
  const go = await findGo();
  if ('missing' in go) return skip(go.missing);
  const place = mkdtempSync(path.join(directory, 'go-'));
  for (const name of ['go.mod', 'go.sum'])
    cpSync(path.join(root, 'tests/src/generated-clients', name), path.join(place, name));
  const missing = await missingPackages(go.program, place);
  if (missing) return skip(missing);
  cpSync(path.join(examples, 'worlds_test.go'), path.join(place, 'worlds_test.go'));
  expect(await runGo(go.program, place, 'test', '-count=1', './...')).toMatch(/^ok\s/);
});

/** A run that is killed leaves no half world that is taken for a whole one. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { World } from '@broadside/server';
import { expect, onTestFinished, test } from 'vitest';
import { commandArguments } from '../../../apps/cli/src/testing/command.ts';
import { ServerProcess } from '../support/server-process.ts';

function words(directory: string, ...more: readonly string[]): string[] {
  return [...commandArguments, 'seed', '--data-dir', directory, ...more];
}

const sizeOf = (posts: number) => ['--users', '2000', '--posts', `${posts}`];

/** Starts a run and kills it in the middle. @returns false when it had ended before */
async function isKilled(directory: string, posts: number): Promise<boolean> {
  const child = spawn(process.execPath, words(directory, ...sizeOf(posts)), { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    if (/^[3-9]\d %/m.test(said)) child.kill('SIGKILL');
  });
  const [code, signal] = await once(child, 'close');
  expect(signal === 'SIGKILL' || code === 0, said).toBe(true);
  return signal === 'SIGKILL' && !said.includes('100 %');
}

test('a killed run is reported by the server, rejects other runs, and is finished by the same command', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'broadside-seed-crash-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  let posts = 40_000;
  // On a busy machine a run can end before this process hears that it is in the middle; one that is larger does not.
  while (!(await isKilled(directory, posts))) {
    posts *= 2;
    rmSync(directory, { recursive: true });
  }
  const size = sizeOf(posts);

  const server = await ServerProcess.start(directory, { BROADSIDE_LOG_LEVEL: 'warn', BROADSIDE_LOG_FORMAT: 'json' });
  const { stdout } = await server.end('SIGTERM');
  expect(stdout).toContain('a run of `broadside seed` was cut off');

  const run = (...more: readonly string[]) =>
    spawnSync(process.execPath, words(directory, ...more), { encoding: 'utf8' });
  const other = run('--users', '10');
  expect(other.status).toBe(1);
  expect(other.stderr).toContain(`--seed "broadside" ${size.join(' ')} --until 2026-11-01T00:00:00.000Z`);

  expect(run(...size, '--quiet')).toMatchObject({ status: 0, stdout: '', stderr: '' });
  const world = await World.open({ dataDirectory: directory });
  const count = async (sql: string) => Number((await world.seeds.reader.query(sql))[0]?.[0]);
  // The demo of the server's start is there as well.
  expect(await count('SELECT count(*) FROM "posts"')).toBeGreaterThanOrEqual(posts + 20);
  expect(await count('SELECT sum("post_count") FROM "users"')).toBe(await count('SELECT count(*) FROM "posts"'));
  expect((await world.seeds.records()).map(({ finished }) => finished)).toEqual([true]);
  await world.close();
});

/** The operator's commands on people, and the audit, against a real platform. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { cli, ok, operatorToken, platform, usePlatform } from '../testing/real-platform.ts';

usePlatform();

const env = { BROADSIDE_OPERATOR_TOKEN: operatorToken };

async function join(name: string): Promise<string> {
  return (
    await ok(`admin users create --screen-name ${name} --password - --quiet`, { env, stdin: 'correct horse\n' })
  ).trim();
}

test('a suspension, a deletion and their ends are read as names and values, and in the audit as a table', async () => {
  const user = await join('ann');
  const suspended = await ok(['admin', 'users', 'suspend', '--user-id', user, '--reason', 'Spam'], { env });
  expect(suspended).toMatch(/^suspended +true$/m);
  expect(suspended).toMatch(/^suspended_reason +Spam$/m);
  await ok(`admin users delete --user-id ${user}`, { env });
  expect(await ok(`admin users cancel-deletion --user-id ${user}`, { env })).toMatch(/^delete_at +-$/m);
  await ok(`admin users restore --user-id ${user}`, { env });
  const table = await ok(`admin audit --entity USER --entity-id ${user}`, { env });
  const [header, ...lines] = table.trimEnd().split('\n');
  expect(header).toMatch(/^CHANGE TIME +CHANGE TYPE +ENTITY +ENTITY ID +ACCOUNT ID +CHANGE BY PLATFORM/);
  expect(lines).toHaveLength(5);
  expect(lines.at(-1)).toContain('CREATE');
  const first = await cli(`admin audit --entity USER --entity-id ${user} --count 2 --json`, { env });
  expect(JSON.parse(first.stdout)).toHaveLength(2);
  expect(await ok(`admin audit --entity USER --entity-id ${user} --all --quiet --count 2`, { env })).toMatch(
    /^(?:platform-\d+\n){5}$/,
  );
});

test('an export is a file of lines for its owner alone, which replaces no other', async () => {
  const user = await join('bob');
  const file = path.join(platform().directory, 'bob.jsonl');
  const done = await cli(`admin users export --user-id ${user} --out ${file}`, { env });
  expect(done.code).toBe(0);
  expect(done.stderr).toMatch(/is in .*bob\.jsonl, \d+ records/);
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const parts = lines.map((line) => String(Object(JSON.parse(line)).part));
  expect([parts[0], parts.at(-1)]).toEqual(['manifest', 'end']);
  expect(parts).toContain('profile');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  writeFileSync(file, 'mine');
  const again = await cli(`admin users export --user-id ${user} --out ${file}`, { env });
  expect(again.code).toBe(2);
  expect(again.stderr).toContain('--force replaces it');
  expect(readFileSync(file, 'utf8')).toBe('mine');
  await ok(`admin users export --user-id ${user} --out ${file} --force`, { env });
  expect(readFileSync(file, 'utf8')).toContain('"manifest"');
  const missing = await cli(`admin users export --user-id 1 --out ${file}2`, { env });
  expect(missing.code).not.toBe(0);
  expect(missing.stderr).toContain('USER_NOT_FOUND');
});

test('an audit is followed: the last changes, then each once as it is made, until ^C', async () => {
  const user = await join('eve');
  const suspend = (reason: string) => ok(['admin', 'users', 'suspend', '--user-id', user, '--reason', reason], { env });
  let written = '';
  let stop = () => {};
  const ended = cli(`admin audit --entity USER --entity-id ${user} --follow --json`, {
    env,
    onStdout: (text) => {
      written = text;
    },
    onInterrupt: (given) => {
      stop = given;
    },
    sleep: () => new Promise((resolve) => setTimeout(resolve, 20)),
  });
  const types = () =>
    written
      .trimEnd()
      .split('\n')
      .map((line) => (line === '' ? '' : JSON.parse(line).change_type));
  await expect.poll(types).toEqual(['CREATE']);
  await suspend('Spam');
  await expect.poll(types).toEqual(['CREATE', 'UPDATE']);
  await join('somebody');
  await suspend('More spam');
  await expect.poll(types).toEqual(['CREATE', 'UPDATE', 'UPDATE']);
  stop();
  expect((await ended).code).toBe(0);
  expect((await cli('admin audit --follow --all', { env })).stderr).toContain(
    '--all and --follow cannot be used together',
  );
});

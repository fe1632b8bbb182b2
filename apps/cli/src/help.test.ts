import { expect, test } from 'vitest';
import { runCli } from './testing/run-cli.ts';

test.each([
  [''],
  ['help exit-codes'],
  ['seed --help'],
  ['campaigns --help'],
  ['campaigns list --help'],
  ['campaigns create --help'],
  ['campaigns batch --help'],
  ['campaigns update --help'],
  ['features add --help'],
  ['posts lookup --help'],
  ['media --help'],
  ['media upload --help'],
  ['media status --help'],
  ['admin --help'],
  ['admin posts create --help'],
  ['admin follows --help'],
  ['admin users create --help'],
  ['api --help'],
  ['auth --help'],
  ['auth status --help'],
  ['auth save --help'],
  ['auth account --help'],
  ['login --help'],
  ['logout --help'],
  ['whoami --help'],
  ['doctor signature --help'],
  ['admin apps update --help'],
])('broadside %s', async (line) => {
  const { code, stdout, stderr } = await runCli(line);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const name = line.replaceAll(/ ?--help/g, '').replaceAll(' ', '-') || 'root';
  await expect(stdout).toMatchFileSnapshot(`./fixtures/help/${name.replace(/^help-/, '')}.txt`);
});

test('help and --help are the same, wherever --help stands', async () => {
  const { stdout } = await runCli('help campaigns create');
  expect((await runCli('campaigns create --help')).stdout).toBe(stdout);
  expect((await runCli('--help campaigns create')).stdout).toBe(stdout);
  expect((await runCli('campaigns create --nonsense -h')).stdout).toBe(stdout);
});

test('a wider terminal has wider help, and colours unless they are not wanted', async () => {
  const wide = await runCli('campaigns create --help', { columns: 120, env: { NO_COLOR: '' } });
  expect(wide.stdout).toContain('\u001b[');
  expect((await runCli('campaigns create --help', { columns: 120 })).stdout).not.toContain('\u001b[');
});

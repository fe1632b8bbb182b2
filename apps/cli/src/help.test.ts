import { expect, test } from 'vitest';
import { runCli } from './testing/run-cli.ts';

test('help and --help are the same, wherever --help is', async () => {
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

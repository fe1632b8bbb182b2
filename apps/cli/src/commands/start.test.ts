import { settings } from '@broadside/server';
import { expect, test } from 'vitest';
import { flagsOf } from '../command.ts';
import { FlagValues } from '../flags.ts';
import type { Io } from '../io.ts';
import { startCommandOf } from './start.ts';

const quiet = { isTTY: false, columns: undefined, write: async () => {} };
const io: Io = {
  stdout: quiet,
  stderr: quiet,
  stdin: {
    isTTY: false,
    text: async () => '',
    bytes: async function* () {},
    line: async () => undefined,
    secret: async () => '',
  },
  env: { BROADSIDE_HOST: '::1' },
  cwd: '/',
  fetch: async () => new Response(),
  openBrowser: () => {},
  callbacks: [],
  onInterrupt: () => () => {},
};

test('each setting of the server is a flag that sets its variable', async () => {
  let started = 0;
  const command = startCommandOf(settings, async () => {
    started += 1;
  });
  const names = flagsOf(command).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['data-dir', 'host', 'api-port', 'ads-port', 'sandbox-port', 'demo']));
  const flags = new FlagValues(
    new Map([
      ['data-dir', ['/tmp/x']],
      ['api-port', ['9000']],
    ]),
  );
  await command.run({ io, flags, words: [] });
  expect(io.env).toEqual({ BROADSIDE_HOST: '::1', BROADSIDE_DATA_DIR: '/tmp/x', BROADSIDE_API_PORT: '9000' });
  expect(started).toBe(1);
});

test('secrets are not taken from the command line, where everyone on the machine could read them', () => {
  const command = startCommandOf(settings, async () => {});
  expect(flagsOf(command).filter(({ name }) => /token|key/.test(name) && name !== 'tls-key')).toEqual([]);
  expect(command.facts?.map(([name]) => name)).toEqual(
    expect.arrayContaining(['BROADSIDE_OPERATOR_TOKEN', 'BROADSIDE_SECRET_KEY']),
  );
});

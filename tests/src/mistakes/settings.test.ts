import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { readConfig } from '@broadside/server';
import { expect, test } from 'vitest';
import { emptyDirectory, runCli } from '../../../apps/cli/src/testing/run-cli.ts';
import { SeedFileError } from '../../../apps/server/src/seed/file-issue.ts';
import { readSeedFile } from '../../../apps/server/src/seed/read-file.ts';
import { about } from '../support/scenario.ts';
import { commandMistakes, seedMistakes, settingMistakes } from './settings.ts';

test('there are more than 50 mistakes, each of its own', () => {
  const names = [...settingMistakes, ...seedMistakes, ...commandMistakes].map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThan(50);
});

/** Returns the error that a function throws. */
function thrown(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

test.for(settingMistakes)(`${about('A-MISTAKES-SETTINGS')}: $name`, ({ env, says }) => {
  const error = thrown(() => readConfig(env));
  expect(error).toBeInstanceOf(Error);
  expect(error instanceof Error ? error.message : '').toContain(says);
});

test.for(seedMistakes)('a seed file: $name', ({ file, says }) => {
  const error = thrown(() => readSeedFile(file, 'seed.yaml'));
  expect(error).toBeInstanceOf(SeedFileError);
  expect(error instanceof SeedFileError ? [error.message, ...error.lines].join('\n') : '').toContain(says);
});

test.for(commandMistakes)('broadside $line', async ({ line, code, says }) => {
  const cwd = emptyDirectory();
  const file = path.join(cwd, 'credentials.json');
  const urls = { ads_base_url: 'http://ads.test', ads_sandbox_base_url: 'http://sandbox.test' };
  const keys = { consumer_key: 'a', consumer_secret: 'b', access_token: 'c', access_token_secret: 'd' };
  writeFileSync(file, JSON.stringify({ ...urls, ...keys }));
  const ended = await runCli(line, { cwd, env: { BROADSIDE_CREDENTIALS: file } });
  expect(ended.code).toBe(code);
  expect(ended.stderr).toContain(says);
});

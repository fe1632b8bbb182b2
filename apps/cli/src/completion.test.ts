import { execFile } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { emptyDirectory, runCli } from './testing/run-cli.ts';

async function candidates(...words: string[]): Promise<string[]> {
  const { stdout } = await runCli(['__complete', '--', ...words]);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t')[0] ?? '');
}

describe('completion offers', () => {
  test('commands, by the contract', async () => {
    expect(await candidates('li')).toEqual(['line-items', 'line-item-curated-categories']);
    expect(await candidates('features', '')).toEqual(['list', 'add', 'remove']);
    expect(await candidates('admin', 'fun')).toEqual(['funding-instruments']);
    expect(await candidates('log')).toEqual(['login', 'logout']);
    expect(await candidates('doctor', '')).toEqual(['signature', 'hash']);
    expect(await candidates('auth', 'a')).toEqual(['account']);
    expect(await candidates('__')).toEqual([]);
  });

  test('flags, those that must be given first, each once', async () => {
    expect((await candidates('campaigns', 'create', '')).slice(0, 2)).toEqual(['--funding-instrument-id', '--name']);
    expect(await candidates('campaigns', 'create', '--name', 'x', '--na')).toEqual([]);
    expect(await candidates('campaigns', 'list', '--with')).toEqual([
      '--with-draft',
      '--with-deleted',
      '--with-total-count',
    ]);
    expect(await candidates('campaigns', 'list', '--no-with-dr')).toEqual(['--no-with-draft']);
    expect(await candidates('campaigns', 'list', '--with_de')).toEqual(['--with-deleted']);
  });

  test('values, also within a list', async () => {
    expect(await candidates('campaigns', 'create', '--entity-status', '')).toEqual(['ACTIVE', 'DRAFT', 'PAUSED']);
    expect(await candidates('campaigns', 'create', '--entity-status=P')).toEqual(['PAUSED']);
    expect(await candidates('features', 'add', '--feature-keys', 'AGE_TARGETING,BR')).toEqual([
      'AGE_TARGETING,BRAND_TPN',
      ':open',
    ]);
    expect(await candidates('posts', 'lookup', '--post-fields', 'lang,in_')).toEqual([
      'lang,in_reply_to_user_id',
      ':open',
    ]);
    expect(await candidates('posts', 'lookup', '--expansions', 'geo')).toEqual(['geo.place_id', ':open']);
    expect(await candidates('campaigns', 'create', '--name', '')).toEqual([]);
    expect(await candidates('campaigns', 'batch', '--file', '')).toEqual([':file']);
    expect(await candidates('doctor', 'signature', '--scheme', '')).toEqual(['http', 'https']);
    expect(await candidates('doctor', 'signature', '')).toEqual([':file']);
    expect(await candidates('login', '--credentials', '')).toEqual([':file']);
    // Each callback URL has a flag of its own.
    const update = ['admin', 'apps', 'update', '--callback-urls', 'http://a.test', '--callback'];
    expect(await candidates(...update)).toEqual(['--callback-urls']);
  });
});

test('the script works in bash', async () => {
  const directory = emptyDirectory();
  const main = path.join(import.meta.dirname, 'main.ts');
  const command = path.join(directory, 'broadside');
  writeFileSync(
    command,
    `#!/bin/sh\nexec "${process.execPath}" --conditions=@broadside/source --disable-warning=ExperimentalWarning "${main}" "$@"\n`,
  );
  chmodSync(command, 0o755);
  // compopt works within a completion only.
  const script = `
    source <(broadside completion bash)
    compopt() { :; }
    try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _broadside; echo "\${COMPREPLY[*]}"; }
    complete -p broadside
    try broadside camp
    try broadside campaigns create --entity-status ''
    try broadside campaigns create --entity-status = PA
    try broadside campaigns create --bud
  `;
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', script], {
    env: { ...process.env, PATH: `${directory}:${process.env['PATH']}` },
  });
  expect(stdout).toBe(
    [
      'complete -F _broadside broadside',
      'campaigns',
      'ACTIVE DRAFT PAUSED',
      'PAUSED',
      '--budget-optimization',
      '',
    ].join('\n'),
  );
});

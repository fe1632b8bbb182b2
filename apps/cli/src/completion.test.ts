import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { commandLine } from './testing/command.ts';
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

/** Runs a script in a shell in which `broadside` is ours. */
async function inShell(shell: readonly [string, ...string[]], script: string): Promise<string> {
  const directory = emptyDirectory();
  const command = path.join(directory, 'broadside');
  writeFileSync(command, `#!/bin/sh\nexec ${commandLine} "$@"\n`);
  chmodSync(command, 0o755);
  const [program, ...args] = shell;
  const { stdout } = await promisify(execFile)(program, [...args, script], {
    env: { ...process.env, HOME: directory, PATH: `${directory}:${process.env['PATH']}` },
  });
  return stdout;
}

const has = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0;

test('the script works in bash', async () => {
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
  expect(await inShell(['bash', '--norc', '-c'], script)).toBe(
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

test.skipIf(!has('fish'))(
  'the script works in fish, which asks for candidates as a person who types does',
  async () => {
    const script = `
    broadside completion fish | source
    complete -C 'broadside campaigns create --entity-status '
    complete -C 'broadside campaigns create --bud'
  `;
    expect((await inShell(['fish', '--no-config', '-c'], script)).replaceAll(/\t.*/g, '')).toBe(
      ['ACTIVE', 'DRAFT', 'PAUSED', '--budget-optimization', ''].join('\n'),
    );
  },
);

test.skipIf(!has('zsh'))('the script works in zsh', async () => {
  // Candidates are taken by functions that exist within a completion only.
  const script = `
    compdef() { print -r -- "compdef $*" }
    _describe() { print -rl -- "\${(@)described%%:*}" }
    _files() { print files }
    source =(broadside completion zsh)
    try() { words=("$@"); CURRENT=$#; _broadside }
    try broadside campaigns create --entity-status ''
    try broadside media upload ''
    true
  `;
  expect(await inShell(['zsh', '-f', '-c'], script)).toBe(
    ['compdef _broadside broadside', 'ACTIVE', 'DRAFT', 'PAUSED', 'files', ''].join('\n'),
  );
});

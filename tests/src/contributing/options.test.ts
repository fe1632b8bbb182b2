/** The options of scripts: a wrong one ends them with a line that says what is right, before they do anything. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';

const module = path.resolve(import.meta.dirname, '../../../tooling/scripts/options.mjs');
const script = `
  import { readOptions } from ${JSON.stringify(module)};
  const options = { rounds: { type: 'string', default: '3' }, only: { type: 'string' } };
  process.stdout.write(JSON.stringify(readOptions({ options })));
`;

function run(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', script, '--', ...args],
    { encoding: 'utf8' },
  );
  return { status, stdout, stderr };
}

test('options of a script are read', () => {
  expect(run('--rounds', '500', '--only', 'production')).toEqual({
    status: 0,
    stdout: '{"rounds":"500","only":"production"}',
    stderr: '',
  });
});

test.for([
  [['--round', '5'], "Unknown option '--round'"],
  [['--rounds'], "Option '--rounds <value>' argument missing"],
  [['--rounds', 'many'], '--rounds is a number, such as 3'],
  [['5'], "Unexpected argument '5'"],
] as const)('%j is rejected', ([args, said]) => {
  expect(run(...args)).toEqual({ status: 2, stdout: '', stderr: `${said}; the options are --rounds, --only\n` });
});

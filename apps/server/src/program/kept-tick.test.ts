import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';

/** What the program says of the objects of two calls. */
function ticks(...args: readonly string[]): string {
  const program = path.join(import.meta.dirname, 'testing/ticks.ts');
  const flags = ['--conditions=@broadside/source', '--expose-gc', '--allow-natives-syntax'];
  return execFileSync(process.execPath, [...flags, program, ...args], { encoding: 'utf8' });
}

test('calls of nextTick make objects of one class, whatever other objects there are', () => {
  expect(ticks('kept')).toBe('true beside 3000\n');
});

test('without one that is kept their class is given up: once it is not, the engine has changed, and none needs to be kept', () => {
  expect(ticks()).toBe('false beside 3000\n');
});

import { expect, test } from 'vitest';
import { MISTAKES } from './mistakes.ts';

/** The part of Node that is used here, declared by hand because core compiles without Node's types. */
declare const process: {
  getBuiltinModule(name: 'node:fs'): { readFileSync(file: URL, encoding: 'utf8'): string };
};
const file = new URL('../../../../docs/guides/signatures.md', import.meta.url);
const guide = process.getBuiltinModule('node:fs').readFileSync(file, 'utf8');

test('the guide on signatures lists every mistake with its texts, in the order of the code', () => {
  const rows = Array.from(guide.matchAll(/^\| `(\w+)` *\| (.*?) *\| (.*?) *\|$/gm), ([, ...cells]) => cells);
  expect(rows).toEqual(Object.entries(MISTAKES).map(([id, { title, hint }]) => [id, title, hint]));
});

import { expect, test } from 'vitest';
import { HASHING_MISTAKES } from './mistakes.ts';
import { hashed } from './testing/node-digest.ts';

/** The part of Node that is used here, declared by hand because core compiles without Node's types. */
declare const process: {
  getBuiltinModule(name: 'node:fs'): { readFileSync(file: URL, encoding: 'utf8'): string };
};
const file = new URL('../../../../docs/guides/hashing.md', import.meta.url);
const guide = process.getBuiltinModule('node:fs').readFileSync(file, 'utf8');

test('the guide on hashing lists every mistake with its texts, in the order of the code', () => {
  const [, mistakes = ''] = guide.split('## Mistakes');
  const rows = Array.from(mistakes.matchAll(/^\| `(\w+)` *\| (.*?) *\| (.*?) *\|$/gm), ([, ...cells]) => cells);
  expect(rows).toEqual(Object.entries(HASHING_MISTAKES).map(([id, { title, hint }]) => [id, title, hint]));
});

test('the guide on hashing states the hash of the reference', () => {
  expect(guide).toContain(hashed('adsapi'));
});

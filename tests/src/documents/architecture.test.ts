import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../../..');
const text = readFileSync(path.join(root, 'ARCHITECTURE.md'), 'utf8');

const foldersIn = (folder: string) =>
  readdirSync(path.join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^(\.|node_modules$)/.test(entry.name))
    .map(({ name }) => name)
    // Git leaves empty folders behind.
    .filter((name) => readdirSync(path.join(root, folder, name)).length > 0);

/** The names in the first column of a table, by the heading of that column. */
function firstColumn(heading: string): string[] {
  const rows = text.split(`\n| ${heading}`)[1]?.split('\n\n')[0] ?? '';
  return Array.from(rows.matchAll(/\n\| `([^`]+)`/g), ([, name = '']) => name);
}

test('each folder of the server has its purpose in ARCHITECTURE, and no other is named', () => {
  expect(firstColumn('`apps/server/src/`').toSorted()).toEqual(foldersIn('apps/server/src').toSorted());
});

test('so has each part of core', () => {
  const named = firstColumn('Place').flatMap(
    (place) => /^packages\/core\/src\/([\w-]+)(?:\/|$)/.exec(place)?.[1] ?? [],
  );
  expect(named.toSorted()).toEqual(foldersIn('packages/core/src').toSorted());
});

test('so has each folder of the root and each package', () => {
  const named = firstColumn('Place').map((place) => place.split('/')[0] ?? '');
  expect([...new Set([...named, 'apps'])].toSorted()).toEqual(foldersIn('.').toSorted());
  for (const name of foldersIn('packages')) expect(text).toContain(`\`packages/${name}`);
});

test('every path that ARCHITECTURE names is there', () => {
  const paths = Array.from(
    text.matchAll(/`((?:apps|packages|tooling|tests|docs)\/[\w./-]+)(?:<[^`]*)?`/g),
    ([, name = '']) => name,
  );
  expect(paths.length).toBeGreaterThan(20);
  expect(paths.filter((name) => !existsSync(path.join(root, name)))).toEqual([]);
});

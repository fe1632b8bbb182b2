import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { publicPackages } from './packages.mjs';
import { readmes, switched } from './readmes.mjs';
import { execute, root } from './toolchain.mjs';

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const pages = execute('git', ['ls-files', '*.md', ':!docs/adr', ':!.changeset', ':!**/CHANGELOG.md']).stdout.split(
  '\n',
);
/** Commands that work only once the packages are in the registry. */
const REGISTRY = /\b(npm (install|i|exec|create)|npx|pnpm (add|dlx)|yarn add)( [^\s`|]+)*? (@broadside\/|broadside\b)/;

test('every published package describes its installation, in a passage that the release switches', () => {
  expect(readmes).toEqual(expect.arrayContaining(publicPackages().map(({ folder }) => `${folder}/README.md`)));
});

test('all READMEs describe the same way', () => {
  const ways = (['checkout', 'published'] as const).filter((way) =>
    readmes.every((file) => switched(file, read(file), way) === read(file)),
  );
  expect(ways, 'run node tooling/scripts/readmes.mjs --checkout').toHaveLength(1);
});

describe.each(readmes)('%s', (file) => {
  const checkout = switched(file, read(file), 'checkout');
  const published = switched(file, read(file), 'published');

  test('switches there and back', () => {
    expect(published).not.toBe(checkout);
    expect(switched(file, published, 'checkout')).toBe(checkout);
    expect(switched(file, checkout, 'published')).toBe(published);
  });

  test('names the registry after the release', () => {
    expect(published).toMatch(REGISTRY);
    expect(published).not.toContain('not in the npm registry yet');
  });
});

test.each(pages.filter((file) => file !== ''))('before the release %s does not mention the registry', (file) => {
  const text = readmes.includes(file) ? switched(file, read(file), 'checkout') : read(file);
  expect(text).not.toMatch(REGISTRY);
});

test('a README without the markers of a passage is reported', () => {
  expect(() => switched('packages/client/README.md', '# client', 'checkout')).toThrow('no passage');
});

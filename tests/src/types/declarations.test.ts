/**
 * Budgets of the declarations that packages publish: what an editor reads before it knows a single type of ours. Works on the
 * present build. A declaration that repeats another's structure, where it could name it, is what makes these numbers jump.
 */
import { globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, test } from 'vitest';

const KB = 1000;
const repository = path.resolve(import.meta.dirname, '../../..');

function declarationsOf(folder: string): { readonly file: string; readonly bytes: number }[] {
  const dist = path.join(repository, folder, 'dist');
  return globSync('**/*.d.ts', { cwd: dist }).map((file) => ({ file, bytes: statSync(path.join(dist, file)).size }));
}

describe.each([
  { folder: 'packages/core', most: 1160 * KB },
  { folder: 'packages/client', most: 66 * KB },
  { folder: 'packages/testkit', most: 48 * KB },
  { folder: 'apps/server', most: 822 * KB },
])('$folder', ({ folder, most }) => {
  it(`publishes at most ${most} bytes of declarations`, () => {
    const bytes = declarationsOf(folder).reduce((sum, each) => sum + each.bytes, 0);
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(most);
  });

  it('has no declaration of more than 55 KB', () => {
    expect(declarationsOf(folder).filter(({ bytes }) => bytes > 55 * KB)).toEqual([]);
  });
});

test.each([
  ['contract', 5 * KB],
  ['families', 10 * KB],
  ['resources/operator/operations', 3 * KB],
])("core's %s names what it is made of, in at most %i bytes", (name, most) => {
  const [found] = declarationsOf('packages/core').filter(({ file }) => file === `${name}.d.ts`);
  expect(found?.bytes).toBeGreaterThan(0);
  expect(found?.bytes).toBeLessThanOrEqual(most);
});

test('every declaration of the server is one that its entries lead to, and none is missing', () => {
  const dist = path.join(repository, 'apps/server/dist');
  const files = declarationsOf('apps/server').map(({ file }) => file);
  const named = files.flatMap((file) =>
    Array.from(
      readFileSync(path.join(dist, file), 'utf8').matchAll(/["'](\.{1,2}\/[^"']+)\.[jt]s["']/g),
      ([, to = '']) => path.join(path.dirname(file), `${to}.d.ts`),
    ),
  );
  const manifest = readFileSync(path.join(repository, 'apps/server/package.json'), 'utf8');
  const entries = Array.from(manifest.matchAll(/"types": "\.\/dist\/([^"]+)"/g), ([, file]) => file);
  expect(files.toSorted()).toEqual([...new Set([...named, ...entries])].sort());
});

/**
 * Pins a public surface: its present state is in committed files, so that a change shows in review as a diff. The tests only
 * compare, in CI and elsewhere; `npm run pins` writes the files anew.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const snapshots = path.join(import.meta.dirname, 'snapshots');
const isUpdate = process.env['PINS'] === 'update';

/** Printed with every difference. */
const ADVICE =
  'A surface that users of the packages see has changed. If that is intended, run `npm run pins`, commit the difference, and ' +
  'describe the change for them in a changeset (`npm run changeset`; docs/versioning.md says what counts as breaking).';

/** Texts by the names of their files, relative to the folder of the surface. */
export type Surface = Readonly<Record<string, string>>;

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .sort();
}

/**
 * Declares the tests of a surface: each file says what the surface says, and there is a file for each part of it.
 * @param name the folder of its snapshots
 */
export function pin(name: string, surface: Surface): void {
  const folder = path.join(snapshots, name);
  if (isUpdate) {
    rmSync(folder, { recursive: true, force: true });
    for (const [file, text] of Object.entries(surface)) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), text);
    }
  }

  test(`${name}: nothing has been added or removed`, () => {
    expect(Object.keys(surface).sort(), ADVICE).toEqual(filesIn(folder));
  });

  test.for(Object.entries(surface))(`${name}/%s`, ([file, text]) => {
    let pinned = '';
    try {
      pinned = readFileSync(path.join(folder, file), 'utf8');
    } catch {
      expect.fail(`There is no pin ${name}/${file}. ${ADVICE}`);
    }
    expect(text, ADVICE).toBe(pinned);
  });
}

/** The names that each entry of each published package exports. */
import { globSync } from 'node:fs';
import path from 'node:path';
import { publicPackages } from '../../../tooling/scripts/packages.mjs';
import { root } from '../../../tooling/scripts/toolchain.mjs';
import { exportedNames } from './exported-names.ts';
import { pin } from './pin.ts';

const SOURCE = '@broadside/source';

/** An entry as a consumer imports it, and its source. */
interface Entry {
  readonly name: string;
  readonly source: string;
}

/** Expands an entry with a `*` to one entry for each file that it matches. */
function entriesOf(folder: string, subpath: string, target: string): Entry[] {
  if (!subpath.includes('*')) return [{ name: subpath, source: path.join(root, folder, target) }];
  const [before = '', after = ''] = path.join(folder, target).split('*');
  return globSync(`${before}*${after}`, { cwd: root }).map((file) => ({
    name: subpath.replace('*', file.slice(before.length, file.length - after.length)),
    source: path.join(root, file),
  }));
}

const files = publicPackages().flatMap(({ folder, manifest }) =>
  Object.entries(manifest.exports ?? {}).flatMap(([subpath, target]) => {
    if (typeof target === 'string' || !target[SOURCE]) return [];
    return entriesOf(folder, subpath, target[SOURCE]).map(({ name, source }) => {
      const lines = [...exportedNames(source)].map(([exported, kinds]) => `${exported} ${[...kinds].sort().join(' ')}`);
      return [`${path.posix.join(manifest.name, name === '.' ? 'index' : name)}.txt`, `${lines.sort().join('\n')}\n`];
    });
  }),
);

pin('exports', Object.fromEntries(files));

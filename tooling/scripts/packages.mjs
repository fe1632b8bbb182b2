// The workspace's packages, and their published manifests.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { execute, root } from './toolchain.mjs';

/**
 * @typedef {object} Manifest The members of a package.json that the scripts use.
 * @property {string} name
 * @property {string} version
 * @property {boolean} [private]
 * @property {string} [license]
 * @property {string} [type]
 * @property {string} [packageManager]
 * @property {string | { type: string, url: string, directory?: string }} [repository]
 * @property {string} [homepage]
 * @property {string} [bugs]
 * @property {{ access?: string, provenance?: boolean }} [publishConfig]
 * @property {string[]} [files]
 * @property {Record<string, string>} [engines]
 * @property {Record<string, string>} [bin]
 * @property {Record<string, string | Record<string, string>>} [exports]
 * @property {Record<string, string>} [scripts]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [devDependencies]
 * @property {Record<string, string>} [peerDependencies]
 *
 * @typedef {{ folder: string, manifest: Manifest }} Package The folder is relative to the root.
 */

/**
 * @param {string} folder
 * @returns {Package}
 */
export function readPackage(folder) {
  return { folder, manifest: JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8')) };
}

/** Returns every package of the workspace, except the root. */
export function workspacePackages() {
  const rooms = ['packages', 'apps', 'tooling'].flatMap((room) =>
    readdirSync(path.join(root, room)).map((name) => path.join(room, name)),
  );
  return [...rooms, 'tests', 'docs/examples']
    .filter((folder) => existsSync(path.join(root, folder, 'package.json')))
    .map(readPackage);
}

/** Returns the packages that are published. */
export function publicPackages() {
  return workspacePackages().filter(({ manifest }) => !manifest.private);
}

/**
 * Returns the workspace packages that a package needs at run time, itself last.
 * @param {Package} wanted
 * @param {readonly Package[]} [packages]
 * @returns {readonly Package[]}
 */
export function withDependencies(wanted, packages = publicPackages()) {
  const needed = packages.filter(({ manifest }) => wanted.manifest.dependencies?.[manifest.name] !== undefined);
  return [...new Set([...needed.flatMap((each) => withDependencies(each, packages)), wanted])];
}

/**
 * Packs packages as `npm publish` would, from their existing build, in one start of npm.
 * @param {readonly string[]} folders relative to the root
 * @param {string} destination
 * @returns the paths of the tarballs, in the order of the folders
 */
export function pack(folders, destination) {
  const packed = execute('npm', [
    'pack',
    ...folders.map((folder) => `./${folder}`),
    '--ignore-scripts',
    '--json',
    '--loglevel=error',
    `--pack-destination=${destination}`,
  ]);
  if (packed.code !== 0) throw new Error(`npm pack ${folders.join(' ')} failed: ${packed.output}`);
  /** @type {{ filename: string }[]} */
  const tarballs = JSON.parse(packed.stdout);
  if (tarballs.length !== folders.length) throw new Error(`npm pack ${folders.join(' ')} made ${tarballs.length}`);
  return tarballs.map(({ filename }) => path.join(destination, filename.replace('@', '').replace('/', '-')));
}

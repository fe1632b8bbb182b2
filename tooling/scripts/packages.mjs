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
 * Packs a package as `npm publish` would, from its existing build.
 * @param {string} folder relative to the root
 * @param {string} destination
 * @returns the path of the tarball
 */
export function pack(folder, destination) {
  const packed = execute('npm', [
    'pack',
    `./${folder}`,
    '--ignore-scripts',
    '--json',
    '--loglevel=error',
    `--pack-destination=${destination}`,
  ]);
  if (packed.code !== 0) throw new Error(`npm pack ${folder} failed: ${packed.output}`);
  /** @type {{ filename: string }[]} */
  const [tarball] = JSON.parse(packed.stdout);
  if (!tarball) throw new Error(`npm pack ${folder} made nothing`);
  return path.join(destination, tarball.filename.replace('@', '').replace('/', '-'));
}

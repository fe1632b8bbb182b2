// Holds the migrations against the fixtures of released schemas: no release without its fixture, and no change of a released migration.
//   node tooling/scripts/fixtures.mjs [--release]
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { readOptions } from './options.mjs';
import { root } from './toolchain.mjs';

/** @typedef {Record<'platform' | 'ads', readonly { readonly tag: string, readonly hash: string }[]>} Migrations */
/**
 * @typedef {{
 *   readonly version: string,
 *   readonly isReleased: boolean,
 *   readonly isNext: boolean,
 *   readonly migrations: Migrations,
 *   readonly fixtures: Readonly<Record<string, Migrations>>,
 * }} State
 */

/**
 * Lists what is wrong, one line each.
 * @param {State} state `isReleased`: the version of the packages was published; `isNext`: it is what the next release publishes
 * @returns {string[]}
 */
export function faultsOf({ version, isReleased, isNext, migrations, fixtures }) {
  const make = '`node --conditions=@broadside/source tests/upgrades/make.ts` makes it';
  /** @type {string[]} */
  const faults = [];
  for (const [name, held] of Object.entries(fixtures)) {
    for (const kind of /** @type {const} */ (['platform', 'ads'])) {
      const wrong = held[kind].findIndex(({ tag, hash }, i) => {
        const now = migrations[kind][i];
        return now?.tag !== tag || now.hash !== hash;
      });
      const found = held[kind][wrong];
      if (found) {
        faults.push(
          `The migration ${found.tag} (${kind}) was changed or removed after the fixture ${name}: stores have it; add another one.`,
        );
      }
    }
  }
  const own = Object.hasOwn(fixtures, version) ? fixtures[version] : undefined;
  if (!own && (isReleased || isNext)) faults.push(`There is no fixture of version ${version}: ${make}.`);
  if (own && isNext) {
    for (const kind of /** @type {const} */ (['platform', 'ads'])) {
      const [newest] = migrations[kind].slice(own[kind].length);
      if (newest)
        faults.push(`The fixture of version ${version} lacks the migration ${newest.tag} (${kind}): ${make}.`);
    }
  }
  return faults;
}

/**
 * The migrations of a kind of store, with the hashes that stores record.
 * @param {string} kind
 */
function migrationsOf(kind) {
  const folder = path.join(root, 'apps/server/drizzle', kind);
  /** @type {{ entries: { tag: string }[] }} */
  const journal = JSON.parse(readFileSync(path.join(folder, 'meta/_journal.json'), 'utf8'));
  return journal.entries.map(({ tag }) => {
    const text = readFileSync(path.join(folder, `${tag}.sql`), 'utf8').replaceAll('\r\n', '\n');
    return { tag, hash: createHash('sha256').update(text).digest('hex') };
  });
}

/** @returns {Record<string, Migrations>} */
function readFixtures() {
  const folder = path.join(root, 'tests/upgrades/fixtures');
  const end = '.json.br';
  const names = readdirSync(folder).filter((name) => name.endsWith(end));
  return Object.fromEntries(
    names.map((name) => {
      const { migrations } = JSON.parse(brotliDecompressSync(readFileSync(path.join(folder, name))).toString());
      return [name.slice(0, -end.length), migrations];
    }),
  );
}

if (import.meta.main) {
  const values = readOptions({ options: { release: { type: 'boolean', default: false } } });
  /** @type {{ version: string }} */
  const { version } = JSON.parse(readFileSync(path.join(root, 'apps/server/package.json'), 'utf8'));
  const pending = readdirSync(path.join(root, '.changeset')).filter(
    (name) => name.endsWith('.md') && name !== 'README.md',
  );
  const faults = faultsOf({
    version,
    isReleased: existsSync(path.join(root, 'apps/server/CHANGELOG.md')),
    // With changesets the next release has another version.
    isNext: values.release || pending.length === 0,
    migrations: { platform: migrationsOf('platform'), ads: migrationsOf('ads') },
    fixtures: readFixtures(),
  });
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  if (faults.length > 0) process.exitCode = 1;
}

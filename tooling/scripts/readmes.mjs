// Passages of the READMEs on how to install Broadside. Until the packages are in the npm registry they describe a
// checkout; the release switches them, and nothing else, to the registry.
//   node tooling/scripts/readmes.mjs --published      (or --checkout)
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readOptions } from './options.mjs';
import { publicPackages, readPackage, withDependencies } from './packages.mjs';
import { root } from './toolchain.mjs';

/**
 * @typedef {'checkout' | 'published'} Way
 * @typedef {{ file: string, name: string, texts: Record<Way, string> }} Passage The text between
 * `<!-- name -->` and `<!-- /name -->`.
 */

const repository = `[checkout](${readPackage('.').manifest.repository})`;

const sh = (/** @type {string[]} */ ...lines) => ['```sh', ...lines, '```'].join('\n');

/** @param {string} name */
function tarballsOf(name) {
  const wanted = publicPackages().find(({ manifest }) => manifest.name === name);
  if (!wanted) throw new TypeError(`no package ${name}`);
  const names = withDependencies(wanted).map(({ manifest }) => manifest.name.replace('@broadside/', ''));
  const scoped = names.filter((each) => each !== 'broadside');
  const pattern = scoped.length > 1 ? `{${scoped.join(',')}}` : scoped[0];
  return [
    `../broadside/tarballs/broadside-${pattern}-*.tgz`,
    ...(names.includes('broadside') ? ['../broadside/tarballs/broadside-[0-9]*.tgz'] : []),
  ].join(' ');
}

/**
 * @param {string} folder
 * @param {string} name
 * @returns {Passage}
 */
const library = (folder, name) => ({
  file: `${folder}/README.md`,
  name: 'install',
  texts: {
    checkout: `It is not in the npm registry yet. Pack it in a ${repository}, then install the tarballs:

${sh('npm run pack                     # in the checkout', `npm install ${tarballsOf(name)}   # in your project`)}`,
    published: sh(`npm install ${name}`),
  },
});

const aliased = sh('npm run build                    # once; Node 18 or newer', `alias broadside="$PWD/broadside"`);

/** @type {readonly Passage[]} */
const passages = [
  {
    file: 'README.md',
    name: 'run',
    texts: {
      checkout: `You need Node 18 or later with npm.

${sh('git clone <url> broadside && cd broadside', 'npm start')}`,
      published: `With Node 22.2 or later, \`npx broadside start\` is enough. The examples below use a checkout, which needs Node 18 or later with npm:

${sh('git clone <url> broadside && cd broadside', 'npm start')}`,
    },
  },
  {
    file: 'README.md',
    name: 'client',
    texts: {
      checkout: "[The client's page](packages/client) says how to install it.",
      published: sh('npm install @broadside/client'),
    },
  },
  library('packages/core', '@broadside/core'),
  library('packages/client', '@broadside/client'),
  library('packages/testkit', '@broadside/testkit'),
  {
    file: 'packages/broadside/README.md',
    name: 'install',
    texts: {
      checkout: `It is not in the npm registry yet. In a ${repository}:

${aliased}`,
      published: sh('npx broadside start              # Node 22.2 or newer', 'npm install --global broadside'),
    },
  },
  {
    file: 'apps/cli/README.md',
    name: 'install',
    texts: {
      checkout: `It is not in the npm registry yet. In a ${repository}:

${aliased}`,
      published: sh('npm install --global @broadside/cli   # Node 22.2 or newer'),
    },
  },
  {
    file: 'apps/server/README.md',
    name: 'run',
    texts: {
      checkout: `It is not in the npm registry yet. In a ${repository}:

${sh('npm start')}`,
      published: sh('npx @broadside/cli start'),
    },
  },
];

/**
 * Writes the passages of a file for one way.
 * @param {string} file relative to the root
 * @param {string} text
 * @param {Way} way
 * @throws Error when a passage has no place in the text
 */
export function switched(file, text, way) {
  return passages
    .filter((passage) => passage.file === file)
    .reduce((whole, { name, texts }) => {
      const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
      const [before, rest, ...more] = whole.split(start);
      const [, after, ...others] = rest?.split(end) ?? [];
      if (before === undefined || after === undefined || more.length > 0 || others.length > 0) {
        throw new Error(`${file} has no passage from ${start} to ${end}, or several`);
      }
      return `${before}${start}\n\n${texts[way]}\n\n${end}${after}`;
    }, text);
}

/** Files that have passages. */
export const readmes = [...new Set(passages.map(({ file }) => file))];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const values = readOptions({ options: { published: { type: 'boolean' }, checkout: { type: 'boolean' } } });
  if (Boolean(values.published) === Boolean(values.checkout)) {
    process.stderr.write('give --published or --checkout\n');
    process.exit(2);
  }
  for (const file of readmes) {
    const at = path.join(root, file);
    writeFileSync(at, switched(file, readFileSync(at, 'utf8'), values.published ? 'published' : 'checkout'));
  }
}

// Two builds of one source.
//   dist/index.js            the library: this package's own files in one, dependencies as imports, so that a program that
//                            also uses @broadside/core has one copy of its classes.
//   dist/main.js, start.js   the program, with seed/index.js beside it: dependencies included, since finding and opening some hundred
//                            small files takes longer than all else at start.
//   dist/member-worker.js    the thread that merges members of audiences, of either.
//   dist/threads/reader-main.js   the threads that serve reads beside the main thread.
//   dist/film-worker.js      the thread that decodes a frame of a film, of either.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

/** @type {import('esbuild').BuildOptions} */
const shared = {
  absWorkingDir: import.meta.dirname,
  outdir: 'dist',
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  logLevel: 'warning',
};

// Native code cannot be bundled.
const external = ['libsql', '@node-rs/argon2'];

/**
 * Node's modules of HTTP as `require` gives them. An `import` of one reads all of its members to make its names, and among
 * those are `WebSocket` and others of `fetch`, whose code takes 20 ms to load at a start that has no use for it.
 * @type {import('esbuild').Plugin}
 */
const requiredHttp = {
  name: 'required-http',
  setup(build) {
    build.onResolve({ filter: /^(?:node:)?https?$/ }, ({ path: name, kind }) =>
      kind === 'import-statement' ? { path: name, namespace: 'required-http' } : undefined,
    );
    build.onLoad({ filter: /^/, namespace: 'required-http' }, ({ path: name }) => ({
      contents: `module.exports = require(${JSON.stringify(name)});`,
    }));
  },
};

rmSync(path.join(import.meta.dirname, 'dist'), { recursive: true, force: true });
await build({ ...shared, entryPoints: ['src/index.ts'], packages: 'external' });
await build({
  ...shared,
  entryPoints: { 'member-worker': 'src/members/worker/main.ts', 'film-worker': 'src/media/stills/film-worker.ts' },
});
const { metafile } = await build({
  ...shared,
  metafile: true,
  entryPoints: ['src/main.ts', 'src/start.ts', 'src/seed/index.ts', 'src/threads/reader-main.ts'],
  outbase: 'src',
  splitting: true,
  chunkNames: 'chunks/[hash]',
  external,
  plugins: [requiredHttp],
  // CommonJS dependencies call `require` for Node's own modules.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);",
  },
});
writeFileSync(path.join(import.meta.dirname, 'dist/licenses.txt'), licenses(Object.keys(metafile.inputs)));

/**
 * The licences of the packages that the program includes: most ask that their text goes along.
 * @param {string[]} inputs
 */
function licenses(inputs) {
  const folders = new Set(inputs.flatMap((file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []));
  const texts = [...folders].sort().map((folder) => {
    const at = path.resolve(import.meta.dirname, folder);
    const { name, version, license } = JSON.parse(readFileSync(path.join(at, 'package.json'), 'utf8'));
    const file = readdirSync(at).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file ? readFileSync(path.join(at, file), 'utf8').trim() : `License: ${license}`;
    return `${name} ${version}\n\n${text}\n`;
  });
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}

// Two builds of one source.
//   dist/index.js            the library: this package's own files in one, dependencies as imports, so that a program that
//                            also uses @broadside/core has one copy of its classes.
//   dist/main.js, start.js   the program, with seed/index.js beside it: dependencies included, since finding and opening some hundred
//                            small files takes longer than all else at start.
//   dist/member-worker.js    the thread that merges members of audiences, of either.
//   dist/threads/reader-main.js   the threads that serve reads beside the main thread.
//   dist/film-worker.js      the thread that decodes a frame of a film, of either.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import path from 'node:path';
import { build } from 'esbuild';

const require = createRequire(import.meta.url);

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
 * Node's own modules as `require` gives them. An `import` of one reads all of its members to make its names, and behind some of
 * those is code that takes milliseconds to load: `WebSocket` of http, `webcrypto` of crypto. Members that nobody imports are left
 * out as unused.
 * @type {import('esbuild').Plugin}
 */
const requiredModules = {
  name: 'required-modules',
  setup(build) {
    build.onResolve({ filter: /^/ }, ({ path: name, kind }) => {
      if (kind === 'import-statement' && isBuiltin(name))
        return { path: name, namespace: 'required', sideEffects: false };
      if (kind === 'require-call' && later.test(name)) return { path: name, namespace: 'later' };
      return undefined;
    });
    build.onLoad({ filter: /^/, namespace: 'required' }, ({ path: name }) => ({
      contents: [
        `const whole = require(${JSON.stringify(name)});`,
        'export default whole;',
        ...Object.keys(require(name)).map(
          (member) => `export const ${member} = /* @__PURE__ */ ((from) => from.${member})(whole);`,
        ),
      ].join('\n'),
    }));
    build.onLoad({ filter: /^/, namespace: 'later' }, ({ path: name }) => ({
      contents: Object.keys(require(name))
        .map((member) => `Object.defineProperty(exports, '${member}', { get: () => require('${name}').${member} });`)
        .join('\n'),
    }));
  },
};

/** Modules that the framework loads for servers with TLS, of which there are none: when one of their members is used. */
const later = /^(?:node:)?(?:https|http2)$/;

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
  plugins: [requiredModules],
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

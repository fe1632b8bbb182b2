// Two builds of one source.
//   dist/index.js            the library: this package's own files in one, dependencies as imports, so that a program that
//                            also uses @broadside/core has one copy of its classes.
//   dist/main.js, start.js   the program, with seed/index.js, backup/index.js and check/index.js beside it: dependencies included, since finding and opening
//                            some hundred small files takes longer than all else at start.
//   dist/program-*.cjs       all that a start loads, in one script whose compiled code is kept; program.js runs it.
//   dist/dialects/index.js   dialect files, for the proxy that stands before the server.
//   dist/place.js             where a server is, for clients on the same machine.
//   dist/member-worker.js    the thread that merges members of audiences, of either.
//   dist/threads/reader-main.js   the threads that serve reads beside the main thread.
//   dist/seed/generator-main.js   the thread that generates people and posts of a new world.
//   dist/film-worker.js      the thread that decodes a frame of a film, of either.
//   dist/language-worker.js  the thread that tells the languages of texts, of either.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import path from 'node:path';
import { build } from 'esbuild';
import { joinProgram } from './join-program.mjs';
import { readDialectFile } from './src/dialects/read-file.ts';

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

// Native code cannot be bundled. The second is another way to that of `libsql`, which copies of worlds load when they are made.
const external = ['@node-rs/argon2', 'libsql/promise'];

/**
 * Places of dependencies that take long at a start, with what does the same there. The build fails where one is not as it was.
 * @type {readonly { readonly file: RegExp, readonly former: string, readonly now: string }[]}
 */
const replaced = [
  // The binding of SQLite chooses its native code by a report of the whole process and by the output of commands: a twentieth of a
  // start. On the usual systems there is one choice, which fails at once where it is wrong; then the package chooses.
  {
    file: /[/\\]libsql[/\\]index\.js$/,
    former:
      'const { load, currentTarget } = require("@neon-rs/load");\nconst { familySync, GLIBC, MUSL } = require("detect-libc");\n',
    now: 'const near = require("node:module").createRequire(require.resolve("libsql"));\n',
  },
  {
    file: /[/\\]libsql[/\\]index\.js$/,
    former: 'function requireNative() {\n',
    now: `function requireNative() {
  if (process.platform === 'linux' && (process.arch === 'x64' || process.arch === 'arm64')) {
    try {
      return near(\`@libsql/linux-\${process.arch}-gnu\`);
    } catch {}
  }
  const { load, currentTarget } = near('@neon-rs/load');
  const { familySync, GLIBC, MUSL } = near('detect-libc');
`,
  },
  {
    file: /[/\\]libsql[/\\]index\.js$/,
    former: 'return require(`@libsql/',
    now: 'return near(`@libsql/',
  },
  // The router compiles a function for each piece of a path, and one for the parameters of each route.
  {
    file: /[/\\]find-my-way[/\\]lib[/\\]node\.js$/,
    former: 'function compilePrefixMatch (prefix) {\n',
    now: 'function compilePrefixMatch (prefix) {\n  return (path, i) => path.startsWith(prefix, i)\n',
  },
  {
    file: /[/\\]find-my-way[/\\]lib[/\\]handler-storage\.js$/,
    former: '_compileCreateParamsObject (params) {\n',
    now: `_compileCreateParamsObject (names) {
    return (param0, param1, param2, param3, extraParams) => {
      const params = new NullObject()
      const values = [param0, param1, param2, param3]
      for (let i = 0; i < names.length; i++) params[names[i]] = i < 4 ? values[i] : extraParams[i - 4]
      return params
    }
  }

  _compiledCreateParamsObject (params) {
`,
  },
  // The framework makes three lists for each kind of hook of each route, of which nearly all stay empty.
  {
    file: /[/\\]fastify[/\\]lib[/\\]route\.js$/,
    former: '            const toSet = this[kHooks][hook]\n',
    now: `            if (this[kHooks][hook].length === 0 && !opts[hook]) {
              context[hook] = null
              continue
            }
            const toSet = this[kHooks][hook]
`,
  },
];

/** @type {import('esbuild').Plugin} */
const quickStart = {
  name: 'quick-start',
  setup(build) {
    // The package of the native code need not be visible from here, but it is from there.
    build.onResolve({ filter: /^libsql$/ }, ({ path: name, kind }) =>
      kind === 'require-resolve' ? { path: name, external: true } : undefined,
    );
    for (const file of new Set(replaced.map((each) => each.file.source))) {
      build.onLoad({ filter: new RegExp(file) }, ({ path: found }) => {
        let contents = readFileSync(found, 'utf8');
        for (const { former, now } of replaced.filter((each) => each.file.source === file)) {
          if (contents.split(former).length !== 2) throw new Error(`${found} is not as it was: see build.mjs`);
          contents = contents.replace(former, () => now);
        }
        return { contents };
      });
    }
  },
};

/**
 * Versions of plugins are compared only where a plugin asks for one, which none here does.
 * @type {import('esbuild').Plugin}
 */
const laterVersions = {
  name: 'later-versions',
  setup(build) {
    build.onResolve({ filter: /^semver$/ }, ({ path: name, importer, resolveDir }) =>
      importer.includes('fastify') ? { path: name, namespace: 'later-package', pluginData: resolveDir } : undefined,
    );
    build.onLoad({ filter: /^semver$/, namespace: 'later-package' }, ({ pluginData: resolveDir }) => ({
      contents: "Object.defineProperty(exports, 'satisfies', { get: () => require('semver').satisfies });",
      resolveDir,
    }));
  },
};

/**
 * Node's own modules as `require` gives them. An `import` of one reads all of its members to make its names, and behind some of
 * those is code that takes milliseconds to load: `WebSocket` of http, `webcrypto` of crypto. Members that nobody imports are left
 * out as unused.
 * @type {import('esbuild').Plugin}
 */
const requiredModules = {
  name: 'required-modules',
  setup(build) {
    build.onResolve({ filter: /^/ }, ({ path: name, kind, namespace }) => {
      if (kind === 'import-statement' && isBuiltin(name))
        return { path: name, namespace: 'required', sideEffects: false };
      // What is required later is the module itself, and not again the one that stands for it.
      if (kind === 'require-call' && later.test(name) && namespace === 'file')
        return { path: name, namespace: 'later' };
      return undefined;
    });
    build.onLoad({ filter: laterImports, namespace: 'required' }, ({ path: name }) => {
      // A call of `require` with a text cannot be left out as unused.
      const read = (/** @type {string} */ member) => `/* @__PURE__ */ ((name) => require(name)${member})('${name}')`;
      return {
        contents: [
          `export default ${read('')};`,
          // Classes are used with `new` and `extends`, and so are themselves.
          ...Object.entries(require(name)).map(([member, value]) =>
            typeof value === 'function' && /^[a-z]/.test(member)
              ? `export const ${member} = (...given) => require('${name}').${member}(...given);`
              : `export const ${member} = ${read(`.${member}`)};`,
          ),
        ].join('\n'),
      };
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

/**
 * Puts the shipped dialects into the build, checked: reading and checking one would take a tenth of each start.
 * @type {import('esbuild').Plugin}
 */
const shippedDialects = {
  name: 'shipped-dialects',
  setup(build) {
    build.onLoad({ filter: /[/\\]checked-dialects\.ts$/ }, () => {
      const folder = path.join(import.meta.dirname, 'dialects');
      const dialects = readdirSync(folder).map((file) => [
        path.parse(file).name,
        readDialectFile(readFileSync(path.join(folder, file), 'utf8'), file),
      ]);
      const text = JSON.stringify(JSON.stringify(dialects));
      return { contents: `export const checkedDialects = new Map(JSON.parse(${text}));` };
    });
  },
};

/** Modules that the framework loads for servers with TLS, of which there are none: when one of their members is used. */
const later = /^(?:node:)?(?:https|http2)$/;

/** Modules for TLS, which most servers leave to a proxy before them: when one of their functions is called. */
const laterImports = /^(?:node:)?(?:https|tls)$/;

/**
 * Leaves other files to the outputs that they have of their own.
 * @type {import('esbuild').Plugin}
 */
const builtBeside = {
  name: 'built-beside',
  setup(build) {
    build.onResolve({ filter: /^\..*\.ts$/ }, ({ path: name, kind }) =>
      kind === 'dynamic-import' ? { path: name.replace(/ts$/, 'js'), external: true } : undefined,
    );
  },
};

rmSync(path.join(import.meta.dirname, 'dist'), { recursive: true, force: true });
await build({ ...shared, entryPoints: ['src/index.ts'], packages: 'external', plugins: [shippedDialects] });
await build({ ...shared, entryPoints: { 'language-worker': 'src/posts/language-worker.ts' }, packages: 'external' });
await build({
  ...shared,
  entryPoints: { 'member-worker': 'src/members/worker/main.ts', 'film-worker': 'src/media/stills/film-worker.ts' },
});
// Shorter texts are read and compared with the cache of compiled code in less time. Names stay, for stack traces.
const short = /** @type {const} */ ({ minifyWhitespace: true, minifySyntax: true });
// CommonJS dependencies call `require` for Node's own modules.
const banner = {
  js: "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);",
};
/** @satisfies {import('esbuild').BuildOptions} */
const program = {
  ...shared,
  ...short,
  metafile: true,
  outbase: 'src',
  splitting: true,
  external,
  plugins: [requiredModules, shippedDialects, quickStart, laterVersions],
  banner,
};
const { metafile } = await build({
  ...program,
  chunkNames: 'chunks/[hash]',
  entryPoints: [
    'src/start.ts',
    'src/seed/index.ts',
    'src/backup/index.ts',
    'src/check/index.ts',
    'src/seed/generator-main.ts',
    'src/threads/reader.ts',
  ],
});
// These turn on caching, before they load what is cached.
await build({
  ...shared,
  ...short,
  outbase: 'src',
  entryPoints: ['src/main.ts', 'src/threads/reader-main.ts'],
  plugins: [builtBeside],
});
// These are loaded by commands that are over in no time, and have chunks of their own, for those of the server are joined.
await build({ ...program, chunkNames: 'chunks/client-[hash]', entryPoints: ['src/place.ts', 'src/dialects/index.ts'] });
const joined = { ...shared, ...short, external };
await joinProgram('dist/start.js', metafile.outputs, joined, { ...joined, plugins: [requiredModules], banner });
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

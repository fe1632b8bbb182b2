import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

const dist = 'dist';
const runner = `${dist}/program.js`;

/** @typedef {import('esbuild').Metafile['outputs']} Outputs */

/**
 * Joins an output with all that it imports in one script, which `src/program/program.ts` runs. What stands in their places exports what
 * they exported, for the code that is loaded later and for threads.
 * @param {string} first the output of which all imports are joined; its `main` is a start
 * @param {Outputs} outputs
 * @param {import('esbuild').BuildOptions} options those of all outputs
 * @param {import('esbuild').BuildOptions} runnerOptions those of the file that runs the script
 */
export async function joinProgram(first, outputs, options, runnerOptions) {
  const joined = withImports(first, outputs);
  const others = Object.keys(outputs).filter((file) => !joined.has(file));
  const used = new Set([first, ...others.flatMap((file) => outputs[file]?.imports.map((each) => each.path) ?? [])]);
  const kept = [...joined]
    .filter((file) => used.has(file))
    .map((file) => ({ file, names: outputs[file]?.exports ?? [] }));
  const text = await joinedScript(kept, joined, options);
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 8);
  const name = `program-${hash}.cjs`;
  write(`${dist}/${name}`, text);
  await build({
    ...runnerOptions,
    entryPoints: { program: 'src/program/program.ts' },
    define: { PROGRAM_FILE: JSON.stringify(name) },
  });
  for (const file of joined) rmSync(path.join(import.meta.dirname, file));
  for (const [i, { file, names }] of kept.entries())
    write(file, standIn(file, i, names, file === first ? ['main'] : []));
}

/**
 * What stands in the place of an output.
 * @param {string} file
 * @param {number} i its index among the outputs that have one
 * @param {readonly string[]} names of its exports
 * @param {readonly string[]} starts those that keep the code that they compile
 */
function standIn(file, i, names, starts) {
  const others = names.filter((name) => !starts.includes(name));
  return [
    `import {keepCompiledAfter, program} from '${relative(file, runner)}';`,
    `const output = program.outputs[${i}]();`,
    `export const {${others}} = output;`,
    ...starts.map((name) => `export const ${name} = keepCompiledAfter(output.${name});`),
  ].join('\n');
}

/**
 * A function of `require`, `import` and the address of the script, which returns `outputs`: for each output a function that returns its
 * exports. A start needs those of one output, and to define the thousands of all others as exports of the script takes a tenth of running it.
 * @param {readonly { readonly file: string, readonly names: readonly string[] }[]} kept
 * @param {ReadonlySet<string>} joined
 * @param {import('esbuild').BuildOptions} options
 */
async function joinedScript(kept, joined, options) {
  const { outputFiles, metafile } = await build({
    ...options,
    write: false,
    format: 'cjs',
    metafile: true,
    supported: { 'dynamic-import': true },
    define: { 'import.meta.url': '__url' },
    banner: { js: '(function(require,__import,__url){const module={};' },
    footer: { js: 'return module.exports})' },
    stdin: {
      resolveDir: import.meta.dirname,
      contents: [
        ...kept.map(
          ({ file, names }, i) => `import {${names.map((name) => `${name} as _${i}_${name}`)}} from './${file}';`,
        ),
        `export const outputs = [${kept.map(({ names }, i) => `() => ({${names.map((name) => `${name}: _${i}_${name}`)}})`)}];`,
      ].join('\n'),
    },
    plugins: [joinedOnly(joined)],
  });
  // A script has no `import` of its own.
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
  const later = new Set(imports.filter(({ kind }) => kind === 'dynamic-import').map((each) => each.path));
  let text = outputFiles[0]?.text ?? '';
  for (const name of later) text = text.replaceAll(`import("${name}")`, `__import("${name}")`);
  return text;
}

/** @param {string} file @param {string} text */
function write(file, text) {
  writeFileSync(path.join(import.meta.dirname, file), text);
}

/**
 * @param {string} first
 * @param {Outputs} outputs
 */
function withImports(first, outputs) {
  const found = new Set([first]);
  for (const file of found) {
    for (const { path: name, kind, external } of outputs[file]?.imports ?? []) {
      if (kind === 'import-statement' && !external) found.add(name);
    }
  }
  return found;
}

/** @param {string} from @param {string} to */
function relative(from, to) {
  const found = path.posix.relative(path.posix.dirname(from), to);
  return found.startsWith('.') ? found : `./${found}`;
}

/**
 * What is loaded later is found from the place of the script, and everything outside is left to Node.
 * @param {ReadonlySet<string>} joined
 * @returns {import('esbuild').Plugin}
 */
function joinedOnly(joined) {
  return {
    name: 'joined-only',
    setup(build) {
      build.onResolve({ filter: /^/ }, ({ path: name, kind, resolveDir }) => {
        if (!name.startsWith('.')) return { path: name, external: true };
        const found = path.resolve(resolveDir, name);
        const output = path.relative(import.meta.dirname, found);
        if (kind !== 'dynamic-import' && joined.has(output)) return { path: found };
        return { path: relative(runner, output), external: true };
      });
    },
  };
}

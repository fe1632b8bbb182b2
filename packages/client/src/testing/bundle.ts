/** Bundles a part of the client for a browser, with the thin contract as written by the build. */
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type ThinContract, thin } from '@broadside/core/thin';
import { thinAuth } from '@broadside/core/thin/auth';
import { thinTransport } from '@broadside/core/thin/transport';
import { type BuildOptions, build, type Plugin } from 'esbuild';

/** Replaces the modules that derive data by the data, as core's build does. */
function built(contract: ThinContract): Plugin {
  const modules: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    '@broadside/core/thin': { thin: contract },
    '@broadside/core/thin/auth': { thinAuth },
    '@broadside/core/thin/transport': { thinTransport },
  };
  return {
    name: 'thin-contract',
    setup(context) {
      context.onResolve({ filter: /^@broadside\/core\/thin(\/|$)/ }, ({ path }) => ({
        path,
        namespace: 'thin',
        sideEffects: false,
      }));
      context.onLoad({ filter: /./, namespace: 'thin' }, ({ path }) => ({
        contents: Object.entries(modules[path] ?? {})
          .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
          .join('\n'),
      }));
    },
  };
}

/** Code that is loaded together. */
interface Part {
  readonly text: string;
  readonly gzippedBytes: number;
  /** Files that contribute to it. */
  readonly files: readonly string[];
}

/** A bundle: what a page loads at once, and what it loads when it needs it. */
export interface Bundle extends Part {
  readonly later: Part;
  /** Remaining imports, by file. */
  readonly imports: readonly string[];
}

/** Settings of both ways to bundle. */
function settings(names: string, contract: ThinContract) {
  return {
    stdin: {
      contents: `export ${names === '*' ? names : `{ ${names} }`} from './index.ts'`,
      resolveDir: fileURLToPath(new URL('..', import.meta.url)),
    },
    bundle: true,
    write: false,
    minify: true,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'silent',
    conditions: ['@broadside/source'],
    plugins: [built(contract)],
  } as const satisfies BuildOptions;
}

/**
 * Bundles the code that a browser needs to use some exports of the client.
 * @param names exports of the root entry, `*` for all
 */
export async function bundle(names: string, contract: ThinContract = thin): Promise<Bundle> {
  const { outputFiles, metafile } = await build({ ...settings(names, contract), splitting: true, outdir: 'out' });
  const outputs = new Map(Object.entries(metafile.outputs));
  const [entry = ''] = [...outputs].find(([, { entryPoint }]) => entryPoint !== undefined) ?? [];
  const atOnce = new Set<string>();
  const add = (name: string) => {
    if (atOnce.has(name)) return;
    atOnce.add(name);
    for (const { path, kind } of outputs.get(name)?.imports ?? []) if (kind === 'import-statement') add(path);
  };
  add(entry);
  const partOf = (wanted: (name: string) => boolean): Part => {
    const names = [...outputs.keys()].filter(wanted);
    const files = outputFiles.filter(({ path }) => names.some((name) => path.endsWith(name)));
    return {
      text: files.map(({ text }) => text).join('\n'),
      gzippedBytes: files.reduce((sum, { contents }) => sum + gzipSync(contents).length, 0),
      files: names.flatMap((name) =>
        Object.entries(outputs.get(name)?.inputs ?? {}).flatMap(([file, { bytesInOutput }]) =>
          bytesInOutput > 0 ? [file] : [],
        ),
      ),
    };
  };
  return {
    ...partOf((name) => atOnce.has(name)),
    later: partOf((name) => !atOnce.has(name)),
    imports: Object.entries(metafile.inputs).flatMap(([name, { imports }]) =>
      imports.filter(({ external }) => external).map(({ path }) => `${name}: ${path}`),
    ),
  };
}

/** Bundles all of the client into one file. */
export async function oneFile(): Promise<string> {
  const { outputFiles } = await build(settings('*', thin));
  const [file] = outputFiles;
  if (!file) throw new TypeError('esbuild wrote nothing');
  return file.text;
}

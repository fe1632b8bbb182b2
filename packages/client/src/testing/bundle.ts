/** Bundles a part of the client for a browser, with the thin contract as written by the build. */
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type ThinContract, thin } from '@broadside/core/thin';
import { thinAuth } from '@broadside/core/thin/auth';
import { thinTransport } from '@broadside/core/thin/transport';
import { build, type Plugin } from 'esbuild';

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

/** A bundle, and the files that contribute to it. */
export interface Bundle {
  readonly text: string;
  readonly gzippedBytes: number;
  readonly files: readonly string[];
  /** Remaining imports, by file. */
  readonly imports: readonly string[];
}

/**
 * Bundles the code that a browser needs to use some exports of the client.
 * @param names exports of the root entry, `*` for all
 */
export async function bundle(names: string, contract: ThinContract = thin): Promise<Bundle> {
  const result = await build({
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
  });
  const [file] = result.outputFiles;
  const [output] = Object.values(result.metafile.outputs);
  if (!file || !output) throw new TypeError('esbuild wrote nothing');
  const { text } = file;
  return {
    text,
    gzippedBytes: gzipSync(text).length,
    files: Object.entries(output.inputs).flatMap(([name, { bytesInOutput }]) => (bytesInOutput > 0 ? [name] : [])),
    imports: Object.entries(result.metafile.inputs).flatMap(([name, { imports }]) =>
      imports.filter(({ external }) => external).map(({ path }) => `${name}: ${path}`),
    ),
  };
}

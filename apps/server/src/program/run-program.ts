import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import vm from 'node:vm';
import { crc32 } from 'node:zlib';

/** A script of the build: a function of what a module has of its own, which returns what it exports. */
type Script = (require: NodeJS.Require, load: (specifier: string) => Promise<object>, url: string) => object;

/** So long after a server is ready it has answered its first requests, and what those need is compiled. */
const FIRST_REQUESTS_MS = 1000;

/** What a script exports, and how it was compiled. */
export interface Program {
  readonly program: object;
  /** Whether code of an earlier run was used. */
  readonly wasCompiled: boolean;
  /**
   * Returns a start that keeps the code that is compiled by its end for the next one, unless that of an earlier one was used. Writing it
   * can fail: the next start then compiles it again.
   */
  keepCompiledAfter(start: () => Promise<void>): () => Promise<void>;
}

/**
 * Runs a script of the build, with the code that an earlier run of it compiled. Node's own cache holds a module as it is before it runs;
 * here are all functions as well that a start calls, which otherwise are compiled at each start. It lies in the directory of Node's own,
 * which is of one user, one version of Node and one kind of processor, and there is none where that is turned off.
 * @param file the script; its name changes with its content
 */
export function runProgram(file: string): Program {
  const directory = module.getCompileCacheDir?.();
  const kept = directory && path.join(directory, `broadside-${path.parse(file).name}`);
  const script = new vm.Script(readFileSync(file, 'latin1'), {
    filename: file,
    cachedData: kept ? readKept(kept) : undefined,
  });
  const run: Script = script.runInThisContext();
  const wasCompiled = script.cachedDataRejected === false;
  return {
    program: run(module.createRequire(file), (specifier) => import(specifier), pathToFileURL(file).href),
    wasCompiled,
    keepCompiledAfter: (start) => async () => {
      await start();
      if (!kept || wasCompiled) return;
      const keep = () => {
        process.off('exit', keep);
        writeKept(kept, script.createCachedData());
      };
      setTimeout(keep, FIRST_REQUESTS_MS).unref();
      process.on('exit', keep);
    },
  };
}

/** The sum stands at the end, since the engine copies code that does not begin at a multiple of eight. */
const SUM_BYTES = 4;

/** The engine does not check the content of what it is given, and a file may be damaged. */
function readKept(file: string): Buffer | undefined {
  try {
    const bytes = readFileSync(file);
    const code = bytes.subarray(0, -SUM_BYTES);
    return bytes.readUInt32LE(code.length) === crc32(code) ? code : undefined;
  } catch {
    return undefined;
  }
}

function writeKept(file: string, code: Buffer): void {
  const sum = Buffer.alloc(SUM_BYTES);
  sum.writeUInt32LE(crc32(code));
  try {
    // Another process may read it meanwhile, or write it as well.
    const written = `${file}.${process.pid}`;
    writeFileSync(written, Buffer.concat([code, sum]));
    renameSync(written, file);
  } catch {}
}

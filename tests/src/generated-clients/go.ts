/** The compiler of Go, where there is one that can fetch what a module asks for. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** A program, or why there is none. */
export type Go = { readonly program: string } | { readonly missing: string };

/** Finds Go, of a minor version or later. From 1.21 on it fetches the version that `go.mod` names, if it is an older one itself. */
export async function findGo(least = 21): Promise<Go> {
  for (const program of ['go', '/usr/local/go/bin/go']) {
    const version = await execute(program, ['version']).then(
      ({ stdout }) => /go1\.(\d+)/.exec(stdout)?.[1],
      () => undefined,
    );
    if (Number(version) >= least) return { program };
  }
  return { missing: `Go 1.${least} or later is not on PATH` };
}

/** Runs Go in the directory of a module. @returns what it wrote to standard output @throws Error with all that it printed */
export async function runGo(program: string, cwd: string, ...args: readonly string[]): Promise<string> {
  // Without C, which nothing here needs, and with fewer collections of garbage compilers take a fifth less.
  const env = { ...process.env, GOFLAGS: '-modcacherw', GOWORK: 'off', CGO_ENABLED: '0', GOGC: '400' };
  try {
    const { stdout } = await execute(program, args, { cwd, env, maxBuffer: 64 * 1024 * 1024 });
    return stdout;
  } catch (error) {
    // Tests say on standard output why they failed, which is not in the message.
    if (error instanceof Error && 'stdout' in error) error.message += `\n${error.stdout}`;
    throw error;
  }
}

/** Fetches the packages of a module. @returns why they cannot be had */
export async function missingPackages(program: string, cwd: string): Promise<string | undefined> {
  try {
    await runGo(program, cwd, 'mod', 'download');
    return undefined;
  } catch (error) {
    const said = String(error);
    if (said.includes('SECURITY ERROR') || said.includes('checksum mismatch')) throw error;
    return `packages of Go could not be fetched (access to the module proxy?): ${said.trim().split('\n').at(-1)}`;
  }
}

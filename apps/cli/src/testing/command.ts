import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/**
 * Arguments by which Node runs the command: from the build in CI, as it is installed, and otherwise from the sources, which are never out
 * of date and take seconds longer for each start.
 */
export const commandArguments: readonly string[] =
  process.env['CI'] === undefined
    ? ['--conditions=@broadside/source', '--disable-warning=ExperimentalWarning', path.join(root, 'src/main.ts')]
    : [path.join(root, 'dist/main.js')];

/** The same as the beginning of a line for a shell. */
export const commandLine = [process.execPath, ...commandArguments].map((word) => `'${word}'`).join(' ');

/** JSON input from the command line, a file or stdin. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseJson } from '@broadside/core';
import { messageOf, UsageError } from './errors.ts';
import type { FlagSection } from './flag.ts';
import type { FlagValues } from './flags.ts';
import type { Io } from './io.ts';

/** The flags that give JSON. */
export function inputFlags(what: string, title = 'Input'): FlagSection {
  return {
    title,
    flags: [
      { name: 'data', kind: 'text', hint: 'json', description: `${what} as JSON. Numbers keep all their digits.` },
      {
        name: 'file',
        kind: 'text',
        hint: 'file',
        description: 'The same in a file; - for stdin.',
        completes: 'file',
      },
    ],
  };
}

/** The JSON value given; `undefined` when none is. @throws UsageError */
export async function readInput(io: Io, flags: FlagValues): Promise<unknown> {
  const data = flags.text('data');
  const file = flags.text('file');
  if (data !== undefined && file !== undefined) throw new UsageError('--data and --file cannot be used together');
  if (data !== undefined) return parseInput(data, '--data');
  if (file === undefined) return undefined;
  if (file === '-') return parseInput(await io.stdin.text(), 'stdin');
  let text: string;
  try {
    text = readFileSync(path.resolve(io.cwd, file), 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${messageOf(error)}`);
  }
  return parseInput(text, file);
}

/** The value that a text of JSON stands for. @param from what has the text, for the error @throws UsageError */
export function parseInput(text: string, from: string): unknown {
  try {
    // A file that an editor of another system wrote may begin with a byte order mark.
    return parseJson(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw new UsageError(`${from} is not valid JSON: ${messageOf(error)}`);
  }
}

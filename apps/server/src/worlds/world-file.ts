/** `world.json`, which makes a directory a world. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { origins } from '@broadside/core/resources/control';
import { writeWhole } from '../copies/copy-file.ts';

/** Facts of a world that stand outside its stores. Times by the clock of the machine, in milliseconds since the epoch. */
export interface WorldFile {
  readonly id: string;
  readonly name: string;
  readonly origin: (typeof origins)[number];
  readonly origin_id: string | null;
  readonly seed: string | null;
  readonly created_ms: number;
  readonly expires_ms: number | null;
}

const nameOf = (directory: string) => path.join(directory, 'world.json');

/** Makes a directory a world that is none yet. The file is not on disk when it resolves. One of which a part is lost is none. */
export function writeWorldFile(directory: string, file: WorldFile): Promise<void> {
  return writeWhole(nameOf(directory), `${JSON.stringify(file, null, 2)}\n`);
}

/** Reads what a world is; `undefined` for a directory that is none, such as one whose making was cut off. */
export function readWorldFile(directory: string): WorldFile | undefined {
  let held: unknown;
  try {
    held = JSON.parse(readFileSync(nameOf(directory), 'utf8'));
  } catch {
    return undefined;
  }
  return isWorldFile(held) ? held : undefined;
}

function isWorldFile(held: unknown): held is WorldFile {
  return typeof held === 'object' && held !== null && 'id' in held && 'created_ms' in held && 'expires_ms' in held;
}

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isOperatorToken } from '../config/operator-token.ts';
import { dataNames } from '../data-names.ts';
import { replaceFile } from '../members/durable-file.ts';
import { DataDirectoryError } from '../world/data-directory.ts';
import { randomText } from '../world/random.ts';
import type { World } from '../world/world.ts';

/**
 * The operator's token of a demo world: a file beside the databases, readable by its owner only. Without a demo the
 * operator surface stays closed until a token is set. Servers of one platform have one token, which its store knows.
 */
export async function operatorToken(world: World, demo: boolean): Promise<string | undefined> {
  if (!demo) return undefined;
  const file = fileIn(world.dataDirectory);
  const held = heldIn(file);
  // An emptied file closes the surface.
  if (held === '') return undefined;
  const own = held ?? randomText(world.credentialRandom, 40);
  const token = (await world.servers?.facts.agreeOnSecret('operator token', own)) ?? own;
  if (token !== held) replaceFile(file, `${token}\n`);
  return token;
}

/**
 * Returns whether a demo in a data directory will have a token.
 * @throws DataDirectoryError where the file holds no such token: one that is cut off or short could be guessed
 */
export function willHaveOperatorToken(dataDirectory: string): boolean {
  const file = fileIn(dataDirectory);
  const held = heldIn(file);
  if (held === undefined || held === '' || isOperatorToken(held)) return held !== '';
  throw new DataDirectoryError(
    `The token of the operator in ${file} must have 24 or more visible ASCII characters. Move the file away to have another one made.`,
  );
}

function fileIn(dataDirectory: string): string {
  return path.join(dataDirectory, dataNames.operatorToken);
}

function heldIn(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { replaceFile } from '../members/durable-file.ts';
import { randomText } from '../world/random.ts';
import type { World } from '../world/world.ts';

/**
 * The operator's token of a demo world: a file beside the databases, readable by its owner only. Without a demo the
 * operator surface stays closed until a token is set.
 */
export function operatorToken(world: World, demo: boolean): string | undefined {
  if (!demo) return undefined;
  const file = path.join(world.dataDirectory, 'operator.token');
  if (existsSync(file)) return readFileSync(file, 'utf8').trim() || undefined;
  const token = randomText(world.credentialRandom, 40);
  replaceFile(file, `${token}\n`);
  return token;
}

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { replaceFile } from '../members/durable-file.ts';
import { randomText } from '../world/random.ts';
import type { World } from '../world/world.ts';

/**
 * The operator's token of a demo world: a file beside the databases, readable by its owner only. Without a demo the
 * operator surface stays closed until a token is set. Servers of one platform have one token, which its store knows.
 */
export async function operatorToken(world: World, demo: boolean): Promise<string | undefined> {
  if (!demo) return undefined;
  const file = path.join(world.dataDirectory, 'operator.token');
  const held = existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
  // An emptied file closes the surface.
  if (held === '') return undefined;
  const own = held ?? randomText(world.credentialRandom, 40);
  const token = (await world.servers?.facts.agreeOnSecret('operator token', own)) ?? own;
  if (token !== held) replaceFile(file, `${token}\n`);
  return token;
}

import { breather } from '../members/worker/breathe.ts';
import type { World } from '../world/world.ts';
import type { Applied } from './applied.ts';
import { applySeedFile } from './apply-file.ts';
import { type FileIssue, SeedFileError } from './file-issue.ts';
import { readSeedContentBeside } from './read-content.ts';

/** Seeds what a file says, as data of JSON. @throws SeedFileError without places in a text; nothing was written then */
export async function applySeedData(world: World, data: unknown, directory: string): Promise<Applied> {
  const reject = (issues: readonly FileIssue[]) => new SeedFileError('the file cannot be seeded', [], issues);
  return applySeedFile(world, await readSeedContentBeside(breather(), data, reject, directory));
}

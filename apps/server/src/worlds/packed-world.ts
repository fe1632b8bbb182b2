/** A world that comes from a pack: what the pack says of it, and whether its files are one. Both can be anything. */
import { controlContract } from '@broadside/core';
import * as z from 'zod';
import { PackError, type PackManifest } from '../copies/pack-manifest.ts';
import { renewCredentials } from '../copies/renew-credentials.ts';
import { storageFailure } from '../db/storage-failure.ts';
import type { WorldHostOptions } from './host-options.ts';
import type { WorldFile } from './world-file.ts';

const { create, get } = controlContract.control.worlds;
/** What a pack says of its world. */
interface About {
  readonly name?: string | undefined;
  readonly seed?: string | undefined;
}

/** Reads what a pack says of its world, which has to be what a new world can be given. @throws PackError */
export function aboutPacked({ world }: PackManifest): About {
  const { name, seed } = create.params.shape;
  const about = z.object({ name, seed }).safeParse(world);
  if (about.success) return about.data;
  const issues = about.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join(', ');
  throw new PackError(`The manifest of the pack is wrong at world: ${issues}.`);
}

/**
 * Opens and closes the world of a pack, and gives it credentials of its own.
 * @throws PackError where it cannot be opened; errors of the disk
 */
export async function takePacked(
  directory: string,
  { id: prefix, seed }: Pick<WorldFile, 'id' | 'seed'>,
  open: WorldHostOptions<never>['open'],
): Promise<void> {
  try {
    const world = await open(directory, { credentialPrefix: prefix, seed: seed ?? undefined });
    await world.close();
    const held = await renewCredentials(directory, { prefix });
    if (held) get.data.shape.credentials.parse(held);
  } catch (error) {
    if (storageFailure(error) !== undefined) throw error;
    throw new PackError('The files of the pack are no world that this version can open.', { cause: error });
  }
}

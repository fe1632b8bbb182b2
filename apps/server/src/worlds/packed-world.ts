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
  /** The time of the machine at the instant of the copy that was packed. Earlier versions did not say it. */
  readonly copied_ms?: number | undefined;
}

/** What is done with the files of a pack. */
interface Taking {
  readonly open: WorldHostOptions<never>['open'];
  /** Has the clock of the world go on from where it was, before anybody opens it: what is due is that of the world's time. */
  readonly resume: () => Promise<void>;
}

/** The last time that a date can have. */
const LATEST_MS = 8.64e15;

/** Reads what a pack says of its world, which has to be what a new world can be given. @throws PackError */
export function aboutPacked({ world }: PackManifest): About {
  const { name, seed } = create.params.shape;
  const copied_ms = z.number().int().nonnegative().max(LATEST_MS).optional();
  const about = z.object({ name, seed, copied_ms }).safeParse(world);
  if (about.success) return about.data;
  const issues = about.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join(', ');
  throw new PackError(`The manifest of the pack is wrong at world: ${issues}.`);
}

/**
 * Has the clock of the world of a pack go on, opens and closes the world, and gives it credentials of its own.
 * @throws PackError where it cannot be opened; errors of the disk
 */
export async function takePacked(
  directory: string,
  { id: prefix, seed }: Pick<WorldFile, 'id' | 'seed'>,
  { open, resume }: Taking,
): Promise<void> {
  try {
    await resume();
    const world = await open(directory, { credentialPrefix: prefix, seed: seed ?? undefined });
    await world.close();
    const held = await renewCredentials(directory, { prefix });
    if (held) get.data.shape.credentials.parse(held);
  } catch (error) {
    if (storageFailure(error) !== undefined) throw error;
    throw new PackError('The files of the pack are no world that this version can open.', { cause: error });
  }
}

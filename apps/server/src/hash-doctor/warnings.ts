import type { PackedUsers } from '@broadside/core/resources/custom-audiences';
import type { Context } from '../pipeline/context.ts';
import type { HashWarnings } from './hash-doctor.ts';

/** Returns the warnings about the hashes of a request, as members of its response: in development mode, and if there are any. */
export async function warningsOf(
  { world, mode }: Pick<Context, 'world' | 'mode'>,
  users: PackedUsers,
): Promise<HashWarnings | undefined> {
  if (mode !== 'development') return undefined;
  const found = await world.hashDoctor.examine(users);
  return found.warning_count === 0 ? undefined : found;
}

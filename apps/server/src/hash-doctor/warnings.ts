/** Warnings about the hashes of a request, as members of its response: in development mode, and where there are any. */
import type { PackedUsers } from '@broadside/core/resources/custom-audiences';
import type { Context } from '../pipeline/context.ts';
import type { HashWarnings } from './hash-doctor.ts';

type Asked = Pick<Context, 'world' | 'mode'>;

/** Returns the warnings about all operations of a request. */
export async function warningsOf(asked: Asked, users: PackedUsers): Promise<HashWarnings | undefined> {
  const found = (await warningsOfEach(asked, users)).filter((each) => each !== undefined);
  if (found.length === 0) return undefined;
  return {
    warnings: found.flatMap(({ warnings }) => warnings),
    warning_count: found.reduce((sum, { warning_count }) => sum + warning_count, 0),
  };
}

/** Returns the warnings about each operation of a request, by its number. */
export async function warningsOfEach(
  { world, mode }: Asked,
  users: PackedUsers,
): Promise<readonly (HashWarnings | undefined)[]> {
  return mode === 'development' ? world.hashDoctor.examine(users) : [];
}

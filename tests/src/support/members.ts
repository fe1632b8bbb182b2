/** Members of audiences as scenarios look at them: by people of the platform who gave an identifier. */
import { createHash } from 'node:crypto';
import { type IdentifierKind, identifierKinds } from '@broadside/core';
import type { TestWorld } from '@broadside/testkit';

/** Returns the SHA-256 of a normalized identifier. */
export function hashed(normalized: string): string {
  return createHash('sha256').update(normalized).digest('hex');
}

/** Makes the store of members know people by their identifiers. */
export async function knowPeople(
  world: TestWorld,
  people: Readonly<Record<string, Readonly<Partial<Record<IdentifierKind, string>>>>>,
): Promise<void> {
  await world.platform.members.setPeople(
    Object.entries(people).map(([user_id, identifiers]) => ({
      user_id: BigInt(user_id),
      identifiers: Object.entries(identifiers).map(([name, value]) => {
        const names: readonly string[] = identifierKinds;
        return [names.indexOf(name) + 1, value] as const;
      }),
    })),
  );
  await world.platform.members.peopleLoaded();
}

/** A person in an audience, with the times of the association. */
export interface Membership {
  readonly user_id: string;
  readonly from: string;
  readonly to: string;
}

/** The people of the platform in an audience of the sandbox, in effect or not. */
export async function membersOf(world: TestWorld, id: string): Promise<Membership[]> {
  const { members } = world.platform;
  await members.settle(`sandbox/${id}`);
  const found = await members.matched(`sandbox/${id}`);
  const time = (seconds: number | undefined) => `${new Date((seconds ?? 0) * 1000).toISOString().slice(0, 19)}Z`;
  return [...found.user_ids].flatMap((user_id, person) => {
    const end = found.interval_ends[person] ?? 0;
    const start = person === 0 ? 0 : (found.interval_ends[person - 1] ?? 0);
    return Array.from({ length: end - start }, (_, i) => ({
      user_id: `${user_id}`,
      from: time(found.from_s[start + i]),
      to: time(found.to_s[start + i]),
    }));
  });
}

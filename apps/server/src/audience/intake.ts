/** Intake of users: what the batches of custom audiences and of do-not-reach lists have in common. */
import type { Reject } from '@broadside/core';
import type { PackedOperation, PackedUsers, ResolvedTimes } from '@broadside/core/resources/custom-audiences';
import type { MemberOperation } from '../members/member-store.ts';
import { runItems } from '../pipeline/batch.ts';
import type { World } from '../world/world.ts';
import { memberKey } from './members/member-tree.ts';
import type { AudienceName } from './processing.ts';

/**
 * Adds users to an audience and removes them, all operations or none. They are durable when it returns; the audience is
 * being processed from before the first of them is stored.
 * @param resolve the times of an operation at a time in milliseconds
 */
export async function takeUsers(
  world: World,
  reject: Reject<'INVALID_PARAMETER' | 'INVALID_TIME_WINDOW'>,
  audience: AudienceName,
  { operations, users }: PackedUsers,
  resolve: (operation: PackedOperation, now: number) => ResolvedTimes,
): Promise<void> {
  const now = world.clock.now();
  const resolved = await runItems(operations, async (operation): Promise<MemberOperation> => {
    const { times, issues } = resolve(operation, now);
    reject.check(issues);
    const { operation_type, effective_at, expires_at, user_count } = operation;
    return {
      operation_type,
      user_count,
      ...times,
      default_effective: effective_at === undefined,
      default_expires: expires_at === undefined,
    };
  });
  await world.processing.intake(audience, () =>
    world.members.append(
      memberKey(audience.environment, audience.id),
      { operations: resolved, users },
      Math.floor(now / 1000),
    ),
  );
}

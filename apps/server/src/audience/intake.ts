/** Intake of users: what the batches of custom audiences and of do-not-reach lists have in common. */
import type { Reject } from '@broadside/core';
import type { PackedOperation, PackedUsers, ResolvedTimes } from '@broadside/core/resources/custom-audiences';
import type { MemberOperation } from '../members/member-store.ts';
import { mapItems } from '../pipeline/batch.ts';
import type { World } from '../world/world.ts';
import type { AudienceName } from './audience-names.ts';

type Resolve = (operation: Pick<PackedOperation, 'effective_at' | 'expires_at'>, now: number) => ResolvedTimes;

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
  resolve: Resolve,
): Promise<void> {
  const now = world.clock.now();
  const resolved = timesOfEach(resolve, now);
  const changes = mapItems(operations, (operation): MemberOperation => {
    const { times, issues } = resolved(operation);
    if (issues.length > 0) reject.check(issues);
    const { operation_type, effective_at, expires_at, user_count } = operation;
    return {
      operation_type,
      user_count,
      effective_s: times.effective_s,
      expires_s: times.expires_s,
      default_effective: effective_at === undefined,
      default_expires: expires_at === undefined,
    };
  });
  await world.audienceWork.take(audience, { operations: changes, users }, Math.floor(now / 1000));
}

/** Resolves the times of one operation after the other. Most give the same as the one before, mostly none. */
function timesOfEach(resolve: Resolve, now: number): (operation: PackedOperation) => ResolvedTimes {
  let before: PackedOperation | undefined;
  let resolved: ResolvedTimes | undefined;
  return (operation) => {
    if (operation.effective_at !== before?.effective_at || operation.expires_at !== before?.expires_at) {
      resolved = undefined;
    }
    before = operation;
    resolved ??= resolve(operation, now);
    return resolved;
  };
}

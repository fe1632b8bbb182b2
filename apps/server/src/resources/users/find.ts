import type { Issue, Reject } from '@broadside/core';
import type { User } from '@broadside/core/resources/operator';
import type { World } from '../../world/world.ts';

/** Returns the issue of an id that no user has. @param parameter names the user in the error */
export const noUser = (parameter: string, value: string): Issue<'USER_NOT_FOUND'> => ({
  error: 'USER_NOT_FOUND',
  parameter,
  value,
});

/** Returns the issue of a user whose deletion has begun. @param parameter names the user in the error */
export const beingDeleted = (parameter: string, value: string): Issue<'USER_NOT_FOUND'> => ({
  ...noUser(parameter, value),
  message: `The deletion of the user ${value} has begun, and nothing takes it back`,
});

/** Returns the user with an id, unless their deletion has begun. @param parameter names the user in the error */
export async function findUser(
  reject: Reject<'USER_NOT_FOUND'>,
  world: World,
  id: string,
  parameter: string,
): Promise<User> {
  const user = await world.identity.users.get(id);
  if (!user) throw reject.error(noUser(parameter, id));
  if (await world.deletions.hasBegun(id)) throw reject.error(beingDeleted(parameter, id));
  return user;
}

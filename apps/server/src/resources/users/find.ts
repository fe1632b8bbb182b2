import type { Issue, Reject } from '@broadside/core';
import type { User } from '@broadside/core/resources/operator';
import type { World } from '../../world/world.ts';

/** Returns the issue of an id that no user has. @param parameter names the user in the error */
export const noUser = (parameter: string, value: string): Issue<'USER_NOT_FOUND'> => ({
  error: 'USER_NOT_FOUND',
  parameter,
  value,
});

/** Returns the user with an id. @param parameter names the user in the error */
export async function findUser(
  reject: Reject<'USER_NOT_FOUND'>,
  world: World,
  id: string,
  parameter: string,
): Promise<User> {
  const user = await world.identity.users.get(id);
  if (user) return user;
  throw reject.error(noUser(parameter, id));
}

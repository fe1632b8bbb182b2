import { ApiError } from '@broadside/core';
import type { User } from '@broadside/core/resources/operator';
import type { World } from '../../world/world.ts';

/** The user with an id. @param parameter names the user in the refusal. @throws ApiError USER_NOT_FOUND */
export async function findUser(world: World, id: string, parameter: string): Promise<User> {
  const user = await world.identity.users.get(id);
  if (user) return user;
  throw new ApiError({ error: 'USER_NOT_FOUND', parameter, value: id });
}

import type { Issue } from '@broadside/core';
import type { App } from '@broadside/core/resources/apps';
import type { Rejecting } from '../../pipeline/context.ts';
import type { World } from '../../world/world.ts';

/** Returns the issue of a consumer key that no app has. */
export const noApp = (consumer_key: string): Issue<'NOT_FOUND'> => ({
  error: 'NOT_FOUND',
  parameter: 'consumer_key',
  value: consumer_key,
  message: 'There is no app with this consumer_key',
});

/** Returns the app with a consumer key. */
export async function findApp(
  { world, reject }: { readonly world: World } & Rejecting<'NOT_FOUND'>,
  consumer_key: string,
): Promise<App> {
  const app = await world.identity.apps.byKey(consumer_key);
  if (app) return app;
  throw reject.error(noApp(consumer_key));
}

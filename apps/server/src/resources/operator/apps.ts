import type { Issue, OperatorContract } from '@broadside/core';
import type { App } from '@broadside/core/resources/apps';
import { kept, restored, type StandingFlags, suspended } from '@broadside/core/resources/users';
import { pageOf } from '../../db/page.ts';
import type { HandlersOf, Rejecting } from '../../pipeline/context.ts';
import type { World } from '../../world/world.ts';
import { exportAppPage } from './export-app.ts';

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

type Decisions = Pick<
  HandlersOf<OperatorContract['admin']>['apps'],
  'suspend' | 'restore' | 'delete' | 'cancel_deletion' | 'export'
>;
type DecisionContext = Parameters<Decisions['restore']>[0];

async function decide(
  context: DecisionContext,
  consumer_key: string,
  change: (before: StandingFlags) => StandingFlags,
): Promise<App & StandingFlags> {
  const { id } = await findApp(context, consumer_key);
  return found(context, consumer_key, await context.world.identity.apps.setStanding(context.actor, id, change));
}

function found(
  { reject }: DecisionContext,
  consumer_key: string,
  app: (App & StandingFlags) | undefined,
): App & StandingFlags {
  if (app) return app;
  throw reject.error(noApp(consumer_key));
}

/** The operator's decisions on apps. */
export const appDecisions: Decisions = {
  suspend(context, { consumer_key, reason }) {
    return decide(context, consumer_key, (before) => suspended(before, reason));
  },
  restore(context, { consumer_key }) {
    return decide(context, consumer_key, restored);
  },
  async delete(context, { consumer_key, grace_days }) {
    const { id } = await findApp(context, consumer_key);
    return found(context, consumer_key, await context.world.appDeletions.schedule(context.actor, id, grace_days));
  },
  async export(context, { consumer_key, cursor }) {
    const { id } = await findApp(context, consumer_key);
    return pageOf(await exportAppPage(context.world, id, cursor), cursor);
  },
  cancel_deletion(context, { consumer_key }) {
    return decide(context, consumer_key, kept);
  },
};

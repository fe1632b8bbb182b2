/** tRPC clients of a world's listeners. */
import { type AppRouter, wireTransformer } from '@broadside/core/trpc';
import { createTRPCClient, httpBatchLink, TRPCClientError } from '@trpc/client';
import type { ListenerName } from '../../../app.ts';
import { type AdapterWorld, OPERATOR_TOKEN, origins } from '../../testing/world.ts';

/** Sender of a call. */
export type Caller = 'user' | 'operator' | 'nobody';

/** Options of a link to a listener. */
export function options(world: AdapterWorld, listener: ListenerName, as: Caller, headers: Record<string, string> = {}) {
  return {
    url: `${origins[listener]}/trpc`,
    transformer: wireTransformer,
    headers: as === 'operator' ? { ...headers, authorization: `Bearer ${OPERATOR_TOKEN}` } : headers,
    fetch: (url: string | URL | Request, init?: object) => world.fetch(url, init, as === 'user'),
  };
}

/** A client of a listener. */
export function clientOf(
  world: AdapterWorld,
  listener: ListenerName,
  as: Caller = 'user',
  headers?: Record<string, string>,
) {
  return createTRPCClient<AppRouter>({ links: [httpBatchLink(options(world, listener, as, headers))] });
}

/** The error of a call that has to fail. */
export async function failure(promise: Promise<unknown>): Promise<TRPCClientError<AppRouter>> {
  const error = await promise.then(
    () => new Error('it did not fail'),
    (reason: unknown) => reason,
  );
  if (error instanceof TRPCClientError) return error;
  throw error;
}

/** Creates a campaign in the user's sandbox account. */
export async function createCampaign(world: AdapterWorld, name: string, daily = 1_000_000n) {
  const client = clientOf(world, 'sandbox');
  const account_id = world.credentials.sandbox_account_id;
  const [funding] = (await client.funding_instruments.list.query({ account_id })).data;
  return client.campaigns.create.mutate({
    account_id,
    funding_instrument_id: funding?.id ?? '',
    name,
    daily_budget_amount_local_micro: daily,
    entity_status: 'PAUSED',
  });
}

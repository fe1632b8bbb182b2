/** Dependencies of a call: credentials, the environment, and a client made from both. */
import type { Client, ClientOptions, ResponseInfo } from '@broadside/client';
import {
  defaultAccount,
  type Environment,
  environmentOf,
  type FoundCredentials,
  findCredentials,
  noCredentials,
} from './credentials.ts';
import { UsageError } from './errors.ts';
import type { FlagValues } from './flags.ts';
import type { Io } from './io.ts';
import { ACCOUNT_PARAMETER } from './parameters.ts';
import { version } from './version.ts';

/** Credentials in use, and the client made from them. */
export interface Session {
  readonly credentials: FoundCredentials;
  readonly environment: Environment;
  readonly client: Client;
  /** The account that calls are about when none is named. */
  readonly account_id: string | undefined;
}

/**
 * Opens a session.
 * @param sandboxOnly the call exists on the sandbox only, so that is what it means
 * @throws CliError when there are no credentials; UsageError for a call that production does not have
 */
export async function openSession(io: Io, flags: FlagValues, sandboxOnly = false): Promise<Session> {
  const credentials = findCredentials(io, flags);
  if (!credentials) throw noCredentials();
  if (sandboxOnly && flags.has('sandbox') && !flags.on('sandbox')) {
    throw new UsageError('This exists on the sandbox only; leave out --no-sandbox');
  }
  const environment = sandboxOnly ? 'sandbox' : environmentOf(flags, credentials.values);
  const { createClient } = await import('@broadside/client');
  const client = createClient(credentials.values, { environment, ...clientOptions(io) });
  return { credentials, environment, client, account_id: defaultAccount(credentials.values, environment) };
}

/** Transport of requests. */
export function clientOptions(io: Io): Omit<ClientOptions, 'environment'> {
  return {
    fetch: io.fetch,
    ...(io.now ? { now: io.now } : {}),
    ...(io.sleep ? { sleep: io.sleep } : {}),
    userAgent: `broadside-cli/${version()}`,
    onResponse: (info) => void tellOfWait(io, info),
  };
}

/** From this on, a person should know what the command waits for. */
const LONG_WAIT_MS = 2_000;

async function tellOfWait(io: Io, { status, retryInMs }: ResponseInfo): Promise<void> {
  if (retryInMs === undefined || retryInMs < LONG_WAIT_MS) return;
  const why = status === 429 ? 'The rate limit is used up' : `The server answered ${status}`;
  await io.stderr.write(`${why}; trying again in ${Math.ceil(retryInMs / 1000)} s\n`);
}

/** Parameters with the account of the session, where one is needed and none is named. */
export function withAccount(
  params: Readonly<Record<string, unknown>>,
  { account_id }: Session,
): Record<string, unknown> {
  return { ...(account_id === undefined ? {} : { [ACCOUNT_PARAMETER]: account_id }), ...params };
}

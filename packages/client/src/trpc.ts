/**
 * Set-up for `@trpc/client`: where the router is, how calls prove who makes them, and how 64-bit numbers stay exact. Types of
 * inputs and outputs come from the contract.
 */
import { thin } from '@broadside/core/thin';
import { type AppRouter, wireTransformer } from '@broadside/core/trpc';
import { createTRPCClient, httpLink, splitLink, type TRPCClient, type TRPCLink } from '@trpc/client';
import {
  type AuthMode,
  addressOf,
  type ClientCredentials,
  type Environment,
  type Host,
  readingProof,
} from './credentials.ts';
import { CallError } from './errors.ts';
import { globalFetch } from './platform.ts';
import { authorize, type SigningSources } from './sign.ts';
import type { Fetch } from './transport.ts';

export type { AppRouter } from '@broadside/core/trpc';

/** Options of reaching the router. */
export interface TrpcOptions extends SigningSources {
  /** The advertising data to work on; `production` when left out. */
  readonly environment?: Environment | undefined;
  /** Calls as the operator of the platform. When left out, calls are signed as the user of the credentials. */
  readonly operatorToken?: string | undefined;
  /** In place of the global `fetch`. */
  readonly fetch?: Fetch | undefined;
}

/**
 * The links of a tRPC client: one request a call, each with its own signature or a token. Data retrieval goes to `base_url`,
 * with the bearer token of the app if the credentials have it; all else to the advertising interface.
 *
 * @throws CredentialsError when the address of the environment is missing, and with it `base_url`
 */
export function trpcLinks(credentials: ClientCredentials, options: TrpcOptions = {}): TRPCLink<AppRouter>[] {
  const { environment = 'production' } = options;
  const ads = () => linkTo('ads', 'oauth', credentials, options);
  const data = () => linkTo('base', readingProof(credentials), credentials, options);
  // Callers that only read data, or only advertise, need no address of the other.
  if (!credentials.base_url) addressOf(credentials, 'ads', environment);
  return [splitLink({ condition: ({ path }) => isData(path), true: whenCalled(data), false: whenCalled(ads) })];
}

function isData(path: string): boolean {
  return thin.operations.some(({ id, kind }) => id === path && kind === 'data');
}

/** A link that is made when a call first needs it. */
function whenCalled(make: () => TRPCLink<AppRouter>): TRPCLink<AppRouter> {
  return (runtime) => {
    let link: ReturnType<TRPCLink<AppRouter>> | undefined;
    return (call) => {
      link ??= make()(runtime);
      return link(call);
    };
  };
}

function linkTo(
  host: Host,
  proof: AuthMode,
  credentials: ClientCredentials,
  options: TrpcOptions,
): TRPCLink<AppRouter> {
  const { environment = 'production', operatorToken } = options;
  const send = options.fetch ?? globalFetch;
  const url = `${addressOf(credentials, host, environment)}/trpc`;
  const signedFetch = async (input: Request | URL | string, init: SentInit = {}): Promise<Response> => {
    // The signed URL must be the one that fetch sends; tRPC leaves some characters that fetch would still encode.
    const target = new URL(input instanceof Request ? input.url : input).href;
    const { method = 'GET', body } = init;
    if (body !== undefined && body !== null && typeof body !== 'string') {
      throw new CallError('Procedures of Broadside take JSON; files and forms cannot be sent.');
    }
    const authorization =
      operatorToken === undefined
        ? await authorize(proof, credentials, { method, url: target }, options)
        : `Bearer ${operatorToken}`;
    const headers = new Headers(init.headers);
    if (authorization !== undefined) headers.set('authorization', authorization);
    const request: RequestInit = { method, headers, redirect: 'manual' };
    if (typeof body === 'string') request.body = body;
    if (init.signal) request.signal = init.signal;
    return send(target, request);
  };
  return httpLink<AppRouter>({ url, transformer: wireTransformer, fetch: signedFetch });
}

/** Options that tRPC's links pass to `fetch`. */
interface SentInit {
  readonly method?: string;
  readonly headers?: ConstructorParameters<typeof Headers>[0];
  readonly body?: unknown;
  readonly signal?: AbortSignal | null | undefined;
}

/**
 * A tRPC client of the platform.
 *
 * @example
 * const trpc = createTrpcClient(credentials, { environment: 'sandbox' });
 * const { data } = await trpc.campaigns.list.query({ account_id: '18ce54d4x5t' });
 */
export function createTrpcClient(credentials: ClientCredentials, options?: TrpcOptions): TRPCClient<AppRouter> {
  return createTRPCClient<AppRouter>({ links: trpcLinks(credentials, options) });
}

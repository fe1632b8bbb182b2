/** Makes the context of a handler, and with it decides what the caller may do: by the kind of the operation. */
import {
  ApiError,
  allows,
  type ByKind,
  type CallableKind,
  dispatch,
  isRead,
  missingParameter,
  type OperationOfKind,
} from '@broadside/core';
import type { OpenedAccount } from '../world/ads-store.ts';
import type { World } from '../world/world.ts';
import type { Call } from './call.ts';
import type { AccountContext, AnyContext, Caller, Context } from './context.ts';
import type { Mode } from './mode.ts';

/** The surroundings of a call that its context is made from. */
interface Surroundings {
  readonly world: World;
  readonly mode: Mode;
  /** The public base URL of the first port, for a client that reached a listener under this one. */
  readonly platformUrl: (reached: string) => string;
}

/** The call for which a context is made, without its operation. */
interface Request extends Surroundings {
  readonly call: Omit<Call, 'operation'>;
  readonly caller: Caller;
}

const contexts: ByKind<CallableKind, [Request], AnyContext | Promise<AnyContext>> = {
  ads(operation, request) {
    requireWriting(operation, request);
    return accountContext(operation, request);
  },
  operator: (_, request) => plainContext(request),
  // The access level of a token does not matter to the endpoints that issue and revoke it.
  auth: (_, { world, caller }) => ({ world, caller, actor: { user_id: userOf(caller), platform: 'API_OTHER' } }),
  data: (_, { world, call, caller }) => ({
    world,
    caller,
    user_id: userOf(caller),
    baseUrl: call.credentials.baseUrl,
  }),
  upload(operation, request) {
    requireWriting(operation, request);
    const { world, call, caller } = request;
    if (caller.kind !== 'user') throw new ApiError('UNSUPPORTED_AUTHENTICATION');
    return { world, caller, bytes: call.bytes };
  },
};

/**
 * The context of a call's handler.
 * @throws ApiError where the caller may not make this call
 */
export async function contextFor(
  { world, mode, platformUrl }: Surroundings,
  call: Call,
  caller: Caller,
): Promise<AnyContext> {
  return dispatch(contexts, call.operation, { world, mode, platformUrl, call, caller });
}

/** A token for reading cannot write (specification A, Authentication 6). */
function requireWriting(operation: Parameters<typeof isRead>[0], { caller }: Request): void {
  if (caller.kind === 'user' && caller.access_level === 'read' && !isRead(operation)) {
    throw new ApiError('READONLY_CLIENT_APPLICATION');
  }
}

function userOf(caller: Caller): string | null {
  return caller.kind === 'user' ? caller.user_id : null;
}

function plainContext({ world, mode, platformUrl, call, caller }: Request): Context {
  const { environment, credentials } = call;
  const user_id = userOf(caller);
  return {
    world,
    mode,
    environment,
    ads: world.ads[environment],
    caller,
    user_id,
    actor: { user_id, platform: user_id === null ? 'OPERATOR' : 'API_OTHER' },
    baseUrl: platformUrl(credentials.baseUrl),
  };
}

async function accountContext(
  { id, access }: OperationOfKind<'ads'>,
  request: Request,
): Promise<Context | AccountContext> {
  const context = plainContext(request);
  if (!('capability' in access)) return context;
  const { params, problem } = request.call;
  const account_id = params['account_id'];
  // On REST the path names the account; elsewhere a caller can leave it out, or send what could not be decoded.
  if (account_id === undefined) throw problem ?? new ApiError(missingParameter('account_id'));
  const opened = typeof account_id === 'string' ? await open(context, account_id) : undefined;
  // A missing account and one that is not open to the caller get the same response, so that nobody learns which exist.
  if (!opened) throw new ApiError({ error: 'ACCOUNT_NOT_FOUND', parameter: 'account_id', value: account_id });
  if (!allows(opened.permissions, access.capability)) {
    throw new ApiError({
      error: 'ACTION_NOT_ALLOWED',
      message: `Your permissions on this account (${opened.permissions.join(', ')}) do not allow ${id}`,
    });
  }
  return { ...context, account: context.ads.account(opened.record.id), ...opened };
}

async function open({ ads, user_id }: Context, account_id: string): Promise<OpenedAccount | undefined> {
  if (user_id !== null) return ads.open(account_id, user_id);
  const record = await ads.record(account_id);
  return record && { record, permissions: ['ACCOUNT_ADMIN'] as const };
}

/** Makes the context of a handler, and with it decides what the caller may do: by the kind of the operation. */
import {
  type AnyOperation,
  ApiError,
  allows,
  type ByKind,
  type CallableKind,
  dispatch,
  type ErrorName,
  isRead,
  missingParameter,
  rejectWithAny,
} from '@broadside/core';
import { type Awaitable, chain } from '../awaitable.ts';
import type { AccountRow } from '../world/account-directory.ts';
import type { AdsStore, OpenedAccount } from '../world/ads-store.ts';
import type { World } from '../world/world.ts';
import type { Call } from './call.ts';
import type { AccountContext, AnyContext, Caller, Context, Rejecting } from './context.ts';
import type { Mode } from './mode.ts';

/** The surroundings of a call that its context is made from. */
interface Surroundings {
  readonly world: World;
  readonly mode: Mode;
  /** The public base URL of the first port, for a client that reached a listener under this one. */
  readonly platformUrl: (reached: string) => string;
}

/** A context as the pipeline hands it on: it can reject with any error, which the pipeline holds against the operation. */
export type PipelineContext = AnyContext & Rejecting<ErrorName>;

/**
 * Makes the context of a call's handler.
 * @throws ApiError where the caller may not make this call
 */
export type ContextMaker = (call: Omit<Call, 'operation'>, caller: Caller) => Awaitable<PipelineContext>;

/** Returns the function that makes the contexts of an operation. */
export function contextMaker(surroundings: Surroundings, operation: AnyOperation): ContextMaker {
  return dispatch(makers, operation, surroundings);
}

const reject = rejectWithAny;

const makers: ByKind<CallableKind, [Surroundings], ContextMaker> = {
  ads(operation, surroundings) {
    const { id, access } = operation;
    const writes = !isRead(operation);
    if (!('capability' in access)) {
      return (call, caller) => {
        if (writes) requireWriting(caller);
        return plainContext(surroundings, call, caller);
      };
    }
    const { capability } = access;
    return (call, caller) => {
      if (writes) requireWriting(caller);
      const account_id = accountOf(call);
      const ads = surroundings.world.ads[call.environment];
      const opened = typeof account_id === 'string' ? open(ads, caller, account_id) : undefined;
      return chain(opened, (found) => {
        // A missing account and one that is not open to the caller get the same response, so that nobody learns which exist.
        if (!found) throw new ApiError({ error: 'ACCOUNT_NOT_FOUND', parameter: 'account_id', value: account_id });
        if (allows(found.permissions, capability)) return accountContext(surroundings, call, caller, ads, found);
        const held = found.permissions.join(', ');
        const message = `Your permissions on this account (${held}) do not allow ${id}`;
        throw new ApiError({ error: 'ACTION_NOT_ALLOWED', message });
      });
    };
  },
  operator: (_, surroundings) => (call, caller) => plainContext(surroundings, call, caller),
  // The access level of a token does not matter to the endpoints that issue and revoke it.
  auth:
    (_, { world }) =>
    (_call, caller) => ({ world, caller, actor: { user_id: userOf(caller), platform: 'API_OTHER' }, reject }),
  data:
    (_, { world }) =>
    ({ credentials }, caller) => ({ world, caller, user_id: userOf(caller), baseUrl: credentials.baseUrl, reject }),
  upload: (operation, { world }) => {
    const writes = !isRead(operation);
    return ({ bytes }, caller) => {
      if (writes) requireWriting(caller);
      if (caller.kind !== 'user') throw new ApiError('UNSUPPORTED_AUTHENTICATION');
      return { world, caller, bytes, reject };
    };
  },
};

/** A token for reading cannot write (specification A, Authentication 6). */
function requireWriting(caller: Caller): void {
  if (caller.kind === 'user' && caller.access_level === 'read') throw new ApiError('READONLY_CLIENT_APPLICATION');
}

function userOf(caller: Caller): string | null {
  return caller.kind === 'user' ? caller.user_id : null;
}

function plainContext(
  { world, mode, platformUrl }: Surroundings,
  { environment, credentials }: Omit<Call, 'operation'>,
  caller: Caller,
): Context & Rejecting<ErrorName> {
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
    reject,
  };
}

// Written out, because this runs for nearly every request: an object made at once costs a fraction of one that is spread.
function accountContext(
  { world, mode, platformUrl }: Surroundings,
  { environment, credentials }: Omit<Call, 'operation'>,
  caller: Caller,
  ads: AdsStore,
  { record, permissions }: OpenedAccount,
): AccountContext & Rejecting<ErrorName> {
  const user_id = userOf(caller);
  return {
    world,
    mode,
    environment,
    ads,
    caller,
    user_id,
    actor: { user_id, platform: user_id === null ? 'OPERATOR' : 'API_OTHER' },
    baseUrl: platformUrl(credentials.baseUrl),
    reject,
    account: ads.account(record.id),
    record,
    permissions,
  };
}

/** The account of a call. @throws ApiError where it names none */
function accountOf({ params, problem }: Omit<Call, 'operation'>): unknown {
  const account_id = params['account_id'];
  // On REST the path names the account; elsewhere a caller can leave it out, or send what could not be decoded.
  if (account_id === undefined) throw problem ?? new ApiError(missingParameter('account_id'));
  return account_id;
}

function open(ads: AdsStore, caller: Caller, account_id: string): Awaitable<OpenedAccount | undefined> {
  const user_id = userOf(caller);
  return user_id === null ? chain(ads.record(account_id), openedByOperator) : ads.open(account_id, user_id);
}

function openedByOperator(record: AccountRow | undefined): OpenedAccount | undefined {
  return record && { record, permissions: ['ACCOUNT_ADMIN'] };
}

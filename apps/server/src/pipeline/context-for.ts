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
import type { RunningBackups } from '../backup/running-backups.ts';
import type { Actor } from '../db/change-log.ts';
import type { AccountRow } from '../world/account-directory.ts';
import type { OpenedAccount } from '../world/ads-services.ts';
import type { AdsStore } from '../world/ads-store.ts';
import type { World } from '../world/world.ts';
import { noSuchWorld } from '../worlds/not-found.ts';
import type { WorldHost } from '../worlds/world-host.ts';
import type { Call } from './call.ts';
import type { Caller } from './caller.ts';
import type { AccountContext, AnyContext, Context, Rejecting } from './context.ts';
import type { Mode } from './mode.ts';
import type { Authenticator } from './verify-caller.ts';
import type { WorldServices } from './world-services.ts';

/** The surroundings of a call that its context is made from. */
interface Surroundings extends Pick<WorldServices, 'addressPrefix'> {
  readonly host?: WorldHost<WorldServices> | undefined;
  readonly world: World;
  readonly mode: Mode;
  /** The public base URL of the first port, for a client that reached a listener under this one. */
  readonly platformUrl: (reached: string) => string;
  readonly listenerUrl: Authenticator['listenerUrl'];
  readonly backups?: (() => RunningBackups) | undefined;
  /** Keeps what calls have changed. */
  readonly journal?: object | undefined;
}

/** A context as the pipeline hands it on: it can reject with any error, which the pipeline holds against the operation. */
export type PipelineContext = AnyContext & Rejecting<ErrorName>;

/**
 * Makes the context of a call's handler.
 * @throws ApiError where the caller may not make this call
 */
export type ContextMaker = (
  surroundings: Surroundings,
  call: Omit<Call, 'operation'>,
  caller: Caller,
) => Awaitable<PipelineContext>;

/** Returns the function that makes the contexts of an operation. */
export function contextMaker(operation: AnyOperation): ContextMaker {
  return dispatch(makers, operation);
}

const reject = rejectWithAny;

const OPERATOR: Actor = { user_id: null, platform: 'OPERATOR' };

const makers: ByKind<CallableKind, [], ContextMaker> = {
  ads(operation) {
    const { id, access } = operation;
    const writes = !isRead(operation);
    if (!('capability' in access)) {
      return (surroundings, call, caller) => {
        if (writes) requireWriting(caller);
        return plainContext(surroundings, call, caller);
      };
    }
    const { capability } = access;
    return (surroundings, call, caller) => {
      if (writes) requireWriting(caller);
      const account_id = accountOf(call);
      const ads = surroundings.world.ads[call.environment];
      const opened = typeof account_id === 'string' ? open(ads, caller, account_id) : undefined;
      return chain(opened, (found) => {
        // A missing account and one that is not open to the caller get the same response, so that nobody learns which exist.
        if (!found) return elsewhere(surroundings, call, caller, account_id);
        if (allows(found.permissions, capability)) {
          if (writes && found.record.suspended && caller.kind !== 'operator') throw new ApiError('ACCOUNT_LOCKED_OUT');
          return accountContext(surroundings, call, caller, ads, found);
        }
        const held = found.permissions.join(', ');
        const message = `Your permissions on this account (${held}) do not allow ${id}`;
        throw new ApiError({ error: 'ACTION_NOT_ALLOWED', message });
      });
    };
  },
  operator: () => plainContext,
  control: ({ access }) => {
    if (access.world !== 'open') return controlContext;
    return (surroundings, call, caller) => {
      const context = controlContext(surroundings, call, caller);
      const { host } = context;
      const value = call.params['world_id'];
      if (typeof value !== 'string') throw call.problem ?? new ApiError(missingParameter('world_id'));
      return chain(host.enter(value), (hosted) => {
        if (!hosted) throw new ApiError(noSuchWorld(host.list(), value));
        call.entered?.push(() => hosted.leave());
        const { services } = hosted;
        return { ...context, world: services.world, services };
      });
    };
  },
  // The access level of a token does not matter to the endpoints that issue and revoke it.
  auth:
    () =>
    ({ world, journal }, _call, caller) => ({
      world,
      caller,
      actor: actorOf(userOf(caller), 'API_OTHER', journal),
      reject,
    }),
  data:
    () =>
    ({ world, addressPrefix }, { credentials }, caller) => {
      const baseUrl = credentials.baseUrl + addressPrefix;
      return { world, caller, user_id: userOf(caller), baseUrl, problemUrl: credentials.baseUrl, reject };
    },
  upload: (operation) => {
    const writes = !isRead(operation);
    return ({ world }, { bytes }, caller) => {
      if (writes) requireWriting(caller);
      if (caller.kind !== 'user') throw new ApiError('UNSUPPORTED_AUTHENTICATION');
      return { world, caller, bytes, reject };
    };
  },
};

/**
 * Rejects a call for an account that is not open to its caller, with a word on the other environment where it is. The same is looked
 * up for every such call, and the answer depends on nothing but what the caller may read there.
 */
function elsewhere(
  { world, listenerUrl }: Surroundings,
  { environment, credentials }: Omit<Call, 'operation'>,
  caller: Caller,
  account_id: unknown,
): Awaitable<never> {
  const other = environment === 'sandbox' ? 'production' : 'sandbox';
  const opened = typeof account_id === 'string' ? open(world.ads[other], caller, account_id) : undefined;
  return chain(opened, (found) => {
    const missing = { error: 'ACCOUNT_NOT_FOUND', parameter: 'account_id', value: account_id } as const;
    if (!found) throw new ApiError(missing);
    const url = listenerUrl(other === 'sandbox' ? 'sandbox' : 'ads', credentials.baseUrl);
    const at = url === undefined ? '' : `: call ${url}`;
    const message = `You have no account with this id in ${words[environment]}, but one in ${words[other]}${at}`;
    throw new ApiError({ ...missing, message });
  });
}

const words = { production: 'production', sandbox: 'the sandbox' } as const;

/** A token for reading cannot write (specification A, Authentication 6). */
function requireWriting(caller: Caller): void {
  if (caller.kind === 'user' && caller.access_level === 'read') throw new ApiError('READONLY_CLIENT_APPLICATION');
}

function userOf(caller: Caller): string | null {
  return caller.kind === 'user' ? caller.user_id : null;
}

/** The author of what a call changes. */
function actorOf(user_id: string | null, platform: Actor['platform'], journal: object | undefined): Actor {
  return journal === undefined ? { user_id, platform } : { user_id, platform, logged: [] };
}

function controlContext(
  { host, mode }: Surroundings,
  { credentials: { baseUrl } }: Omit<Call, 'operation'>,
  caller: Caller,
) {
  if (!host) throw new TypeError('this server controls no worlds');
  return { host, mode, caller, actor: OPERATOR, baseUrl, reject };
}

function plainContext(
  { world, mode, platformUrl, addressPrefix, journal, backups }: Surroundings,
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
    actor: actorOf(user_id, user_id === null ? 'OPERATOR' : 'API_OTHER', journal),
    baseUrl: platformUrl(credentials.baseUrl) + addressPrefix,
    backups,
    reject,
  };
}

// Written out, because this runs for nearly every request: an object made at once costs a fraction of one that is spread.
function accountContext(
  { world, mode, platformUrl, addressPrefix, journal, backups }: Surroundings,
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
    actor: actorOf(user_id, user_id === null ? 'OPERATOR' : 'API_OTHER', journal),
    baseUrl: platformUrl(credentials.baseUrl) + addressPrefix,
    backups,
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

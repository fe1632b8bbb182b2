/**
 * The one way in which an operation runs, whatever adapter it came through: authenticate, find the account and check the
 * permission, read the parameters, count against the rate limits (a list that counts all its matches has a limit of its
 * own), refuse what was read wrongly, handle. Adapters decode before and encode after; they cannot skip a step.
 */
import {
  type AnyOperation,
  ApiError,
  allows,
  BatchError,
  errorStatus,
  isRead,
  missingParameter,
  type Operation,
  type OperatorOperation,
  paramsBeside,
  type RawParams,
  type ReadParams,
  readBatch,
  readLookup,
  readParams,
} from '@broadside/core';
import { refuseDeletedAccount } from '../resources/accounts/deleted.ts';
import type { OpenedAccount } from '../world/ads-store.ts';
import type { Environment } from '../world/world.ts';
import { type Authenticator, authenticate } from './authenticate.ts';
import type { AccountContext, AnyContext, Caller, Context, ReceivedBytes } from './context.ts';
import type { Credentials } from './credentials.ts';
import type { LimitStates, RateLimiter } from './rate-limiter.ts';

/** What the pipeline works on. */
export interface Services extends Authenticator {
  readonly limiter: RateLimiter;
  readonly handlerOf: (operation: AnyOperation) => UntypedHandler;
}

/** A handler as the pipeline calls it. The registry made sure that it takes and gives what its operation says. */
export type UntypedHandler = (context: AnyContext, params: unknown) => Promise<unknown>;

/** A call as an adapter hands it over. */
export interface Call {
  readonly operation: AnyOperation;
  readonly environment: Environment;
  readonly credentials: Credentials;
  /** Path parameters, query, form or JSON members, by name. For a batch the path parameters only. */
  readonly params: RawParams;
  /** The items of a batch. */
  readonly items?: unknown;
  /** Why the adapter could not decode the parameters; reported once the caller has proved who it is. */
  readonly problem?: ApiError;
  /**
   * Reads a body that is too large to be read before the caller is known and may do this; only then is it known what
   * exactly is called. @throws ApiError where the body cannot be read
   */
  readonly receive?: () => Promise<LateCall>;
  /** Bytes that came with the call. */
  readonly bytes?: ReceivedBytes | undefined;
}

/** What is known of a call once its body has been read. */
export type LateCall = Pick<Call, 'operation' | 'params' | 'problem' | 'bytes'>;

/** What came out, for the adapter to encode. */
export interface Reply {
  /** `request.params`, or `request` of a batch; as much as could be read. */
  readonly echo: unknown;
  readonly limits: LimitStates | undefined;
  readonly caller: Caller | undefined;
  readonly outcome: { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown };
}

/** Runs a call. Never rejects: whatever goes wrong is in the reply. */
export async function execute(services: Services, received: Call): Promise<Reply> {
  let call = received;
  let echo: unknown;
  let limits: LimitStates | undefined;
  let caller: Caller | undefined;
  try {
    caller = await authenticate(services, call.operation, call.credentials);
    const entered = await enter(services, call, caller);
    if (!entered.ok) {
      // Who is refused uses up a limit of its own, never that of the account, and learns how much of it is left.
      limits = count(services, call, caller);
      throw limits?.user.exceeded ? new ApiError('TOO_MANY_REQUESTS') : entered.error;
    }
    let { context } = entered;
    if (call.receive) {
      call = { ...call, ...(await call.receive()) };
      context = await contextFor(services, call, caller);
    }
    const read = readCall(call);
    echo = read.echo;
    limits = count(services, call, caller, context, read.values);
    if (limits?.user.exceeded || limits?.account?.exceeded) throw new ApiError('TOO_MANY_REQUESTS');
    if (call.problem) throw call.problem;
    const [first, ...others] = read.issues;
    if (first) throw new ApiError(first, ...others);
    if (read.itemIssues?.some((issues) => issues.length > 0)) throw new BatchError(read.itemIssues);
    refuseDeleted(call, context, read.values);
    const value = await services.handlerOf(call.operation)(context, read.values);
    return { echo, limits, caller, outcome: { ok: true, value } };
  } catch (error) {
    return { echo: echo ?? readCall(call).echo, limits, caller, outcome: { ok: false, error: refusalOf(call, error) } };
  }
}

/** An endpoint that has one error for all that is wrong answers with it, and says in `details` what it was. */
function refusalOf({ operation }: Call, error: unknown): unknown {
  const one = operation.kind === 'auth' ? operation.refusal : undefined;
  if (one === undefined || !(error instanceof ApiError)) return error;
  const [{ error: first, details, message }] = error.issues;
  if (error.status === errorStatus('REQUEST_TOO_LARGE') || error.status === errorStatus('UNSUPPORTED_CONTENT_TYPE')) {
    return error;
  }
  const reason = first === one ? details : (message ?? details);
  const refusal = new ApiError({ error: one, ...(reason === undefined ? {} : { details: reason }) });
  refusal.diagnosis = error.diagnosis;
  return refusal;
}

type Entered = { readonly ok: true; readonly context: AnyContext } | { readonly ok: false; readonly error: unknown };

/** Lets a caller in who may make this call. */
async function enter(services: Services, call: Call, caller: Caller): Promise<Entered> {
  try {
    return { ok: true, context: await contextFor(services, call, caller) };
  } catch (error) {
    return { ok: false, error };
  }
}

async function contextFor(services: Services, call: Call, caller: Caller): Promise<AnyContext> {
  const { world } = services;
  const { operation, credentials } = call;
  // What a token may do is no matter of the endpoints that give and revoke it.
  if (operation.kind === 'auth') return { world, caller, actor: { user_id: userOf(caller), platform: 'API_OTHER' } };
  if (caller.kind === 'user' && caller.access_level === 'read' && !isRead(operation)) {
    throw new ApiError('READONLY_CLIENT_APPLICATION');
  }
  if (operation.kind === 'data') return { world, caller, user_id: userOf(caller), baseUrl: credentials.baseUrl };
  if (operation.kind === 'upload') return uploadContextFor(services, call, caller);
  return adsContextFor(services, call, operation, caller);
}

function uploadContextFor({ world }: Services, { bytes }: Call, caller: Caller): AnyContext {
  if (caller.kind !== 'user') throw new ApiError('UNSUPPORTED_AUTHENTICATION');
  return { world, caller, bytes };
}

function userOf(caller: Caller): string | null {
  return caller.kind === 'user' ? caller.user_id : null;
}

async function adsContextFor(
  { world }: Services,
  call: Call,
  operation: Operation | OperatorOperation,
  caller: Caller,
): Promise<Context | AccountContext> {
  const { environment } = call;
  const ads = world.ads[environment];
  const user_id = userOf(caller);
  const context: Context = {
    world,
    environment,
    ads,
    caller,
    user_id,
    actor: { user_id, platform: user_id === null ? 'OPERATOR' : 'API_OTHER' },
  };
  const { access } = operation;
  if (!('capability' in access)) return context;
  const account_id = call.params['account_id'];
  // On REST the path names the account; elsewhere a caller can leave it out, or send what could not be decoded.
  if (account_id === undefined) {
    throw call.problem ?? new ApiError(missingParameter('account_id'));
  }
  const opened = typeof account_id === 'string' ? await open(context, account_id) : undefined;
  // Not there and not allowed are one answer, so that nobody learns which accounts exist.
  if (!opened) throw new ApiError({ error: 'ACCOUNT_NOT_FOUND', parameter: 'account_id', value: account_id });
  if (!allows(opened.permissions, access.capability)) {
    throw new ApiError({
      error: 'ACTION_NOT_ALLOWED',
      message: `Your permissions on this account (${opened.permissions.join(', ')}) do not allow ${operation.id}`,
    });
  }
  return { ...context, account: ads.account(opened.record.id), ...opened };
}

async function open({ ads, user_id }: Context, account_id: string): Promise<OpenedAccount | undefined> {
  if (user_id !== null) return ads.open(account_id, user_id);
  const record = await ads.record(account_id);
  return record && { record, permissions: ['ACCOUNT_ADMIN'] as const };
}

type Read = ReadParams & Pick<Partial<ReturnType<typeof readBatch>>, 'itemIssues'>;

function readCall(call: Call): Read | (Omit<Read, 'echo'> & { readonly echo: unknown }) {
  const { operation, params, items } = call;
  if (operation.kind === 'data') return readLookup(operation.params, params);
  if (operation.kind === 'auth' || (operation.kind === 'upload' && operation.version === '1.1')) {
    return readParams(operation.params, known(operation, params));
  }
  if (!operation.batch) {
    const read = readParams(operation.params, params, operation.exclusive);
    return operation.echo ? { ...read, echo: operation.echo(read.echo) } : read;
  }
  const beside = readParams(paramsBeside(operation.params), params);
  const batch = readBatch(operation.batch, items, beside.echo);
  const { itemIssues } = batch;
  const issues = [...beside.issues, ...batch.issues];
  return { values: { ...beside.values, operations: batch.items }, echo: batch.echo, issues, itemIssues };
}

/** Clients of OAuth send more than is asked for, and a provider passes over it (RFC 6749 section 3.2). */
function known({ params: { shape } }: AnyOperation, params: RawParams): RawParams {
  return Object.fromEntries(Object.entries(params).filter(([name]) => Object.hasOwn(shape, name)));
}

function count(
  services: Services,
  call: Call,
  caller: Caller,
  context?: AnyContext,
  values: Readonly<Record<string, unknown>> = {},
): LimitStates | undefined {
  if (caller.kind === 'operator') return undefined;
  const account_id = context && 'record' in context ? context.record.id : undefined;
  const asApp = call.operation.kind === 'auth' || caller.kind !== 'user';
  const who = asApp ? `p${caller.app_id}` : `u${caller.user_id}`;
  const counts_total = values['with_total_count'] === true;
  return services.limiter.count(call.operation, who, account_id, counts_total, caller.app_id);
}

/** A deleted account can be looked at as a deleted record; nothing below it can be reached any more. */
function refuseDeleted(call: Call, context: AnyContext, values: Readonly<Record<string, unknown>>): void {
  if (!('record' in context)) return;
  if ('deletedAccount' in call.operation.access && values['with_deleted'] === true) return;
  refuseDeletedAccount(context.record);
}

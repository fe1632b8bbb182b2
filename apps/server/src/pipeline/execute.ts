/**
 * The one way in which an operation runs, whatever adapter it came through: authenticate, find the account and check the
 * permission, read the parameters, count against the rate limits (a list that counts all its matches has a limit of its
 * own), reject invalid parameters, handle. Adapters decode before and encode after; they cannot skip a step.
 */
import {
  type AnyOperation,
  ApiError,
  BatchError,
  type CallableKind,
  type ErrorName,
  errorStatus,
  type Reject,
  rejectWithAny,
} from '@broadside/core';
import type { Awaitable } from '../awaitable.ts';
import { rejectDeletedAccount } from '../world/account-directory.ts';
import { authenticate } from './authenticate.ts';
import type { Call } from './call.ts';
import type { AnyContext, Caller } from './context.ts';
import { contextFor } from './context-for.ts';
import { asListed } from './listed-errors.ts';
import type { LimitStates, RateLimiter } from './rate-limiter.ts';
import { readCall, readUsersOf } from './read-call.ts';
import type { Authenticator } from './verify-caller.ts';

/** Services that the pipeline uses. */
export interface Services extends Authenticator {
  readonly limiter: RateLimiter;
  readonly handlerOf: (operation: AnyOperation) => UntypedHandler;
}

/** A handler as called by the pipeline. The registry has checked its parameter and result types. */
export type UntypedHandler = (
  context: AnyContext & { readonly reject: Reject<ErrorName> },
  params: unknown,
) => Awaitable<unknown>;

/** Result of a call, for the adapter to encode. */
export interface Reply {
  /** `request.params`, or `request` of a batch; as much as could be read. */
  readonly echo: unknown;
  readonly limits: LimitStates | undefined;
  readonly caller: Caller | undefined;
  readonly outcome: { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown };
}

/** Runs a call. Never rejects: any error is in the reply. */
export async function execute(services: Services, received: Call): Promise<Reply> {
  let call = received;
  let echo: unknown;
  let limits: LimitStates | undefined;
  let caller: Caller | undefined;
  try {
    caller = await authenticate(services, call.operation, call.credentials);
    const entered = await enter(services, call, caller);
    if (!entered.ok) {
      // A rejected caller uses up a limit of its own, never that of the account, and learns how much of it is left.
      limits = count(services, call, caller);
      throw limits?.user.exceeded ? new ApiError('TOO_MANY_REQUESTS') : entered.error;
    }
    let { context } = entered;
    if (call.receive) {
      call = { ...call, ...(await call.receive()) };
      context = await contextFor(services, call, caller);
    }
    let read = readCall(call);
    echo = read.echo;
    limits = count(services, call, caller, context, read.values);
    if (limits?.user.exceeded || limits?.account?.exceeded) throw new ApiError('TOO_MANY_REQUESTS');
    if (call.problem) throw call.problem;
    if (call.operation.batch?.users) {
      read = await readUsersOf(call, read);
      echo = read.echo;
    }
    const [first, ...others] = read.issues;
    if (first) throw new ApiError(first, ...others);
    if (read.itemIssues?.some((issues) => issues.length > 0)) throw new BatchError(read.itemIssues);
    rejectDeleted(call, context, read.values);
    const value = await handle(services, call.operation, context, read.values);
    return { echo, limits, caller, outcome: { ok: true, value } };
  } catch (error) {
    return {
      echo: echo ?? readCall(call).echo,
      limits,
      caller,
      outcome: { ok: false, error: singleErrorOf(call, error) },
    };
  }
}

async function handle(
  { handlerOf }: Services,
  operation: AnyOperation,
  context: AnyContext,
  values: unknown,
): Promise<unknown> {
  try {
    return await handlerOf(operation)({ ...context, reject: rejectWithAny }, values);
  } catch (error) {
    throw asListed(operation, error);
  }
}

/** An endpoint with a single error responds with it, and gives the cause in `details`. */
function singleErrorOf({ operation }: Call, error: unknown): unknown {
  const one = operation.kind === 'auth' ? operation.rejection : undefined;
  if (one === undefined || !(error instanceof ApiError)) return error;
  const [{ error: first, details, message }] = error.issues;
  if (error.status === errorStatus('REQUEST_TOO_LARGE') || error.status === errorStatus('UNSUPPORTED_CONTENT_TYPE')) {
    return error;
  }
  const reason = first === one ? details : (message ?? details);
  const rejection = new ApiError({ error: one, ...(reason === undefined ? {} : { details: reason }) });
  rejection.diagnosis = error.diagnosis;
  return rejection;
}

type Entered = { readonly ok: true; readonly context: AnyContext } | { readonly ok: false; readonly error: unknown };

/** Authorizes a caller for this call. */
async function enter(services: Services, call: Call, caller: Caller): Promise<Entered> {
  try {
    return { ok: true, context: await contextFor(services, call, caller) };
  } catch (error) {
    return { ok: false, error };
  }
}

/** Returns whether calls of users count for each user; otherwise, and for calls by an app itself, they count for the app. */
const countsByUser: Readonly<Record<CallableKind, boolean>> = {
  ads: true,
  operator: true,
  auth: false,
  data: true,
  upload: true,
};

function count(
  services: Services,
  call: Call,
  caller: Caller,
  context?: AnyContext,
  values: Readonly<Record<string, unknown>> = {},
): LimitStates | undefined {
  if (caller.kind === 'operator') return undefined;
  const account_id = context && 'record' in context ? context.record.id : undefined;
  const isUser = countsByUser[call.operation.kind] && caller.kind === 'user';
  const who = isUser ? `u${caller.user_id}` : `p${caller.app_id}`;
  const counts_total = values['with_total_count'] === true;
  return services.limiter.count(call.operation, who, account_id, counts_total, caller.app_id);
}

/** A deleted account can be looked at as a deleted record; nothing below it can be reached any more. */
function rejectDeleted(call: Call, context: AnyContext, values: Readonly<Record<string, unknown>>): void {
  if (!('record' in context)) return;
  if ('deletedAccount' in call.operation.access && values['with_deleted'] === true) return;
  rejectDeletedAccount(context.record);
}

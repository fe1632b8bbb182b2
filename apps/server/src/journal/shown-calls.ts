/** Puts into words what a journal has kept. */
import { ApiError, BatchError, type Issue, isRead, parseJson, wireError } from '@broadside/core';
import { type JournalCall, LEFT_OUT } from '@broadside/core/resources/control/journal';
import type { LoggedChange } from '../db/change-log.ts';
import type { LimitState, LimitStates } from '../pipeline/rate-limiter.ts';
import { isOfPeople } from './recorded-call.ts';
import type { RecordedCall, RecordedRequest } from './records.ts';
import {
  addressWithoutSecrets,
  bodyWithoutSecrets,
  formWithoutSecrets,
  secretParams,
  shownValue,
  withoutSecrets,
} from './secrets.ts';

/** The calls of a request: one, several where a batch of procedures carries them, or what its path says where it is for none. */
export function shownCalls(request: RecordedRequest): readonly JournalCall[] {
  const shared = sharedBy(request);
  const { calls } = request;
  if (calls.length === 0) return [{ ...shared, ...ofNothing(request) }];
  return calls.map((call, at) => ({
    ...shared,
    ...ofCall(call),
    id: at === 0 ? shared.id : `${shared.id}.${at + 1}`,
    status: calls.length > 1 ? statusOf(call, request) : request.status,
  }));
}

/** When a request arrived, in milliseconds of the machine. */
export function arrivedMs({ answered_ms, duration_ms }: Pick<RecordedRequest, 'answered_ms' | 'duration_ms'>): number {
  return answered_ms - duration_ms;
}

type Shared = Omit<JournalCall, keyof ReturnType<typeof ofNothing>>;

function sharedBy(request: RecordedRequest): Shared {
  const { id, listener, method, target, content_type, user_agent, client_request, status, duration_ms } = request;
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  // Calls in one request share its body.
  const body = request.calls.some(({ operation }) => isOfPeople(operation)) ? undefined : request.calls[0]?.body;
  const secret = new Set(request.calls.flatMap(({ operation }) => [...secretParams(operation)]));
  return {
    id,
    time: instantOf(arrivedMs(request)),
    listener,
    base_url: request.base_url,
    adapter: target.startsWith('/trpc/') ? 'TRPC' : 'REST',
    method,
    path,
    query: mark === -1 ? '' : formWithoutSecrets(target.slice(mark + 1), secret),
    content_type: content_type ?? null,
    body: body === undefined || body === '' ? null : bodyWithoutSecrets(body, secret),
    user_agent: user_agent ?? null,
    client_request: client_request ?? null,
    status,
    answer: {
      headers: { ...headersOf(request.headers), 'x-request-id': id },
      body: request.body === undefined ? null : bodyWithoutSecrets(request.body, secret),
      size: sizeOf(request),
    },
    fired: [...request.fired],
    duration_ms: Math.round(duration_ms * 100) / 100,
    ...(request.dropped ? { dropped: true } : {}),
    delivery: DELIVERIES[request.delivery],
  };
}

const DELIVERIES = { pending: 'PENDING', sent: 'SENT', lost: 'LOST' } as const;

/** A body that is kept whole is measured now. */
function sizeOf({ body = '', body_size }: RecordedRequest): number {
  return body.length === body_size ? Buffer.byteLength(body) : body_size;
}

function instantOf(ms: number): string {
  return new Date(ms).toISOString();
}

/** A request for nothing that is an operation. */
function ofNothing(request: RecordedRequest) {
  return {
    world_time: instantOf(request.world_ms),
    operation: null,
    writes: false,
    caller: null,
    consumer_key: null,
    account_id: null,
    params: {},
    left_out_bytes: 0,
    errors: errorsOfBody(request),
    diagnosis: null,
    rate_limit: null,
    changes: [],
    changes_left_out: 0,
  } satisfies Partial<JournalCall>;
}

function ofCall(
  call: RecordedCall,
): Pick<JournalCall, keyof ReturnType<typeof ofNothing> | 'left_out_digest' | 'token_user_id'> {
  const { operation, caller, limits, left_out_digest, token_user_id } = call;
  const error = call.error?.error;
  const diagnosis: unknown = error instanceof ApiError ? error.diagnosis : undefined;
  return {
    world_time: instantOf(call.world_ms),
    operation: operation.id,
    writes: !isRead(operation),
    caller: caller ? callerOf(caller) : null,
    consumer_key: call.consumer_key ?? null,
    ...(token_user_id === undefined ? {} : { token_user_id }),
    account_id: call.account_id ?? null,
    params: withoutSecrets(operation, paramsOf(call)),
    left_out_bytes: call.left_out_bytes,
    ...(left_out_digest === undefined ? {} : { left_out_digest }),
    errors: call.error ? errorsOf(error) : [],
    diagnosis: membersOf(shownValue(diagnosis)) ?? null,
    rate_limit: limits ? limitsOf(limits) : null,
    changes: call.changes.map(changeOf),
    changes_left_out: call.changes_left_out,
  };
}

function callerOf(caller: NonNullable<RecordedCall['caller']>): NonNullable<JournalCall['caller']> {
  const nobody = { user_id: null, screen_name: null, app_id: null };
  switch (caller.kind) {
    case 'user': {
      const { user_id, screen_name, app_id } = caller;
      return { kind: 'USER', user_id, screen_name, app_id };
    }
    case 'app':
      return { ...nobody, kind: 'APP', app_id: caller.app_id };
    case 'request_token':
      return { ...nobody, kind: 'REQUEST_TOKEN', app_id: caller.app_id };
    case 'operator':
      return { ...nobody, kind: 'OPERATOR' };
  }
}

/** The items of a batch beside its other parameters. Those of people are not shown: they are identifiers. */
function paramsOf({ operation, params, items, left_out_digest }: RecordedCall): Readonly<Record<string, unknown>> {
  if (isOfPeople(operation) && left_out_digest !== undefined) return { ...params, operations: LEFT_OUT };
  return items === undefined ? params : { ...params, operations: items };
}

function limitsOf({ user, account }: LimitStates): Readonly<Record<string, unknown>> {
  return account ? { user: limitOf(user), account: limitOf(account) } : { user: limitOf(user) };
}

function limitOf({ limit, remaining, reset }: LimitState) {
  return { limit, remaining, reset: instantOf(reset * 1000) };
}

type Errors = JournalCall['errors'];

function errorsOf(error: unknown): Errors {
  if (error instanceof ApiError) return error.issues.map((issue) => errorOf(issue));
  if (error instanceof BatchError) {
    return error.items.flatMap((issues, at) => issues.map((issue) => errorOf(issue, `operations[${at}]`)));
  }
  return [errorOf({ error: 'INTERNAL_ERROR' })];
}

function errorOf(issue: Issue, item?: string): Errors[number] {
  const { code, message, parameter } = wireError(issue);
  const place = item === undefined ? parameter : parameter === undefined ? item : `${item}.${parameter}`;
  return { code: `${code}`, parameter: typeof place === 'string' ? place : null, message };
}

/** The errors that an answer names, whatever listener has made it. */
function errorsOfBody({ status, body = '' }: RecordedRequest): Errors {
  if (status < 400 || !body.startsWith('{')) return [];
  let answer: unknown;
  try {
    answer = parseJson(body);
  } catch {
    return [];
  }
  const { errors } = membersOf(answer) ?? {};
  if (!Array.isArray(errors)) return [];
  return errors.flatMap((each: unknown) => {
    const { code, message, parameter } = membersOf(each) ?? {};
    if (typeof message !== 'string') return [];
    return [{ code: `${code}`, parameter: typeof parameter === 'string' ? parameter : null, message }];
  });
}

function statusOf({ error }: RecordedCall, { status }: RecordedRequest): number {
  if (!error) return status === 207 ? 200 : status;
  const { error: cause } = error;
  return cause instanceof ApiError || cause instanceof BatchError ? cause.status : 500;
}

/** Headers that tell a client something about its call. */
const SHOWN = /^(?:content-type|retry-after|location|allow|www-authenticate|x-(?:account-)?rate-limit-.*)$/;

function headersOf(fields: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const name = `${fields[at]}`.toLowerCase();
    const value = `${fields[at + 1]}`;
    if (SHOWN.test(name)) headers[name] = name === 'location' ? addressWithoutSecrets(value) : value;
  }
  return headers;
}

function changeOf({ account_id, entity, entity_id, change_type, text }: LoggedChange): JournalCall['changes'][number] {
  const values: unknown = parseJson(text);
  const given = membersOf(values) ?? {};
  const fields =
    change_type === 'CREATE'
      ? Object.fromEntries(
          Object.entries(given)
            .filter(([, after]) => after !== null)
            .map(([name, after]) => [name, { after }]),
        )
      : given;
  return {
    entity,
    entity_id,
    account_id,
    change_type,
    fields: membersOf(shownValue(fields)) ?? {},
  };
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null ? { ...value } : undefined;
}

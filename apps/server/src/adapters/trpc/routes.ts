/**
 * tRPC over HTTP, at `/trpc`. An adapter of our own that speaks the protocol of tRPC's clients: its adapters go through `Request`,
 * `Headers`, `Response` and an `AbortSignal.any` for each call, and its procedures through a chain of promises, which together cost
 * several times what the call itself does. Queries, mutations and batches of them; streamed batches (`httpBatchStreamLink`) and
 * subscriptions are not offered.
 */
import type { AnyOperation } from '@broadside/core';
import { parseRequest } from '@broadside/core/auth';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import { type Awaitable, chain, together } from '../../awaitable.ts';
import type { Faulted } from '../../faults/delivery.ts';
import type { RecordedCall } from '../../journal/records.ts';
import { SharedProof } from '../../pipeline/credentials.ts';
import type { Services } from '../../pipeline/execute.ts';
import { follow, type Held, released } from '../../pipeline/held.ts';
import type { LimitState, LimitStates } from '../../pipeline/rate-limiter.ts';
import { retryAfter } from '../../pipeline/unavailable.ts';
import type { Environment } from '../../world/environment.ts';
import { delivered } from '../deliver.ts';
import { type DirectRoute, hasBody, isReading, type RespondOptions, responder } from '../direct.ts';
import type { Scheme } from '../own-host.ts';
import { limitFields } from '../rest/encode.ts';
import { logFailure, type RestOptions, sendAnswer } from '../rest/routes.ts';
import { commonHeaders } from '../rest/styles.ts';
import type { SentAnswer } from '../sent-answer.ts';
import { type CallContext, type CallResult, failure, runCall } from './calls.ts';
import { toTrpcError } from './errors.ts';
import { checkRequest, Inputs, PREFIX, readPaths, type TrpcRequest } from './request.ts';

/** Dependencies of the endpoint. */
export interface TrpcOptions {
  readonly services: Services;
  /** Operations that the listener offers. */
  readonly operations: readonly AnyOperation[];
  readonly environment: Environment;
  /** The public base URL, if one is configured. */
  readonly baseUrl: string | undefined;
  /** What the listener speaks. */
  readonly scheme: Scheme;
  /** Returns the public base URL for a request: the one that the client signed. */
  readonly baseUrlOf: (request: Pick<FastifyRequest, 'headers'>) => string;
  readonly foreign: RestOptions['foreign'];
  /** Translates an error of the framework, raised before a handler, to the catalogue. */
  readonly frameworkError: (error: unknown) => unknown;
  readonly respond: RespondOptions;
}

/** An answer to a request. */
interface TrpcAnswer {
  readonly status: number;
  /** Ids of the operations of the calls. */
  readonly operation?: string | undefined;
  readonly rejected?: string | undefined;
  readonly limits: LimitStates | undefined;
  readonly body: string;
  /** Results of calls in which the server failed. */
  readonly failures: readonly CallResult[];
  readonly caller?: CallResult['caller'];
  /** The account of the call, where there is one call. */
  readonly account_id?: CallResult['account_id'];
  readonly faulted?: CallResult['faulted'];
  readonly recorded?: readonly RecordedCall[];
}

/** Adds the tRPC endpoint. @returns answers plain GETs without the framework */
export function registerTrpc(app: FastifyInstance, options: TrpcOptions): DirectRoute {
  const { frameworkError, baseUrlOf, foreign } = options;
  const adapter = new TrpcAdapter(options);
  // In a scope of its own, so that errors outside of the procedures are sent in tRPC's format too.
  app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => {
      const { status, text: body } = rejection(request.log, request.id, frameworkError(error));
      return sendAnswer(reply, sentOf({ status, body, limits: undefined, failures: [] }));
    });
    scope.all(`${PREFIX}*`, async (request, reply) => {
      const { method = 'GET', url: target = '/' } = request.raw;
      const body = typeof request.body === 'string' ? request.body : undefined;
      const { headers } = request;
      const foreignHost = foreign.isForeign(request) ? foreign : undefined;
      const baseUrl = baseUrlOf(request);
      const answered = adapter.answer({ method, target, headers, body, baseUrl, foreignHost });
      const answer = await released(answered);
      logFailures(request.log, request.id, answer);
      return sendAnswer(reply, sentOf(answer));
    });
  });
  return directRoute(adapter, options);
}

/** A path that needs no decoding. */
const PLAIN = /^\/trpc\/[\w.,-]+(?:\?|$)/;

function directRoute(adapter: TrpcAdapter, { baseUrlOf, foreign, respond: options }: TrpcOptions): DirectRoute {
  const { logger } = options;
  // Pages of other origins may not call procedures.
  const respond = responder({ ...options, cross: undefined });
  return (request, response) => {
    const { method = '', url: target = '', headers } = request;
    if (!isReading(method) || !PLAIN.test(target) || hasBody(headers)) return false;
    respond(request, response, target, {
      answer(id) {
        const foreignHost = foreign.isForeign(request) ? foreign : undefined;
        const baseUrl = baseUrlOf(request);
        const answered = adapter.answer({ method, target, headers, body: undefined, baseUrl, foreignHost });
        return follow(answered, (answer) => {
          logFailures(logger, id, answer);
          return sentOf(answer);
        });
      },
      failed(error, id) {
        const { status, text: body } = rejection(logger, id, error);
        return { status, headers: trpcFields, body };
      },
    });
    return true;
  };
}

/** The answer to a request whose calls cannot run. */
function rejection(logger: FastifyBaseLogger, request: string, error: unknown): CallResult {
  const known = toTrpcError(error);
  if (known.code === 'INTERNAL_SERVER_ERROR') {
    logger.error({ err: error, request }, 'a tRPC request failed unexpectedly');
  }
  return failure(known, undefined);
}

/** An answer with its headers, as its client gets it. */
function sentOf(answer: TrpcAnswer): SentAnswer {
  // Written out, as below: copying the rest of an object takes as long as reading the input of a call.
  const { status, body, operation, rejected, caller, account_id, recorded, limits, faulted } = answer;
  const headers = fieldsOf(status, limitFields(limits));
  const made = { status, headers, body, operation, rejected, caller, account_id, recorded };
  return faulted ? delivered(made, faulted) : made;
}

function fieldsOf(status: number, limits: readonly string[]): readonly string[] {
  const after = retryAfter(status);
  if (after !== undefined) return [...limits, ...trpcFields, 'retry-after', after];
  return limits.length === 0 ? trpcFields : [...limits, ...trpcFields];
}

/** Headers of every answer. */
const trpcHeaders = { ...commonHeaders, 'content-type': 'application/json; charset=utf-8' };
const trpcFields = Object.entries(trpcHeaders).flat();

/** Logs the calls of a request in which the server failed. */
function logFailures(logger: FastifyBaseLogger, request: string, { failures, caller, account_id }: TrpcAnswer): void {
  for (const { failure: cause } of failures) {
    if (!cause) continue;
    const { error: err, operation } = cause;
    logFailure(logger, request, { operation: operation.id, caller, account_id }, err);
  }
}

/** Answers requests. */
class TrpcAdapter {
  readonly #options: TrpcOptions;
  readonly #operations: ReadonlyMap<string, AnyOperation>;

  constructor(options: TrpcOptions) {
    this.#options = options;
    this.#operations = new Map(options.operations.map((operation) => [operation.id, operation]));
  }

  /** Runs the calls of a request. @throws TRPCError when they cannot run */
  answer(request: TrpcRequest): Awaitable<TrpcAnswer> | Held<TrpcAnswer> {
    const { services, environment, baseUrl, scheme } = this.#options;
    checkRequest(request, baseUrl, scheme);
    const { method, target, headers, body } = request;
    const { authorization, 'content-type': contentType } = headers;
    const received = { method, target, authorization, contentType, body };
    const parsed = parseRequest(received);
    let batched = false;
    let queried: string | undefined;
    for (const [name, value] of parsed.query) {
      if (name === 'batch' && value === '1') batched = true;
      else if (name === 'input') queried ??= value;
    }
    const paths = readPaths(target, batched);
    const inputs = new Inputs(isReading(method) ? queried : body, batched);
    const { baseUrl: signed, foreignHost } = request;
    const shared = batched ? new SharedProof() : undefined;
    const credentials = { request: parsed, received, headers, baseUrl: signed, foreignHost, shared };
    const context: CallContext = { services, environment, method, credentials };
    const run = (path: string, index: number) =>
      runCall(context, this.#operations.get(path), path, (names) => inputs.read(index, names));
    const [only] = paths;
    if (only !== undefined && !batched) return follow(run(only, 0), answerOfOne);
    const results = paths.map((path, index) => released(run(path, index)));
    return chain(together(results), answerOfBatch);
  }
}

const NONE: readonly never[] = [];

function answerOfOne(result: CallResult): TrpcAnswer {
  const { status, text: body, operation, rejected, limits, caller, account_id, faulted } = result;
  const failures = result.failure ? [result] : NONE;
  const recorded = result.recorded ? [result.recorded] : NONE;
  return { status, operation, rejected, limits, body, failures, caller, account_id, faulted, recorded };
}

function answerOfBatch(results: readonly CallResult[]): TrpcAnswer {
  const [first, ...others] = results;
  if (!first) throw new TypeError('a request calls something');
  const failures = results.filter((result) => result.failure !== undefined);
  const recorded = results.flatMap((result) => result.recorded ?? []);
  return {
    // 207 if the calls of a batch have different statuses, as in tRPC's own adapters.
    status: others.some(({ status }) => status !== first.status) ? 207 : first.status,
    body: `[${results.map(({ text }) => text).join(',')}]`,
    operation: distinct(results.map(({ operation }) => operation)),
    rejected: distinct(results.map(({ rejected }) => rejected)),
    limits: tightest(results.flatMap(({ limits }) => limits ?? [])),
    failures,
    caller: results.find((result) => result.caller)?.caller,
    faulted: allFaulted(results.flatMap(({ faulted: one }) => one ?? [])),
    recorded,
  };
}

/** Longest text of a member that names several calls, in characters. */
const LONGEST_NAMES = 200;

function distinct(names: readonly (string | undefined)[]): string | undefined {
  const known = new Set(names.filter((name) => name !== undefined));
  return known.size === 0 ? undefined : [...known].join(',').slice(0, LONGEST_NAMES);
}

/** What befell one of several calls befalls the answer to all: the first that has a fault on its way decides. */
function allFaulted(all: readonly Faulted[]): Faulted | undefined {
  if (all.length === 0) return undefined;
  return {
    fired: all.flatMap(({ fired }) => fired),
    delivery: all.find(({ delivery }) => delivery !== undefined)?.delivery,
  };
}

/** Returns the limits with the least remaining among those that several calls counted against. */
function tightest(limits: readonly LimitStates[]): LimitStates | undefined {
  const [first, ...others] = limits;
  if (!first || others.length === 0) return first;
  const user = limits.map((states) => states.user).reduce(least);
  const accounts = limits.flatMap((states) => states.account ?? []);
  return accounts.length === 0 ? { user } : { user, account: accounts.reduce(least) };
}

function least(one: LimitState, other: LimitState): LimitState {
  return other.remaining < one.remaining ? other : one;
}

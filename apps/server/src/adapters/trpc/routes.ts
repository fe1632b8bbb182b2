/**
 * tRPC over HTTP, at `/trpc`. An adapter of our own over the parts that tRPC exports for that: its adapters go through
 * `Request`, `Headers`, `Response` and an `AbortSignal.any` for each call, which cost several times what the call itself does.
 * Queries, mutations and batches of them; streamed batches (`httpBatchStreamLink`) and subscriptions are not offered.
 */
import { type AnyOperation, isRead, jsonFaultMessage, type ReadJson, readJson } from '@broadside/core';
import { parseRequest } from '@broadside/core/auth';
import { type TrpcErrorShape, wireTransformer } from '@broadside/core/trpc';
import {
  callTRPCProcedure,
  getTRPCErrorFromUnknown,
  getTRPCErrorShape,
  TRPCError,
  transformTRPCResponse,
} from '@trpc/server';
import type { TRPCResponse } from '@trpc/server/rpc';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SharedProof } from '../../pipeline/credentials.ts';
import type { Services } from '../../pipeline/execute.ts';
import type { LimitState, LimitStates } from '../../pipeline/rate-limiter.ts';
import type { Environment } from '../../world/environment.ts';
import { limitHeaders } from '../rest/encode.ts';
import { commonHeaders } from '../rest/styles.ts';
import { toTrpcError } from './errors.ts';
import { isForeign } from './origin.ts';
import { type OperationRouter, routerOf, type TrpcContext, Unreadable } from './router.ts';

/** Maximum number of calls in one HTTP request. */
export const MAX_CALLS = 50;

/** Dependencies of the endpoint. */
export interface TrpcOptions {
  readonly services: Services;
  /** Operations that the listener offers. */
  readonly operations: readonly AnyOperation[];
  readonly environment: Environment;
  /** The public base URL, if one is configured. */
  readonly baseUrl: string | undefined;
  /** Returns the public base URL for a request: the one that the client signed. */
  readonly baseUrlOf: (request: FastifyRequest) => string;
  /** Translates an error of the framework, raised before a handler, to the catalogue. */
  readonly frameworkError: (error: unknown) => unknown;
}

/**
 * Maximum number of values in the inputs of a request: our choice. The largest is a batch of 2,500 users with identifiers of all
 * kinds, which REST reads as a stream.
 */
const MAX_VALUES = 30_000;

const PREFIX = '/trpc/';

/** Adds the tRPC endpoint. */
export function registerTrpc(app: FastifyInstance, options: TrpcOptions): void {
  const adapter = new TrpcAdapter(options);
  // In a scope of its own, so that errors outside of the procedures are sent in tRPC's format too.
  app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => {
      const known = toTrpcError(options.frameworkError(error));
      if (known.code === 'INTERNAL_SERVER_ERROR')
        request.log.error({ err: error, request: request.id }, 'a tRPC request failed unexpectedly');
      return adapter.reject(reply, known);
    });
    scope.all(`${PREFIX}*`, (request, reply) => adapter.response(request, reply));
  });
}

type TrpcResult = TRPCResponse<unknown, TrpcErrorShape>;

class TrpcAdapter {
  readonly #options: TrpcOptions;
  readonly #router: OperationRouter;
  readonly #operations: ReadonlyMap<string, AnyOperation>;

  constructor(options: TrpcOptions) {
    this.#options = options;
    this.#router = routerOf(options.operations);
    this.#operations = new Map(options.operations.map((operation) => [operation.id, operation]));
  }

  /** Runs the calls of a request. */
  async response(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { services, environment, baseUrl, baseUrlOf } = this.#options;
    checkRequest(request, baseUrl);
    const { headers } = request;
    const method = request.raw.method ?? 'GET';
    const target = request.raw.url ?? '/';
    const contentType = headers['content-type'];
    const { authorization } = headers;
    const body = typeof request.body === 'string' ? request.body : undefined;
    const received = { method, target, authorization, contentType, body };
    const parsed = parseRequest(received);
    const batched = parsed.query.some(([name, value]) => name === 'batch' && value === '1');
    const paths = readPaths(target, batched);
    const inputs = new Inputs(method === 'GET' ? parsed.query.find(([name]) => name === 'input')?.[1] : body, batched);
    const limits: LimitStates[] = [];
    const context: TrpcContext = {
      services,
      environment,
      credentials: {
        request: parsed,
        received,
        headers,
        baseUrl: baseUrlOf(request),
        shared: new SharedProof(),
      },
      onLimits: (states) => limits.push(states),
      onUnexpected: (cause, operation) =>
        request.log.error(
          { err: cause, operation: operation.id, request: request.id },
          'an operation failed unexpectedly',
        ),
    };
    const results = await Promise.all(paths.map((path, index) => this.#call(context, method, path, index, inputs)));
    const statuses = new Set(results.map((result) => ('error' in result ? result.error.data.httpStatus : 200)));
    const [status = 200] = statuses;
    reply.headers(limitHeaders(tightest(limits)));
    // 207 if the calls of a batch have different statuses, as in tRPC's own adapters.
    const [only] = results;
    return this.#send(reply, statuses.size > 1 ? 207 : status, batched || !only ? results : only);
  }

  /** Responds to a request whose calls cannot run. */
  reject(reply: FastifyReply, error: TRPCError): FastifyReply {
    const result = this.#failure(error, undefined, undefined);
    return this.#send(reply, result.error.data.httpStatus, result);
  }

  async #call(ctx: TrpcContext, method: string, path: string, index: number, inputs: Inputs): Promise<TrpcResult> {
    try {
      const operation = this.#operations.get(path);
      if (!operation)
        throw new TRPCError({ code: 'NOT_FOUND', message: `There is no procedure ${path.slice(0, 100)} here` });
      if (method === 'GET' && !isRead(operation)) {
        throw new TRPCError({ code: 'METHOD_NOT_SUPPORTED', message: `${path} is a mutation: send it with POST` });
      }
      const data: unknown = await callTRPCProcedure({
        router: this.#router,
        path,
        type: method === 'GET' ? 'query' : 'mutation',
        // A query may be sent with POST, for inputs that are too long for a URL.
        allowMethodOverride: true,
        ctx,
        getRawInput: async () => inputs.read(index),
        signal: undefined,
        batchIndex: index,
      });
      return { result: { data } };
    } catch (cause) {
      return this.#failure(getTRPCErrorFromUnknown(cause), path, ctx);
    }
  }

  #failure(error: TRPCError, path: string | undefined, ctx: TrpcContext | undefined): { error: TrpcErrorShape } {
    const config = this.#router._def._config;
    return { error: getTRPCErrorShape({ config, error, type: 'unknown', path, input: undefined, ctx }) };
  }

  #send(reply: FastifyReply, status: number, results: TrpcResult | TrpcResult[]): FastifyReply {
    const text = JSON.stringify(transformTRPCResponse(this.#router._def._config, results));
    const headers = { ...commonHeaders, 'content-type': 'application/json; charset=utf-8' };
    return reply.code(status).headers(headers).send(text);
  }
}

/** @throws TRPCError when the endpoint does not accept the request. */
function checkRequest({ headers, raw }: FastifyRequest, baseUrl: string | undefined): void {
  if (isForeign(headers, baseUrl)) {
    throw new TRPCError({ code: 'FORBIDDEN', message: 'Pages of other origins may not use this interface' });
  }
  if (raw.method !== 'GET' && raw.method !== 'POST') {
    throw new TRPCError({
      code: 'METHOD_NOT_SUPPORTED',
      message: 'Send queries with GET or POST, mutations with POST',
    });
  }
  if (raw.method === 'POST' && !JSON_TYPE.test(headers['content-type'] ?? '')) {
    throw new TRPCError({ code: 'UNSUPPORTED_MEDIA_TYPE', message: 'Send the input as application/json' });
  }
  if (headers['trpc-accept'] === 'application/jsonl' || STREAMED.test(headers.accept ?? '')) {
    throw new TRPCError({
      code: 'BAD_REQUEST',
      message: 'Answers are not streamed here: use httpLink or httpBatchLink',
    });
  }
}

const JSON_TYPE = /^\s*application\/json\s*(?:;|$)/i;
const STREAMED = /(?:^|,)\s*(?:application\/jsonl|text\/event-stream)\s*(?:[;,]|$)/i;

/** @throws TRPCError when the path cannot be decoded, or names too many procedures. */
function readPaths(target: string, batched: boolean): readonly string[] {
  const mark = target.indexOf('?');
  const encoded = target.slice(PREFIX.length, mark === -1 ? undefined : mark);
  let path: string;
  try {
    path = decodeURIComponent(encoded);
  } catch {
    throw new TRPCError({ code: 'BAD_REQUEST', message: 'The path is not valid: each % needs two hex digits' });
  }
  const paths = batched ? path.split(',') : [path];
  if (paths.length > MAX_CALLS) {
    throw new TRPCError({
      code: 'BAD_REQUEST',
      message: `A batch holds up to ${MAX_CALLS} calls, not ${paths.length}`,
    });
  }
  return paths;
}

/** The inputs of the calls of a request, parsed on first access. */
class Inputs {
  readonly #text: string | undefined;
  readonly #batched: boolean;
  #parsed: ReadJson | undefined;

  constructor(text: string | undefined, batched: boolean) {
    this.#text = text;
    this.#batched = batched;
  }

  /** The input of a call; `Unreadable` when the text is not JSON, or not data of the transformer. */
  read(index: number): unknown {
    if (!this.#text) return undefined;
    try {
      this.#parsed ??= readJson(this.#text, MAX_VALUES);
      if (!this.#parsed.ok) return new Unreadable(jsonFaultMessage(this.#parsed.fault).replace('body', 'input'));
      const { value } = this.#parsed;
      if (!this.#batched) return wireTransformer.deserialize(value);
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
        const inputs: Readonly<Record<string, unknown>> = { ...value };
        return wireTransformer.deserialize(inputs[index]);
      }
      return new Unreadable('The input of a batch is an object of inputs by index');
    } catch (error) {
      return new Unreadable(`The input cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
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

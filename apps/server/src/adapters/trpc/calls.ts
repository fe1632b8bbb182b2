/** Runs the calls that a request of tRPC carries. They decode, run the pipeline and encode the result; they decide nothing. */
import { type AnyOperation, ApiError, isRead, type RawParams } from '@broadside/core';
import { type TrpcErrorShape, wireTransformer } from '@broadside/core/trpc';
import { getTRPCErrorFromUnknown, getTRPCErrorShape, initTRPC, TRPCError } from '@trpc/server';
import type { Awaitable } from '../../awaitable.ts';
import type { Call } from '../../pipeline/call.ts';
import type { Credentials } from '../../pipeline/credentials.ts';
import { execute, type Reply, type Services } from '../../pipeline/execute.ts';
import { follow, type Held } from '../../pipeline/held.ts';
import type { LimitStates } from '../../pipeline/rate-limiter.ts';
import type { Environment } from '../../world/environment.ts';
import { isReading } from '../direct.ts';
import { namesOf } from '../parameter-names.ts';
import { reasonOf } from '../rest/answer.ts';
import { formatError, toTrpcError } from './errors.ts';
import { resultWriterOf } from './result-text.ts';

/** The HTTP request that carries calls. */
export interface CallContext {
  readonly services: Services;
  readonly environment: Environment;
  readonly credentials: Credentials;
  readonly method: string;
}

/** The result of a call. */
export interface CallResult {
  /** JSON as tRPC sends it, alone or in a batch. */
  readonly text: string;
  readonly status: number;
  /** The id of the operation; none where there is no such procedure. */
  readonly operation?: string;
  /** Why the call was rejected, as the log names it. */
  readonly rejected?: string | undefined;
  /** The rate limits that it counted against. */
  readonly limits?: LimitStates | undefined;
  readonly caller?: Reply['caller'];
  readonly account_id?: Reply['account_id'];
  readonly faulted?: Reply['faulted'];
  readonly recorded?: Reply['recorded'];
  /** Set when the server failed, and not the call. */
  readonly failure?: { readonly error: unknown; readonly operation: AnyOperation } | undefined;
}

/** Placeholder for an input that could not be parsed. */
export class Unreadable {
  readonly reason: string;
  constructor(reason: string) {
    this.reason = reason;
  }
}

const { _config: config } = initTRPC.create({
  transformer: wireTransformer,
  errorFormatter: formatError satisfies (options: Parameters<typeof formatError>[0]) => TrpcErrorShape,
  // Never a stack in a response, whatever NODE_ENV is.
  isDev: false,
});

/** Reads the input of a call. @param names the contract's own strings for the names of the operation's parameters, keyed by name */
type InputReader = (names: ReadonlyMap<string, string>) => unknown;

/** Runs a call. Never rejects. @param input read when the procedure is known */
export function runCall(
  context: CallContext,
  operation: AnyOperation | undefined,
  path: string,
  input: InputReader,
): Awaitable<CallResult> | Held<CallResult> {
  try {
    return run(context, operation, path, input);
  } catch (error) {
    return { ...failure(error, path), ...(operation ? { operation: operation.id } : {}) };
  }
}

function run(
  { services, environment, credentials, method }: CallContext,
  operation: AnyOperation | undefined,
  path: string,
  input: InputReader,
): Awaitable<CallResult> | Held<CallResult> {
  if (!operation) {
    throw new TRPCError({ code: 'NOT_FOUND', message: `There is no procedure ${path.slice(0, 100)} here` });
  }
  // A query may be sent with POST, for inputs that are too long for a URL.
  if (isReading(method) && !isRead(operation)) {
    throw new TRPCError({ code: 'METHOD_NOT_SUPPORTED', message: `${path} is a mutation: send it with POST` });
  }
  const { params, items, problem } = readInput(operation, input(namesOf(operation.params)));
  const call = { operation, environment, credentials, params, items, problem };
  return follow(execute(services, call), ({ outcome, limits, caller, account_id, faulted, recorded }): CallResult => {
    const { id } = operation;
    try {
      if (!outcome.ok) throw outcome.error;
      const data = resultWriterOf(operation)(outcome.value);
      const text = data === undefined ? '{"result":{}}' : `{"result":{"data":${data}}}`;
      return { text, status: 200, operation: id, limits, caller, account_id, faulted, recorded, failure: undefined };
    } catch (cause) {
      const known = { operation: id, limits, caller, account_id, faulted, recorded };
      const error = toTrpcError(cause);
      const isOurs = error.code === 'INTERNAL_SERVER_ERROR' && !faulted;
      return {
        ...failure(error, path),
        ...known,
        rejected: reasonOf(cause),
        ...(isOurs ? { failure: { error: cause, operation } } : {}),
      };
    }
  });
}

/** The result of a call that failed, or of a request whose calls cannot run. */
export function failure(cause: unknown, path: string | undefined): CallResult {
  const error = getTRPCErrorFromUnknown(cause);
  const shape = getTRPCErrorShape({ config, error, type: 'unknown', path, input: undefined, ctx: undefined });
  return { text: JSON.stringify({ error: wireTransformer.serialize(shape) }), status: shape.data.httpStatus };
}

type Input = Pick<Call, 'params' | 'items' | 'problem'>;

/** Unreadable input is reported by the pipeline, after authentication: unauthenticated callers learn nothing about it. */
function readInput(operation: AnyOperation, input: unknown): Input {
  if (input === undefined) return { params: {} };
  if (input instanceof Unreadable || !isParams(input)) {
    const message = input instanceof Unreadable ? input.reason : 'Expected an object of parameters as the input';
    return { params: {}, problem: new ApiError({ error: 'INVALID_PARAMETER', message, details: 'input' }) };
  }
  if (!operation.batch) return { params: input };
  const { operations, ...params } = input;
  return { params, items: operations };
}

function isParams(value: unknown): value is RawParams {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

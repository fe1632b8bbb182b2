/** The contract as a tRPC router. Procedures decode, run the pipeline and encode the result; they decide nothing. */
import { type AnyOperation, ApiError, isRead, outcomeProjectorOf, type RawParams } from '@broadside/core';
import { type TrpcErrorShape, type TrpcRoot, wireTransformer } from '@broadside/core/trpc';
import {
  type AnyTRPCProcedure,
  initTRPC,
  type TRPCBuiltRouter,
  type TRPCCreateRouterOptions,
  type TRPCRouterRecord,
} from '@trpc/server';
import type { Call } from '../../pipeline/call.ts';
import type { Credentials } from '../../pipeline/credentials.ts';
import { execute, type Services } from '../../pipeline/execute.ts';
import type { LimitStates } from '../../pipeline/rate-limiter.ts';
import type { Environment } from '../../world/environment.ts';
import { formatError, toTrpcError } from './errors.ts';

/** Context of procedures: properties of the HTTP request that carries them. */
export interface TrpcContext {
  readonly services: Services;
  readonly environment: Environment;
  readonly credentials: Credentials;
  /** Receives the rate limits that a call counted against. */
  readonly onLimits: (limits: LimitStates) => void;
  /** Receives unexpected errors. */
  readonly onUnexpected: (cause: unknown, operation: AnyOperation) => void;
}

interface ServerRoot extends TrpcRoot {
  ctx: TrpcContext;
}

/** A router built from operations. Its procedures are named by their ids; types for callers are in `AppRouter`. */
export type OperationRouter = TRPCBuiltRouter<ServerRoot, TRPCRouterRecord>;

const t = initTRPC.context<TrpcContext>().create({
  transformer: wireTransformer,
  errorFormatter: formatError satisfies (options: Parameters<typeof formatError>[0]) => TrpcErrorShape,
  // Never a stack in a response, whatever NODE_ENV is.
  isDev: false,
});

/** Builds the router of some operations, nested by their dotted ids. */
export function routerOf(operations: readonly AnyOperation[]): OperationRouter {
  return t.router(nest(operations.map((operation) => [operation.id.split('.'), procedureOf(operation)])));
}

function nest(entries: readonly (readonly [path: readonly string[], AnyTRPCProcedure])[]): TRPCCreateRouterOptions {
  const record: TRPCCreateRouterOptions = {};
  for (const [name = '', group] of Map.groupBy(entries, ([path]) => path[0])) {
    const leaf = group.find(([path]) => path.length === 1);
    record[name] = leaf ? leaf[1] : nest(group.map(([path, procedure]) => [path.slice(1), procedure]));
  }
  return record;
}

/** Placeholder for an input that could not be parsed. */
export class Unreadable {
  readonly reason: string;
  constructor(reason: string) {
    this.reason = reason;
  }
}

// tRPC's own parser accepts everything: the pipeline reads the parameters, once it knows the caller.
const procedure = t.procedure.input((input: unknown) => input);

function procedureOf(operation: AnyOperation): AnyTRPCProcedure {
  const project = outcomeProjectorOf(operation);
  const resolve = async ({ ctx, input }: { ctx: TrpcContext; input: unknown }) => {
    const { services, environment, credentials } = ctx;
    const call = { operation, environment, credentials, ...readInput(operation, input) };
    const { outcome, limits } = await execute(services, call);
    if (limits) ctx.onLimits(limits);
    try {
      if (outcome.ok) return project(outcome.value);
      throw outcome.error;
    } catch (cause) {
      const error = toTrpcError(cause);
      if (error.code === 'INTERNAL_SERVER_ERROR') ctx.onUnexpected(cause, operation);
      throw error;
    }
  };
  return isRead(operation) ? procedure.query(resolve) : procedure.mutation(resolve);
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

/**
 * The adapters of the contract behind one way of calling, so that one scenario runs on each of them. An adapter hands over
 * parameters and gives back what came of it; nothing is asserted here.
 */
import { ApiResponseError, CallError, type Client } from '@broadside/client';
import { createTrpcClient } from '@broadside/client/trpc';
import { type AnyOperation, isRead, type Operation } from '@broadside/core';
import type { TestUser, TestWorld } from '@broadside/testkit';
import { z } from 'zod';
import { member } from './body.ts';
import { type CallParams, requestFor } from './call.ts';

/** The adapters that scenarios run on. */
export const adapterNames = ['rest', 'client', 'trpc'] as const;
export type AdapterName = (typeof adapterNames)[number];

const Errors = z.array(
  z.looseObject({
    code: z.string(),
    message: z.string(),
    parameter: z.string().optional(),
    details: z.string().optional(),
    value: z.unknown().optional(),
  }),
);
export type Errors = z.output<typeof Errors>;

/** Outcome of a call. */
export interface Outcome {
  readonly ok: boolean;
  /** The HTTP status; 0 when the adapter rejected the call before sending it. */
  readonly status: number;
  /** The entity, the entities of a page, or the values. */
  readonly data: unknown;
  readonly next_cursor: string | null | undefined;
  readonly total_count: number | undefined;
  readonly errors: Errors;
  readonly operation_errors: readonly Errors[] | undefined;
}

/** One of the ways to call. */
export interface Adapter {
  readonly name: AdapterName;
  call(world: TestWorld, operation: Operation, params: CallParams, as: TestUser): Promise<Outcome>;
}

const Page = z.object({
  data: z.array(z.unknown()),
  next_cursor: z.string().nullable(),
  total_count: z.number().optional(),
});

function success(operation: Operation, result: unknown): Outcome {
  const page = operation.envelope === 'list' ? Page.parse(result) : undefined;
  return {
    ok: true,
    status: 200,
    data: page ? page.data : result,
    next_cursor: page?.next_cursor,
    total_count: page?.total_count,
    errors: [],
    operation_errors: undefined,
  };
}

function failure(status: number, errors: unknown, operation_errors: unknown): Outcome {
  return {
    ok: false,
    status,
    data: undefined,
    next_cursor: undefined,
    total_count: undefined,
    errors: Errors.parse(errors ?? []),
    operation_errors: operation_errors === undefined ? undefined : z.array(Errors).parse(operation_errors),
  };
}

const rest: Adapter = {
  name: 'rest',
  async call(world, operation, params, as) {
    const { status, body } = await world.request({ ...requestFor(operation, params), as });
    if (status !== 200) return failure(status, member(body, 'errors'), member(body, 'operation_errors'));
    if (operation.envelope === 'message') return success(operation, operation.data.parse(body));
    const data = member(body, 'data');
    const typed = operation.envelope === 'entity' ? operation.data.parse(data) : z.array(operation.data).parse(data);
    return success(operation, operation.envelope === 'list' ? { ...Page.parse(body), data: typed } : typed);
  },
};

/** The clients of worlds by tokens: each is made with a method for each operation. */
const clients = new WeakMap<TestWorld, Map<string, Client>>();

function clientOf(world: TestWorld, as: TestUser): Client {
  const ofWorld = clients.get(world) ?? new Map<string, Client>();
  clients.set(world, ofWorld);
  const key = JSON.stringify(world.credentialsOf(as));
  const known = ofWorld.get(key) ?? world.client(as);
  ofWorld.set(key, known);
  return known;
}

const client: Adapter = {
  name: 'client',
  async call(world, operation, params, as) {
    try {
      const made = clientOf(world, as);
      const given = withoutUndefined(params);
      const result =
        operation.envelope === 'list' ? await made.list(operation, given) : await made.call(operation, given);
      return success(operation, result);
    } catch (error) {
      if (error instanceof ApiResponseError) return failure(error.status, error.errors, error.operation_errors);
      if (!(error instanceof CallError)) throw error;
      return failure(0, [{ code: 'NOT_SENT', message: error.message, parameter: error.parameter }], undefined);
    }
  },
};

const TrpcFailure = z.object({
  data: z.object({ httpStatus: z.number(), errors: z.unknown(), operation_errors: z.unknown().optional() }),
});

const trpc: Adapter = {
  name: 'trpc',
  async call(world, operation, params, as) {
    const made = createTrpcClient(world.credentialsOf(as), { ...world.clientOptions, environment: 'sandbox' });
    try {
      return success(operation, await callProcedure(made, operation, withoutUndefined(params)));
    } catch (error) {
      const known = TrpcFailure.safeParse(error);
      if (!known.success) throw error;
      const { httpStatus, errors, operation_errors } = known.data.data;
      return failure(httpStatus, errors, operation_errors);
    }
  },
};

/** The procedure of an operation that is known at run time only. */
export async function callProcedure(made: object, operation: AnyOperation, params: CallParams): Promise<unknown> {
  let node: unknown = made;
  for (const name of [...operation.id.split('.'), isRead(operation) ? 'query' : 'mutate']) {
    node = typeof node === 'object' || typeof node === 'function' ? node && Reflect.get(node, name) : undefined;
  }
  if (typeof node !== 'function') throw new TypeError(`the tRPC client has no ${operation.id}`);
  return Reflect.apply(node, undefined, [params]);
}

function withoutUndefined(params: CallParams): CallParams {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined));
}

/** Each adapter by its name. */
export const adapters: Readonly<Record<AdapterName, Adapter>> = { rest, client, trpc };

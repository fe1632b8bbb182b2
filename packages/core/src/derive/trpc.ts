/**
 * The contract as tRPC types, and the data transformer that client and server share. Nothing of tRPC is loaded from
 * here: the server builds the router itself, from the same contract.
 */
import type {
  TRPC_ERROR_CODE_KEY,
  TRPC_ERROR_CODE_NUMBER,
  TRPCBuiltRouter,
  TRPCMutationProcedure,
  TRPCQueryProcedure,
} from '@trpc/server';
import type { FullContract } from '../families.ts';
import type { AnyOperation } from '../operation/operation.ts';
import type { InputOf, OutcomeOf, ProcedureTypeOf } from '../operation/outcome.ts';
import type { WireError } from '../wire/issues.ts';

/** The error of a failed procedure. The same errors, in the same words, as on REST. */
export interface TrpcErrorShape {
  readonly message: string;
  /** The JSON-RPC number of `data.code`. */
  readonly code: TRPC_ERROR_CODE_NUMBER;
  readonly data: {
    readonly code: TRPC_ERROR_CODE_KEY;
    /** The status of the same error on the REST interface. */
    readonly httpStatus: number;
    /** The procedure, where the error belongs to one. */
    readonly path?: string;
    /** The reasons for rejecting the call; never empty, except where `operation_errors` contains them. */
    readonly errors: readonly WireError[];
    /** Errors of a batch: one list for each of its items, empty where the item is valid. */
    readonly operation_errors?: readonly (readonly WireError[])[];
    /** The diagnosis of a rejected signature; from servers in development mode. */
    readonly diagnosis?: unknown;
  };
}

/** The tRPC root types: `transformer` makes clients ask for {@link wireTransformer}. */
export interface TrpcRoot {
  ctx: object;
  meta: object;
  errorShape: TrpcErrorShape;
  transformer: true;
}

interface ProcedureTypes<O extends AnyOperation> {
  meta: object;
  /** May be omitted where no parameter is required. */
  input: Record<never, never> extends InputOf<O> ? InputOf<O> | undefined : InputOf<O>;
  output: OutcomeOf<O>;
}

type ProcedureOf<O extends AnyOperation> =
  ProcedureTypeOf<O> extends 'query' ? TRPCQueryProcedure<ProcedureTypes<O>> : TRPCMutationProcedure<ProcedureTypes<O>>;

/** A part of the contract as a record of procedures. */
export type ProceduresOf<Node> = {
  [Name in keyof Node]: Node[Name] extends AnyOperation ? ProcedureOf<Node[Name]> : ProceduresOf<Node[Name]>;
};

/**
 * The router of the platform, for `createTRPCClient<AppRouter>`. It names every operation of the contract; a listener
 * offers those of its environment and answers NOT_FOUND to the rest.
 */
export interface AppRouter extends TRPCBuiltRouter<TrpcRoot, ProceduresOf<FullContract>> {}

/** Transports values over JSON text that JSON cannot represent. */
export interface WireTransformer {
  /** Returns a value as plain JSON data. */
  serialize(value: unknown): unknown;
  /** Returns the value behind plain JSON data. */
  deserialize(data: unknown): unknown;
}

/**
 * The data transformer of the tRPC adapter: `bigint` and `Date` arrive unchanged, with every digit.
 *
 * JSON data is unchanged, except for objects with a single member whose name begins with `$`. Those are tags:
 * `{"$bigint": "9007199254740993"}`, `{"$date": "2026-01-15T08:00:00.000Z"}`, and `{"$": {...}}` around an object of
 * the caller that would itself be read as a tag.
 */
export const wireTransformer: WireTransformer = {
  serialize: (value) => pack(value, 0),
  deserialize: (data) => unpack(data, 0),
};

type Members = Readonly<Record<string, unknown>>;

/** Deeper data is rejected: it would exhaust the stack, and nothing in the contract comes close. */
const MAX_DEPTH = 64;

/** Limits the work that a sender can cause; 64-bit numbers have 19 digits. */
const BIGINT = /^-?\d{1,100}$/;

function pack(value: unknown, depth: number): unknown {
  if (typeof value === 'bigint') return { $bigint: checkBigint(`${value}`) };
  if (typeof value === 'number') return finite(value);
  if (typeof value !== 'object' || value === null) return value;
  checkDepth(depth);
  if (value instanceof Date) return { $date: value.toISOString() };
  if (Array.isArray(value)) return mapItems(value, depth, pack);
  if (!isMembers(value)) return value;
  const packed = mapMembers(value, depth, pack);
  return soleTag(packed) === undefined ? packed : { $: packed };
}

function unpack(data: unknown, depth: number): unknown {
  if (typeof data === 'number') return finite(data);
  if (typeof data !== 'object' || data === null) return data;
  checkDepth(depth);
  if (Array.isArray(data)) return mapItems(data, depth, unpack);
  if (!isMembers(data)) return data;
  const tag = soleTag(data);
  if (tag === undefined) return mapMembers(data, depth, unpack);
  const tagged = data[tag];
  if (tag === '$bigint' && typeof tagged === 'string') return BigInt(checkBigint(tagged));
  if (tag === '$date' && typeof tagged === 'string') return readDate(tagged);
  if (tag === '$' && isMembers(tagged)) return mapMembers(tagged, depth, unpack);
  throw new TypeError(`${tag.slice(0, 20)} is not the mark of a value that can be sent`);
}

/** Returns the name of the only member, if it could be a tag. JSON omits undefined members. */
function soleTag(object: Members): string | undefined {
  let sole: string | undefined;
  for (const name in object) {
    if (object[name] === undefined) continue;
    if (sole !== undefined || !name.startsWith('$')) return undefined;
    sole = name;
  }
  return sole;
}

type Change = (value: unknown, depth: number) => unknown;

// Both copy only when something changed: most data contains nothing to tag, and responses are large.
function mapItems(items: readonly unknown[], depth: number, change: Change): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let index = 0; index < items.length; index += 1) {
    const item = items[index];
    const changed = change(item, depth + 1);
    if (changed === item) continue;
    copy ??= items.slice();
    copy[index] = changed;
  }
  return copy ?? items;
}

function mapMembers(object: Members, depth: number, change: Change): Members {
  let changes: [string, unknown][] | undefined;
  for (const [name, member] of Object.entries(object)) {
    const changed = change(member, depth + 1);
    if (changed === member) continue;
    changes ??= [];
    changes.push([name, changed]);
  }
  if (!changes) return object;
  // Entries, because assignment would set the prototype for a member named __proto__.
  return Object.fromEntries([...Object.entries(object), ...changes]);
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function checkDepth(depth: number): void {
  if (depth > MAX_DEPTH) throw new RangeError(`Data are nested more than ${MAX_DEPTH} levels deep`);
}

/** JSON would turn it into null, and null removes a field. */
function finite(value: number): number {
  if (Number.isFinite(value)) return value;
  throw new RangeError(`The number ${value} cannot be sent`);
}

function checkBigint(digits: string): string {
  if (BIGINT.test(digits)) return digits;
  throw new RangeError('A bigint is sent as up to 100 decimal digits');
}

/** Characters of a date in its longest form, with a year of six digits. */
const MAX_DATE_LENGTH = 27;

function readDate(text: string): Date {
  const date = new Date(text.slice(0, MAX_DATE_LENGTH));
  if (text.length <= MAX_DATE_LENGTH && !Number.isNaN(date.getTime())) return date;
  throw new RangeError('A date is sent in the form of Date.prototype.toISOString');
}

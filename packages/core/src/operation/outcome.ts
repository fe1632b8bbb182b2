/** What goes into a call and what comes out of it, as types of the contract. */
import type * as z from 'zod';
import type { WireProblem } from '../wire/lookup.ts';
import type { AnyOperation, DataOperation, HttpRoute, OperatorOperation } from './operation.ts';

/** A page of a list. */
export interface Page<Entity> {
  readonly data: Entity[];
  /** The `cursor` of the next page, or null when this is the last. */
  readonly next_cursor: string | null;
  /** The number of matches on all pages; present when `with_total_count` was set. */
  readonly total_count?: number;
}

/** What a caller may pass: wire text or typed values. */
export type InputOf<O extends AnyOperation> = z.input<O['params']>;

/** The parameters as a handler receives them. */
export type ParamsOf<O extends AnyOperation> = z.output<O['params']>;

/** Whether an operation is a query or a mutation: `isRead` for types. */
export type ProcedureTypeOf<O extends AnyOperation> = O extends OperatorOperation
  ? O['procedure']
  : O extends { readonly http: HttpRoute<'GET'> }
    ? 'query'
    : 'mutation';

/** The answer of data retrieval. */
export interface Lookup<Data, Includes> {
  /** Absent when nothing that was asked for can be shown. */
  readonly data?: Data[];
  /** Absent when nothing was asked for or there is nothing to include. */
  readonly includes?: Includes;
  /** One problem for each id that gave nothing; absent when there is none. */
  readonly errors?: WireProblem[];
}

/** Result types of the operation `O` by kind; one that its kind does not have is not looked at. */
interface Outcomes<O extends AnyOperation> {
  readonly ads: Enveloped<O>;
  readonly operator: Enveloped<O>;
  readonly auth: z.output<O['data']>;
  readonly data: O extends DataOperation ? Lookup<z.output<O['data']>, z.output<O['includes']>> : never;
  readonly upload: z.output<O['data']>;
}

type Enveloped<O extends AnyOperation> = O['envelope'] extends 'list'
  ? Page<z.output<O['data']>>
  : O['envelope'] extends 'entity'
    ? z.output<O['data']>
    : z.output<O['data']>[];

/** Result of an operation: an entity, a page, an array, or a lookup. */
export type OutcomeOf<O extends AnyOperation> = O extends AnyOperation ? Outcomes<O>[O['kind']] : never;

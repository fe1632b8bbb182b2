/** The parameters and the result of a call, as types of the contract. */
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

/** Parameters as a caller may pass them: wire text or typed values. */
export type InputOf<O extends AnyOperation> = z.input<O['params']>;

/** The parameters as a handler receives them. */
export type ParamsOf<O extends AnyOperation> = z.output<O['params']>;

/** The procedure type of an operation: `isRead` for types. */
export type ProcedureTypeOf<O extends AnyOperation> = O extends OperatorOperation
  ? O['procedure']
  : O extends { readonly http: HttpRoute<'GET'> }
    ? 'query'
    : 'mutation';

/** The response of data retrieval. */
export interface Lookup<Data, Includes> {
  /** Absent when nothing that was requested can be shown. */
  readonly data?: Data[];
  /** Absent when nothing was requested or there is nothing to include. */
  readonly includes?: Includes;
  /** One problem for each id without a result; absent when there are none. */
  readonly errors?: WireProblem[];
}

/** Result types of the operation `O` by kind; the members of other kinds are never resolved. */
interface Outcomes<O extends AnyOperation> {
  readonly ads: Enveloped<O>;
  readonly operator: Enveloped<O>;
  readonly control: Enveloped<O>;
  readonly auth: z.output<O['data']>;
  readonly data: O extends DataOperation ? Lookup<z.output<O['data']>, z.output<O['includes']>> : never;
  readonly upload: z.output<O['data']>;
}

type Enveloped<O extends AnyOperation> = O['envelope'] extends 'list'
  ? Page<z.output<O['data']>>
  : O['envelope'] extends 'entity' | 'message'
    ? z.output<O['data']>
    : z.output<O['data']>[];

/** Result of an operation: an entity, a page, an array, or a lookup. */
export type OutcomeOf<O extends AnyOperation> = O extends AnyOperation ? Outcomes<O>[O['kind']] : never;

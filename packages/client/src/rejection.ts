/** Rejections of one operation: which codes they can have is known from the contract. */
import type { AuthContract, ClientContract, CodesOf } from '@broadside/core';
import { ApiResponseError, type ErrorCode, type RequestFacts } from './errors.ts';

/** The operations that `createClient` and `createOAuth` call. */
interface Called extends ClientContract, AuthContract {}

/** The id of an operation, such as `campaigns.create`. */
export type OperationId = {
  readonly [Family in keyof Called & string]: `${Family}.${keyof Called[Family] & string}`;
}[keyof Called & string];

type OperationById<Id extends OperationId> = Id extends `${infer Family extends keyof Called & string}.${infer Verb}`
  ? Called[Family][Verb & keyof Called[Family]]
  : never;

/** The codes with which an operation can be rejected: those that it declares, and those that its other facts imply. */
export type CodesOfOperation<Id extends OperationId> = Id extends OperationId ? CodesOf<OperationById<Id>> : never;

/** A rejection of an operation, or of one of several. */
export interface Rejection<Id extends OperationId> extends ApiResponseError {
  readonly sent: RequestFacts & { readonly operation: Id };
  /** True if one of the reasons, those of a batch's items included, has this code of the operation. */
  has(code: CodesOfOperation<Id> & ErrorCode): boolean;
}

/**
 * True for the error of a request that the server rejected, made by an operation. Its `has` then takes the codes of that
 * operation only, so that the compiler finds a code that never comes.
 *
 * @param ids the operations, as errors name them in `sent.operation`
 * @example
 * if (isRejection(error, 'campaigns.delete') && error.has('CAMPAIGN_NOT_FOUND')) console.log('It is gone already.');
 */
export function isRejection<Id extends OperationId>(
  error: unknown,
  ...ids: readonly [Id, ...Id[]]
): error is Rejection<Id> {
  return error instanceof ApiResponseError && ids.some((id) => id === error.sent.operation);
}

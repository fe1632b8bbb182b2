/** Declarations of operations. The literal types of the argument reach handlers, router and client. */
import type * as z from 'zod';
import type { ErrorName } from '../errors/error-name.ts';
import type {
  AuthAccess,
  AuthEnvelope,
  AuthOperation,
  ControlOperation,
  DataOperation,
  Envelope,
  HttpRoute,
  Operation,
  OperatorOperation,
  PageOperation,
  ProcedureType,
  UploadBytes,
  UploadEnvelope,
  UploadOperation,
  UploadRoute,
  UploadVersion,
  UserAccess,
} from './operation.ts';
import type { RateBucketName } from './rate-limits.ts';

/** Declares an operation of the advertising interface. */
export function defineOperation<
  const Id extends string,
  Params extends z.ZodObject,
  Data extends z.ZodType,
  const Wrap extends Envelope,
  const Who extends UserAccess,
  const Route extends HttpRoute,
  const Declared extends ErrorName,
>(
  operation: Omit<Operation<Id, Params, Data, Wrap, Who, Route, Declared>, 'kind'>,
): Operation<Id, Params, Data, Wrap, Who, Route, Declared> {
  return { ...operation, kind: 'ads' };
}

/** Facts of a lookup beside its id and its path. */
type LookupFacts<
  Params extends z.ZodObject,
  Data extends z.ZodType,
  Wrap extends Envelope,
  Declared extends ErrorName,
> = Omit<
  Operation<string, Params, Data, Wrap, { readonly auth: 'user' }, HttpRoute<'GET'>, Declared>,
  'kind' | 'id' | 'http' | 'access' | 'rateLimit' | 'errors'
> & {
  /** The bucket that counts it. Defaults to `ads.lookup`. */
  readonly rateLimit?: RateBucketName;
  /** Errors that access and parameters do not imply. Defaults to none. */
  readonly errors?: readonly Declared[];
};

/** Declares a read that belongs to no account. */
export function defineLookup<
  const Id extends string,
  Params extends z.ZodObject,
  Data extends z.ZodType,
  const Wrap extends Envelope,
  const At extends `/${string}`,
  const Declared extends ErrorName = never,
>(
  id: Id,
  path: At,
  facts: LookupFacts<Params, Data, Wrap, Declared>,
): Operation<Id, Params, Data, Wrap, { readonly auth: 'user' }, HttpRoute<'GET', At>, Declared> {
  return defineOperation({
    rateLimit: 'ads.lookup',
    errors: [],
    ...facts,
    id,
    http: { method: 'GET', path },
    access: { auth: 'user' },
  });
}

/** Declares an operation of the operator. */
export function defineOperatorOperation<
  const Id extends string,
  Params extends z.ZodObject,
  Data extends z.ZodType,
  const Wrap extends Envelope,
  const Procedure extends ProcedureType,
  const Declared extends ErrorName,
>(
  operation: Omit<
    OperatorOperation<Id, Params, Data, Wrap, Procedure, Declared>,
    'kind' | 'http' | 'access' | 'rateLimit'
  >,
): OperatorOperation<Id, Params, Data, Wrap, Procedure, Declared> {
  return { ...operation, kind: 'operator', http: null, access: { auth: 'operator' }, rateLimit: null };
}

/** Declares an operation on worlds as a whole: it needs none to be open. */
export function defineHostOperation<
  const Id extends string,
  Params extends z.ZodObject,
  Data extends z.ZodType,
  const Wrap extends Envelope,
  const Route extends HttpRoute,
  const Declared extends ErrorName,
>(
  operation: Omit<
    ControlOperation<Id, Params, Data, Wrap, { readonly auth: 'operator' }, Route, Declared>,
    'kind' | 'access' | 'rateLimit'
  >,
): ControlOperation<Id, Params, Data, Wrap, { readonly auth: 'operator' }, Route, Declared> {
  return { ...operation, kind: 'control', access: { auth: 'operator' }, rateLimit: null };
}

/** Declares an endpoint of authentication. */
export function defineAuthOperation<
  const Id extends string,
  Params extends z.ZodObject,
  Data extends z.ZodType,
  const Wrap extends AuthEnvelope,
  const Who extends AuthAccess,
  const Declared extends ErrorName,
  const Rejection extends ErrorName = never,
>(
  operation: Omit<AuthOperation<Id, Params, Data, Wrap, Who, Declared, Rejection>, 'kind'>,
): AuthOperation<Id, Params, Data, Wrap, Who, Declared, Rejection> {
  return { ...operation, kind: 'auth' };
}

/** Declares an operation of data retrieval. */
export function defineDataOperation<
  const Id extends string,
  Params extends z.ZodObject,
  Data extends z.ZodType,
  Includes extends z.ZodObject,
  const Declared extends ErrorName,
>(
  operation: Omit<DataOperation<Id, Params, Data, Includes, Declared>, 'kind'>,
): DataOperation<Id, Params, Data, Includes, Declared> {
  return { ...operation, kind: 'data' };
}

/** Declares a step of uploading media. */
export function defineUploadOperation<
  const Id extends string,
  Params extends z.ZodObject,
  Data extends z.ZodType,
  const Wrap extends UploadEnvelope,
  const Route extends UploadRoute,
  const Version extends UploadVersion,
  const Declared extends ErrorName,
  Bytes extends UploadBytes | undefined = undefined,
>(
  operation: Omit<UploadOperation<Id, Params, Data, Wrap, Bytes, Route, Version, Declared>, 'kind'>,
): UploadOperation<Id, Params, Data, Wrap, Bytes, Route, Version, Declared> {
  return { ...operation, kind: 'upload' };
}

/** Declares a page. */
export function definePageOperation<const Id extends string, Params extends z.ZodObject>(
  page: Omit<PageOperation<Id, Params>, 'kind'>,
): PageOperation<Id, Params> {
  return { ...page, kind: 'page' };
}

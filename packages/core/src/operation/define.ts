/** Declarations of operations. The literal types of the argument reach handlers, router and client. */
import type * as z from 'zod';
import type {
  AuthAccess,
  AuthEnvelope,
  AuthOperation,
  DataOperation,
  Envelope,
  HttpMethod,
  Operation,
  OperatorOperation,
  PageOperation,
  ProcedureType,
  UploadBytes,
  UploadEnvelope,
  UploadOperation,
  UserAccess,
} from './operation.ts';

/** Declares an operation of the advertising interface. */
export function defineOperation<
  const Id extends string,
  Params extends z.ZodObject,
  Data extends z.ZodType,
  const Wrap extends Envelope,
  const Who extends UserAccess,
  const Method extends HttpMethod,
>(
  operation: Omit<Operation<Id, Params, Data, Wrap, Who, Method>, 'kind'>,
): Operation<Id, Params, Data, Wrap, Who, Method> {
  return { ...operation, kind: 'ads' };
}

/** Declares an operation of the operator. */
export function defineOperatorOperation<
  const Id extends string,
  Params extends z.ZodObject,
  Data extends z.ZodType,
  const Wrap extends Envelope,
  const Procedure extends ProcedureType,
>(
  operation: Omit<OperatorOperation<Id, Params, Data, Wrap, Procedure>, 'kind' | 'http' | 'access' | 'rateLimit'>,
): OperatorOperation<Id, Params, Data, Wrap, Procedure> {
  return { ...operation, kind: 'operator', http: null, access: { auth: 'operator' }, rateLimit: null };
}

/** Declares an endpoint of authentication. */
export function defineAuthOperation<
  const Id extends string,
  Params extends z.ZodObject,
  Data extends z.ZodType,
  const Wrap extends AuthEnvelope,
  const Who extends AuthAccess,
>(operation: Omit<AuthOperation<Id, Params, Data, Wrap, Who>, 'kind'>): AuthOperation<Id, Params, Data, Wrap, Who> {
  return { ...operation, kind: 'auth' };
}

/** Declares an operation of data retrieval. */
export function defineDataOperation<
  const Id extends string,
  Params extends z.ZodObject,
  Data extends z.ZodType,
  Includes extends z.ZodObject,
>(operation: Omit<DataOperation<Id, Params, Data, Includes>, 'kind'>): DataOperation<Id, Params, Data, Includes> {
  return { ...operation, kind: 'data' };
}

/** Declares a step of uploading media. */
export function defineUploadOperation<
  const Id extends string,
  Params extends z.ZodObject,
  Data extends z.ZodType,
  const Wrap extends UploadEnvelope,
  Bytes extends UploadBytes | undefined = undefined,
>(
  operation: Omit<UploadOperation<Id, Params, Data, Wrap, Bytes>, 'kind'>,
): UploadOperation<Id, Params, Data, Wrap, Bytes> {
  return { ...operation, kind: 'upload' };
}

/** Declares a page. */
export function definePageOperation<const Id extends string, Params extends z.ZodObject>(
  page: Omit<PageOperation<Id, Params>, 'kind'>,
): PageOperation<Id, Params> {
  return { ...page, kind: 'page' };
}

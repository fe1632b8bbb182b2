/** Operations on the account that is identified by `account_id` in their path. */
import type * as z from 'zod';
import type { ErrorName } from '../errors/error-name.ts';
import type { Capability } from './access.ts';
import { defineOperation } from './define.ts';
import type { Envelope, HttpMethod, HttpRoute, Operation } from './operation.ts';
import type { RateBucketName } from './rate-limits.ts';

/** The path of an operation. */
export type Path = `/${string}`;

/** Access to an operation on an account. */
interface OnAccount {
  readonly auth: 'user';
  readonly capability: Capability;
}

/** An operation on an account. */
export type AccountOperation<
  Id extends string,
  Params extends z.ZodObject,
  Data extends z.ZodType,
  Wrap extends Envelope,
  Method extends HttpMethod,
  At extends Path,
  Declared extends ErrorName,
> = Operation<Id, Params, Data, Wrap, OnAccount, HttpRoute<Method, At>, Declared>;

/** Facts of an operation on an account beside its id and its path. */
export type AccountFacts<
  Params extends z.ZodObject = z.ZodObject,
  Data extends z.ZodType = z.ZodType,
  Wrap extends Envelope = Envelope,
  Declared extends ErrorName = ErrorName,
> = Omit<
  Operation<string, Params, Data, Wrap, OnAccount, HttpRoute, Declared>,
  'kind' | 'id' | 'http' | 'access' | 'rateLimit' | 'errors' | 'example'
> & {
  readonly capability: Capability;
  /** Errors that access and parameters do not imply. Defaults to none. */
  readonly errors?: readonly Declared[];
  /** A call for the account of all examples, and an element of its response. */
  readonly example: { readonly params: Omit<z.input<Params>, 'account_id'>; readonly data: z.input<Data> };
};

/** The account of all examples. */
const exampleAccount = { account_id: '18ce54d4x5t' };

/** Declares a read on an account. It is counted as `ads.account_read` unless it names another bucket. */
export function defineAccountRead<
  const Id extends string,
  Params extends z.ZodObject,
  Data extends z.ZodType,
  const Wrap extends Envelope,
  const At extends Path,
  const Declared extends ErrorName = never,
>(
  id: Id,
  path: At,
  facts: AccountFacts<Params, Data, Wrap, Declared> & {
    readonly rateLimit?: RateBucketName;
    /** Accepts a deleted account too when `with_deleted` is set. */
    readonly deletedAccount?: true;
  },
): AccountOperation<Id, Params, Data, Wrap, 'GET', At, Declared>;
export function defineAccountRead(
  id: string,
  path: Path,
  {
    capability,
    deletedAccount,
    errors = [],
    rateLimit = 'ads.account_read',
    example: { params, data },
    ...facts
  }: AccountFacts & { readonly rateLimit?: RateBucketName; readonly deletedAccount?: true },
): Operation {
  return defineOperation({
    ...facts,
    id,
    http: { method: 'GET', path },
    access: { auth: 'user', capability, ...(deletedAccount ? { deletedAccount } : {}) },
    rateLimit,
    errors,
    example: { params: { ...exampleAccount, ...params }, data },
  });
}

/** Declares a change on an account. It is counted as `ads.write` unless it names another bucket. */
export function defineAccountWrite<
  const Id extends string,
  Params extends z.ZodObject,
  Data extends z.ZodType,
  const Wrap extends Envelope,
  const Method extends Exclude<HttpMethod, 'GET'>,
  const At extends Path,
  const Declared extends ErrorName = never,
>(
  id: Id,
  method: Method,
  path: At,
  facts: AccountFacts<Params, Data, Wrap, Declared> & { readonly rateLimit?: RateBucketName | undefined },
): AccountOperation<Id, Params, Data, Wrap, Method, At, Declared>;
export function defineAccountWrite(
  id: string,
  method: Exclude<HttpMethod, 'GET'>,
  path: Path,
  {
    capability,
    errors = [],
    rateLimit = 'ads.write',
    example,
    ...facts
  }: AccountFacts & { readonly rateLimit?: RateBucketName | undefined },
): Operation {
  return defineOperation({
    ...facts,
    id,
    http: { method, path },
    access: { auth: 'user', capability },
    rateLimit,
    errors,
    example: {
      params: { ...exampleAccount, ...example.params },
      get data() {
        return example.data;
      },
    },
  });
}

/** The errors of an operation as types: the result of `errorsOf`, and the codes that callers receive for them. */
import type * as z from 'zod';
import type {
  AnyOperation,
  AuthOperation,
  ControlOperation,
  Operation,
  UploadOperation,
} from '../operation/operation.ts';
import type { ErrorCatalogue, ErrorName } from './error-name.ts';
import type { impliedErrors } from './implied-errors.ts';
import type { ProblemName } from './problem-codes.ts';
import type { MissingNumber } from './upload-errors.ts';

type Implied = typeof impliedErrors;

/** The names of all errors that an operation can return: those that it declares or implies. */
export type ErrorsOf<O extends AnyOperation> = O extends AnyOperation
  ? O['errors'][number] | RejectionOf<O> | Implied[FactsOf<O>][number]
  : never;

type RejectionOf<O extends AnyOperation> = O extends AuthOperation ? NonNullable<O['rejection']> : never;

/** The facts of an operation that imply errors. */
type FactsOf<O extends AnyOperation> =
  | 'any'
  | HttpFact<O>
  | BodyFact<O>
  | ([RejectionOf<O>] extends [never]
      ? 'specific' | O['kind'] | WriteFact<O> | CapabilityFact<O> | WorldFact<O> | UploadFacts<O> | ParameterFacts<O>
      : never);

type IsRead<O extends AnyOperation> = O extends { readonly http: { readonly method: 'GET' } } ? true : false;

type HttpFact<O extends AnyOperation> = O['http'] extends null ? never : 'http';

type BodyFact<O extends AnyOperation> = O['http'] extends null ? never : IsRead<O> extends true ? never : 'body';

type WriteFact<O extends AnyOperation> = O extends Operation | UploadOperation
  ? IsRead<O> extends true
    ? never
    : 'write'
  : never;

type CapabilityFact<O extends AnyOperation> = O['access'] extends { readonly capability: string }
  ? 'capability' | (IsRead<O> extends true ? never : 'capability write')
  : never;

type WorldFact<O extends AnyOperation> = O extends ControlOperation
  ? 'world_id' extends keyof O['params']['shape']
    ? 'world'
    : never
  : never;

type UploadFacts<O extends AnyOperation> = O extends UploadOperation
  ? `version ${O['version']}` | ([NonNullable<O['bytes']>] extends [never] ? never : 'required')
  : never;

type ParameterFacts<O extends AnyOperation> = O['envelope'] extends 'batch'
  ? 'batch' | (z.input<O['params']> extends { readonly operations: readonly (infer Item)[] } ? ItemFact<Item> : never)
  :
      | TextFact<z.input<O['params']>, z.output<O['params']>>
      | (Exclude<RequiredKeys<z.input<O['params']>>, PathParameters<O>> extends never ? never : 'required')
      | ExclusiveFact<O>;

type ItemFact<Item> = Item extends { readonly params: infer Params } ? TextFact<Params, Params> : never;

/** Exclusive parameters are not part of an operation's type: lists that count have some, and others declare the error. */
type ExclusiveFact<O extends AnyOperation> = 'with_total_count' extends keyof O['params']['shape']
  ? 'exclusive'
  : never;

type RequiredKeys<Input> = {
  [Name in keyof Input]-?: Record<never, never> extends Pick<Input, Name> ? never : Name;
}[keyof Input];

type TextFact<Input, Output> = {
  [Name in keyof Output]-?: IsText<Name extends keyof Input ? Input[Name] : never, Output[Name]>;
}[keyof Output];

/** Times are strings that may also be given as a `Date`; lists are strings or arrays. */
type IsText<Input, Output> =
  string extends NonNullable<Output>
    ? [Extract<Input, Date | readonly unknown[]>] extends [never]
      ? 'text'
      : never
    : never;

type PathParameters<O extends AnyOperation> = O['http'] extends { readonly path: infer Path } ? NamesIn<Path> : never;

type NamesIn<Path> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Others}`
    ? Name | NamesIn<`/${Others}`>
    : Rest
  : never;

/** The codes that callers of an operation receive: words, or numbers where its interface numbers errors. */
export type CodesOf<O extends AnyOperation> = O extends AnyOperation ? Codes<ErrorsOf<O>>[StyleOf<O>] : never;

type StyleOf<O extends AnyOperation> = O extends UploadOperation
  ? O['version'] extends '2'
    ? 'problems'
    : 'upload numbers'
  : O['kind'] extends 'auth'
    ? 'numbers'
    : O['kind'] extends 'data'
      ? 'problems'
      : 'words';

/** The codes of errors in each error format. */
interface Codes<Name extends ErrorName> {
  readonly words: WordOf<Name>;
  readonly numbers: NumberOf<Name>;
  readonly 'upload numbers': UploadNumberOf<Name>;
  readonly problems: ProblemCodeOf<Name>;
}

type WordOf<Name extends ErrorName> = Name extends ErrorName
  ? ErrorCatalogue[Name] extends { readonly code: infer Code extends string | number }
    ? Code
    : Name
  : never;

type NumberOf<Name extends ErrorName> = Name extends ErrorName
  ? ErrorCatalogue[Name] extends { readonly number: infer Code extends number }
    ? Code
    : ErrorCatalogue['INTERNAL_ERROR']['number']
  : never;

/** The type-level counterpart of `uploadError`. */
type UploadNumberOf<Name extends ErrorName> = Name extends 'MISSING_PARAMETER'
  ? MissingNumber
  : Name extends 'UNAUTHORIZED_CLIENT_APPLICATION'
    ? NumberOf<'APP_SUSPENDED'>
    : Name extends 'INVALID_PARAMETER' | 'ILLEGAL_CHARACTERS'
      ? NumberOf<'MEDIA_INVALID' | Name>
      : NumberOf<Name>;

/** Problems have no codes, except that of an expired token; the others are assigned one by their status. */
type ProblemCodeOf<Name extends ErrorName> = Name extends ErrorName
  ? Name extends 'INVALID_TOKEN'
    ? NumberOf<Name>
    : NameOfStatus<ErrorCatalogue[Name]['status']>
  : never;

type NameOfStatus<Status extends number> = [NameWith<Status>] extends [never] ? 'INTERNAL_ERROR' : NameWith<Status>;

type NameWith<Status extends number> = {
  [Name in ProblemName]: ErrorCatalogue[Name]['status'] extends Status ? Name : never;
}[ProblemName];

/**
 * An operation is data, written once: its parameters, its result, the callers it admits and its errors. Every adapter
 * (REST, tRPC, OpenAPI, client, CLI) reads it; no fact about an operation is stated anywhere else. There are seven kinds
 * of operations, discriminated by `kind`.
 */
import type * as z from 'zod';
import type { ErrorName } from '../errors/error-name.ts';
import type { UsersShape } from '../resources/custom-audiences/users/users-shape.ts';
import type { Capability } from './access.ts';
import type { RateBucketName } from './rate-limits.ts';

/** The methods of the advertising interface. GET changes nothing, the others do. */
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Path parameters are written `:name`; each is a parameter of the operation. */
export interface HttpRoute<Method extends HttpMethod = HttpMethod, Path extends `/${string}` = `/${string}`> {
  readonly method: Method;
  readonly path: Path;
  /** Other paths by which clients know the operation. */
  readonly aliases?: readonly `/${string}`[];
}

/** Distinguishes procedures that only read from those that change something. */
export type ProcedureType = 'query' | 'mutation';

/** The callers that may use an operation. */
export type Access =
  /** A signed-in user, without a particular account. */
  | { readonly auth: 'user' }
  /** A signed-in user with a capability on the account that `account_id` identifies. */
  | {
      readonly auth: 'user';
      readonly capability: Capability;
      /** Accepts a deleted account too when `with_deleted` is set; no other operation works on a deleted account. */
      readonly deletedAccount?: true;
    }
  /** The operator of the platform; such operations are offered to internal callers only. */
  | { readonly auth: 'operator' };

/**
 * The form of `data` (specification A, shared conventions 3 and 7): one entity; a page of a list; a plain array of
 * values without paging; a batch's entities in the order of its items. Of a message, the members stand beside `request`,
 * and there is no `data` (reference, conventions section 1).
 */
export type Envelope = 'entity' | 'list' | 'values' | 'batch' | 'message';

/** The items of a batch: the maximum number, and the parameters of each kind of item. */
export interface BatchItems {
  readonly max: number;
  readonly Create?: z.ZodObject;
  readonly Update?: z.ZodObject;
  readonly Delete?: z.ZodObject;
  /**
   * The items are users of an audience, which are too many for a value each: a reader of bytes accepts what the schemas
   * accept, and the handler gets them packed.
   */
  readonly users?: UsersShape;
}

/** Names that cannot be used together in one request. */
export type Exclusive = readonly [string, string];

/**
 * Additional members of the envelope of single operations (reference, conventions section 1): the name of the kind of
 * entity; the number of entities in `data`, requested or not; a `next_cursor` that is always null.
 */
export interface BesideData {
  readonly data_type?: string;
  readonly total_count?: true;
  readonly next_cursor?: null;
}

/** Values by the names of parameters. */
export type NamedValues = Readonly<Record<string, unknown>>;

interface Facts<
  Id extends string,
  Params extends z.ZodObject,
  Data extends z.ZodType,
  Wrap extends string,
  Declared extends ErrorName,
> {
  /** Dotted: `campaigns.create`. Determines the tRPC path, CLI words, client method and OpenAPI operationId. */
  readonly id: Id;
  /** One line for a caller, in the imperative. */
  readonly summary: string;
  /** Details beyond the summary, for a caller. */
  readonly description?: string;
  /** Exists on the sandbox only (specification A, shared conventions 8). */
  readonly sandboxOnly?: true;
  readonly rateLimit: RateBucketName | null;
  readonly envelope: Wrap;
  readonly params: Params;
  readonly exclusive?: readonly Exclusive[];
  readonly batch?: BatchItems;
  /**
   * Parameters outside the path are the members of a JSON object in the body, and are accepted in no other form: a form
   * or a query could not represent all of them.
   */
  readonly body?: 'json';
  /** With the envelope `values`; of a list, `data_type` only. */
  readonly beside?: BesideData;
  /**
   * Builds `request.params` from the parameters sent, where it reports them in another form (reference, conventions
   * section 2).
   */
  readonly echo?: (sent: NamedValues) => NamedValues;
  /** The schema of `data`, or of one element of it for lists, values and batches. */
  readonly data: Data;
  /** The errors of this operation beside those that its access and parameters imply. */
  readonly errors: readonly Declared[];
  /** A valid call and an element of its response. */
  readonly example: { readonly params: z.input<Params>; readonly data: z.input<Data> };
}

/** The callers that may use an operation of the advertising interface. */
export type UserAccess = Exclude<Access, { auth: 'operator' }>;

/** An operation of the advertising interface, available on every adapter. */
export interface Operation<
  Id extends string = string,
  Params extends z.ZodObject = z.ZodObject,
  Data extends z.ZodType = z.ZodType,
  Wrap extends Envelope = Envelope,
  Who extends UserAccess = UserAccess,
  Route extends HttpRoute = HttpRoute,
  Declared extends ErrorName = ErrorName,
> extends Facts<Id, Params, Data, Wrap, Declared> {
  readonly kind: 'ads';
  readonly http: Route;
  readonly access: Who;
  readonly rateLimit: RateBucketName;
}

/** An operation of the platform's operator: a tRPC procedure and a CLI verb, without a public path. */
export interface OperatorOperation<
  Id extends string = string,
  Params extends z.ZodObject = z.ZodObject,
  Data extends z.ZodType = z.ZodType,
  Wrap extends Envelope = Envelope,
  Procedure extends ProcedureType = ProcedureType,
  Declared extends ErrorName = ErrorName,
> extends Facts<Id, Params, Data, Wrap, Declared> {
  readonly kind: 'operator';
  readonly http: null;
  readonly access: Extract<Access, { auth: 'operator' }>;
  readonly rateLimit: null;
  /** `mutation` when the call changes anything. */
  readonly procedure: Procedure;
}

/** The caller of the control interface: the operator. */
export interface ControlAccess {
  readonly auth: 'operator';
  /** Works in the world that `world_id` identifies, which is opened for it. */
  readonly world?: 'open';
}

/** An operation on worlds: on REST and tRPC of the control listener, and in the command line. */
export interface ControlOperation<
  Id extends string = string,
  Params extends z.ZodObject = z.ZodObject,
  Data extends z.ZodType = z.ZodType,
  Wrap extends Envelope = Envelope,
  Who extends ControlAccess = ControlAccess,
  Route extends HttpRoute = HttpRoute,
  Declared extends ErrorName = ErrorName,
> extends Facts<Id, Params, Data, Wrap, Declared> {
  readonly kind: 'control';
  readonly http: Route;
  readonly access: Who;
  readonly rateLimit: null;
}

/** The credentials that an endpoint of authentication requires (reference, auth section 7). */
export interface AuthAccess {
  readonly auth: /** An OAuth 1.0a signature of the app alone. */
    | 'app'
    /** A signature of the app and a request token. */
    | 'request_token'
    /** A signature of the app and an access token, whatever its access level. */
    | 'access_token'
    /** HTTP Basic with the key and the secret of the app. */
    | 'basic'
    /** A signature of the app and an access token of its owner, or HTTP Basic. */
    | 'owner';
}

/** The format of a response of an endpoint of authentication: form-encoded text, or a JSON object without an envelope. */
export type AuthEnvelope = 'form' | 'object';

/** An endpoint of authentication, available on REST and in the client; it is neither a tRPC procedure nor a command. */
export interface AuthOperation<
  Id extends string = string,
  Params extends z.ZodObject = z.ZodObject,
  Data extends z.ZodType = z.ZodType,
  Wrap extends AuthEnvelope = AuthEnvelope,
  Who extends AuthAccess = AuthAccess,
  Declared extends ErrorName = ErrorName,
  Rejection extends ErrorName = ErrorName,
> extends Facts<Id, Params, Data, Wrap, Declared> {
  readonly kind: 'auth';
  readonly http: HttpRoute<'POST'>;
  readonly access: Who;
  readonly rateLimit: RateBucketName;
  /** The single error with which it rejects any invalid request. */
  readonly rejection?: Rejection;
}

/** A page that a person's browser opens: an address with parameters, without response data. */
export interface PageOperation<Id extends string = string, Params extends z.ZodObject = z.ZodObject> {
  readonly kind: 'page';
  readonly id: Id;
  readonly summary: string;
  readonly description: string;
  readonly http: HttpRoute<'GET'>;
  readonly rateLimit: RateBucketName;
  readonly params: Params;
  readonly example: { readonly params: z.input<Params> };
}

/** The callers of data retrieval: an app with its bearer token, or a person who signed through an app. */
export interface DataAccess {
  readonly auth: 'app_or_user';
}

/** An operation of data retrieval: objects by their ids, related objects, and a problem for each missing one. */
export interface DataOperation<
  Id extends string = string,
  Params extends z.ZodObject = z.ZodObject,
  Data extends z.ZodType = z.ZodType,
  Includes extends z.ZodObject = z.ZodObject,
  Declared extends ErrorName = ErrorName,
> extends Facts<Id, Params, Data, 'lookup', Declared> {
  readonly kind: 'data';
  readonly http: HttpRoute<'GET'>;
  readonly access: DataAccess;
  readonly rateLimit: RateBucketName;
  /** The schema of `includes`. */
  readonly includes: Includes;
  readonly example: {
    readonly params: z.input<Params>;
    readonly data: z.input<Data>;
    readonly includes: z.input<Includes>;
  };
}

/** The caller of an upload: a person who signed through an app. */
export interface UploadAccess {
  readonly auth: 'uploader';
}

/** The form of an upload's response: a JSON object as it is, an object in `data`, or nothing. */
export type UploadEnvelope = 'bare' | 'data' | 'nothing';

/** The steps of an upload that share one path and are distinguished by the parameter `command`. */
export type UploadCommand = 'INIT' | 'APPEND' | 'FINALIZE' | 'STATUS';

/** The names of the parameters for bytes, of which exactly one is given. */
export interface UploadBytes {
  /** The binary part of a multipart body, or base64 in a JSON body. */
  readonly part: string;
  /** The parameter that contains base64, in any place. */
  readonly base64?: string;
  readonly max_bytes: number;
}

/** Several steps share a route and are distinguished by `command`; the one without is chosen when none is given. */
export type UploadRoute = HttpRoute<'GET' | 'POST'> & {
  readonly command?: UploadCommand;
  /** The status of a success. Defaults to 200. */
  readonly status?: 201 | 202 | 204;
};

/** Version 1.1 numbers its errors and ignores unknown parameters; version 2 returns problems. */
export type UploadVersion = '1.1' | '2';

/**
 * A step of uploading media, available on REST and in the client. Bytes are sent as a part of `multipart/form-data`, or
 * in base64 as a parameter; neither is among `params`.
 */
export interface UploadOperation<
  Id extends string = string,
  Params extends z.ZodObject = z.ZodObject,
  Data extends z.ZodType = z.ZodType,
  Wrap extends UploadEnvelope = UploadEnvelope,
  Bytes extends UploadBytes | undefined = UploadBytes | undefined,
  Route extends UploadRoute = UploadRoute,
  Version extends UploadVersion = UploadVersion,
  Declared extends ErrorName = ErrorName,
> extends Facts<Id, Params, Data, Wrap, Declared> {
  readonly kind: 'upload';
  readonly http: Route;
  readonly access: UploadAccess;
  readonly rateLimit: RateBucketName;
  readonly version: Version;
  /** Absent if the step has none. */
  readonly bytes?: Bytes;
  /** The step is idempotent. */
  readonly repeatable?: true;
}

/** Operations by their kind. */
export interface OperationsByKind {
  /** The advertising interface, on every adapter. */
  readonly ads: Operation;
  /** The operator's procedures, on tRPC and in the command line. */
  readonly operator: OperatorOperation;
  /** The control of worlds, on REST and tRPC of a listener of its own and in the command line. */
  readonly control: ControlOperation;
  /** The endpoints of authentication, on REST and in the client. */
  readonly auth: AuthOperation;
  /** Data retrieval, on every adapter. */
  readonly data: DataOperation;
  /** The upload of media, on REST and in the client. */
  readonly upload: UploadOperation;
  /** Pages for a person's browser. */
  readonly page: PageOperation;
}

/** The kinds of operations. */
export type OperationKind = keyof OperationsByKind;

/** The kinds of operations that a program calls: all but pages. */
export type CallableKind = Exclude<OperationKind, 'page'>;

/** The operations of a kind, or of several. */
export type OperationOfKind<Kind extends OperationKind> = OperationsByKind[Kind];

/** Any operation that a program calls. */
export type AnyOperation = OperationOfKind<CallableKind>;

/** Returns whether calling an operation changes nothing. */
export function isRead(operation: AnyOperation): boolean {
  return operation.kind === 'operator' ? operation.procedure === 'query' : operation.http.method === 'GET';
}

/** The environment of advertising data: for real money, or for trying things out. */
export type Environment = 'production' | 'sandbox';

/** Returns whether an operation exists in an environment (specification A, shared conventions 8). */
export function isOffered(operation: AnyOperation, environment: Environment): boolean {
  return environment === 'sandbox' || !operation.sandboxOnly;
}

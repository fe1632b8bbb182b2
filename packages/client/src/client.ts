/** The client: a method for each operation, derived from the contract. */
import type {
  AnyOperation,
  ClientContract,
  Contract,
  DataOperation,
  InputOf,
  Lookup,
  OutcomeOf,
  Page,
  UploadContract,
  UploadOperation,
} from '@broadside/core';
import type { UploadedMedia } from '@broadside/core/resources/media';
import { type ThinAdsOperation, type ThinOperation, type ThinUploadOperation, thin } from '@broadside/core/thin';
import type { PeopleListName } from './audience-upload/lists.ts';
import type {
  AudienceUploadOptions,
  CustomAudienceUploadOptions,
  DoNotReachListUploadOptions,
  PeopleUpload,
} from './audience-upload/options.ts';
import type { AudienceUploadReport } from './audience-upload/report.ts';
import { type AuthMode, type ClientCredentials, type Environment, type Host, readingProof } from './credentials.ts';
import { decodeLookup, decodeOutcome, decodeUpload, readJson } from './decode.ts';
import { encodeCall, encodeJson, encodePairs, encodeUpload, type Params, type ParamValue } from './encode.ts';
import { CallError, type RequestFacts, SandboxOnlyError, UnexpectedResponseError } from './errors.ts';
import { type ListCall, PagedCall } from './list-call.ts';
import { isMediaBytes, type MediaBytes } from './media-bytes.ts';
import { type UploadOptions, uploadMedia } from './media-upload.ts';
import type { RateLimits } from './rate-limits.ts';
import { isOk, responseError } from './response-error.ts';
import { isReading } from './retry.ts';
import { ShapeError } from './shape.ts';
import { type Answer, type CallOptions, Transport, type TransportOptions } from './transport.ts';

/** Options of a client; all are optional. */
export interface ClientOptions extends TransportOptions {}

/** A method: parameters may be left out where none is required. */
export type Method<Input, Result> =
  Record<never, never> extends Input
    ? (params?: Input, options?: CallOptions) => Result
    : (params: Input, options?: CallOptions) => Result;

/** Options of a single call of data retrieval. */
export interface LookupOptions extends CallOptions {
  /** As whom to read. When left out: as the app, if the credentials have its bearer token, otherwise as the user. */
  readonly auth?: 'bearer' | 'oauth' | undefined;
}

/** A method of data retrieval. */
export type LookupMethod<Input, Result> = (params: Input, options?: LookupOptions) => Promise<Result>;

/** Parameters of a step of an upload, and the bytes where it sends some. */
export type UploadInput<O extends UploadOperation> = [NonNullable<O['bytes']>] extends [never]
  ? InputOf<O>
  : InputOf<O> & { readonly media: MediaBytes };

/** A method of uploading. */
export type UploadMethod<Input, Result> = (params: Input, options?: CallOptions) => Promise<Result>;

/** The method of an operation. */
export type MethodOf<O extends AnyOperation> = O extends DataOperation
  ? LookupMethod<InputOf<O>, OutcomeOf<O>>
  : O extends UploadOperation
    ? UploadMethod<UploadInput<O>, OutcomeOf<O>>
    : Method<InputOf<O>, OutcomeOf<O> extends Page<infer Entity> ? ListCall<Entity> : Promise<OutcomeOf<O>>>;

/** A part of the contract as methods. */
export type MethodsOf<Node> = {
  readonly [Name in keyof Node]: Node[Name] extends AnyOperation ? MethodOf<Node[Name]> : MethodsOf<Node[Name]>;
};

/** Uploads media: all the steps at once, or the one request that takes small media whole. */
export interface UploadMedia extends MethodOf<UploadContract['media']['upload']> {
  /**
   * Announces the bytes, sends them in segments, ends the upload, and gives the media once they can be used. Segments and
   * questions are repeated by the policy for reads.
   *
   * @throws MediaProcessingError when the media cannot be processed, or not in time
   * @example
   * const { media_key } = await client.media.upload(bytes, { media_category: 'post_image' });
   */
  (bytes: MediaBytes, options?: UploadOptions): Promise<UploadedMedia>;
}

/** The upload of media: {@link UploadMedia}, and each step of it. */
export interface MediaMethods extends Omit<MethodsOf<UploadContract['media']>, 'upload'> {
  readonly upload: UploadMedia;
}

/** Custom audiences, and the upload of people to them. */
export interface CustomAudienceMethods
  extends MethodsOf<Contract['custom_audiences']>,
    PeopleUpload<CustomAudienceUploadOptions> {}

/** Do-not-reach lists, and the upload of people to them. */
export interface DoNotReachListMethods
  extends MethodsOf<Contract['do_not_reach_lists']>,
    PeopleUpload<DoNotReachListUploadOptions> {}

/** A request that no operation of the contract describes. */
export interface RawRequest {
  readonly method: string;
  /** Begins with `/`; it may hold a query. */
  readonly path: string;
  readonly query?: Readonly<Record<string, ParamValue | undefined>> | undefined;
  /** A form body. The signature covers it. */
  readonly form?: Readonly<Record<string, ParamValue | undefined>> | undefined;
  /** A JSON body; a `bigint` keeps its digits. */
  readonly json?: unknown;
  /** `oauth` when left out. */
  readonly auth?: AuthMode | undefined;
  /** `ads` when left out: the advertising interface of the client's environment. */
  readonly host?: Host | undefined;
}

/** The answer to a raw request. */
export interface RawResponse {
  readonly status: number;
  /** True for a status from 200 to 299. */
  readonly ok: boolean;
  readonly headers: Headers;
  readonly rateLimits: RateLimits;
  /** The body as JSON data, whole numbers that a double cannot hold as `bigint`; `undefined` when it is not JSON. */
  readonly body: unknown;
  readonly text: string;
}

/** Names an operation: one of the contract, or anything else that has its id. */
export interface OperationReference {
  readonly id: string;
}

/**
 * A client of one environment. Each operation is a method under its id: `client.campaigns.create({...})` gives the
 * entity, `client.campaigns.batch({...})` the entities, `client.campaigns.list({...})` a {@link ListCall}, and
 * `client.posts.lookup({...})` the objects with what belongs to them and a problem for each that is missing.
 * `client.media.upload(bytes)` gives media that can be used.
 */
export interface Client extends Omit<MethodsOf<ClientContract>, PeopleListName | 'media'> {
  readonly custom_audiences: CustomAudienceMethods;
  readonly do_not_reach_lists: DoNotReachListMethods;
  readonly media: MediaMethods;
  readonly environment: Environment;
  /** The rate limits that the last answer reported. Concurrent calls overwrite each other; `onResponse` gives each its own. */
  readonly rateLimits: RateLimits;
  /**
   * Sends any request, signed. The answer is given whatever its status; repeated like other calls.
   * @example
   * const { body } = await client.request({ method: 'GET', path: '/12/accounts', query: { count: 10 } });
   */
  request(request: RawRequest, options?: CallOptions): Promise<RawResponse>;
  /**
   * Calls an operation that is known at run time only, such as one that a command line names.
   * @throws CallError (as a rejection) when the client knows no operation of this id
   */
  call(operation: OperationReference, params: Params, options?: CallOptions): Promise<unknown>;
  /** Reads data by an operation that is known at run time only. @throws CallError (as a rejection), as {@link call} */
  lookup(operation: OperationReference, params: Params, options?: LookupOptions): Promise<Lookup<unknown, unknown>>;
  /** Goes through a list that is known at run time only. @throws CallError as {@link call}, and when it is not a list */
  list(operation: OperationReference, params: Params, options?: CallOptions): ListCall<unknown>;
}

/**
 * Creates a client. It opens nothing and sends nothing by itself.
 *
 * @param credentials the parsed `credentials.json` of a server, or its members that your calls need
 * @throws CallError when an option makes no sense
 * @example
 * const client = createClient(credentials, { environment: 'sandbox' });
 * const campaign = await client.campaigns.get({ account_id: '18ce54d4x5t', campaign_id: '8wku2' });
 */
export function createClient(credentials: ClientCredentials, options?: ClientOptions): Client;
// Methods are made from the thin contract, their types from the whole one: this signature is where the two meet.
export function createClient(credentials: ClientCredentials, options: ClientOptions = {}): object {
  const caller = new Caller(credentials, new Transport(credentials, options));
  const methods = methodsOf(caller);
  const media = {
    ...methods['media'],
    upload: (given: MediaBytes | Params, callOptions?: UploadOptions) =>
      isMediaBytes(given) ? caller.upload(given, callOptions) : caller.call({ id: 'media.upload' }, given, callOptions),
  };
  const withUpload = (family: PeopleListName) => ({
    ...methods[family],
    upload: (rows: unknown, call: AudienceUploadOptions) => caller.uploadPeople(family, rows, call),
  });
  const custom_audiences = withUpload('custom_audiences');
  const do_not_reach_lists = withUpload('do_not_reach_lists');
  return Object.assign(caller, methods, { media, custom_audiences, do_not_reach_lists });
}

/** The steps of an upload that give the media. */
type UploadStepId = UploadContract['media']['initialize' | 'finalize' | 'status']['id'];

type AnyMethod = (params?: Params, options?: LookupOptions) => unknown;

/** The methods by resource and verb, the two parts of an id. */
function methodsOf(caller: Caller): Record<string, Record<string, AnyMethod>> {
  const methods: Record<string, Record<string, AnyMethod>> = {};
  for (const operation of thin.operations) {
    const [resource = '', verb = ''] = operation.id.split('.');
    methods[resource] = { ...methods[resource], [verb]: methodOf(operation, caller) };
  }
  return methods;
}

function methodOf(operation: ThinOperation, caller: Caller): AnyMethod {
  if (operation.kind === 'data') return (params = {}, options) => caller.lookup(operation, params, options);
  return isList(operation)
    ? (params = {}, options) => caller.list(operation, params, options)
    : (params = {}, options) => caller.call(operation, params, options);
}

function isList(operation: ThinOperation): operation is ThinAdsOperation {
  return operation.kind === 'ads' && operation.envelope === 'list';
}

const operations: ReadonlyMap<string, ThinOperation> = new Map(
  thin.operations.map((operation) => [operation.id, operation]),
);

function operationOf({ id }: OperationReference): ThinOperation {
  const operation = operations.get(id);
  if (operation) return operation;
  throw new CallError(`This client knows no operation ${JSON.stringify(id)}.`);
}

/** Everything that a client has beside the methods of the contract. */
class Caller {
  readonly #credentials: ClientCredentials;
  readonly #transport: Transport;

  constructor(credentials: ClientCredentials, transport: Transport) {
    this.#credentials = credentials;
    this.#transport = transport;
  }

  get environment(): Environment {
    return this.#transport.environment;
  }

  get rateLimits(): RateLimits {
    return this.#transport.rateLimits;
  }

  async call(reference: OperationReference, params: Params, options?: CallOptions): Promise<unknown> {
    const operation = operationOf(reference);
    switch (operation.kind) {
      case 'ads':
        return this.#callAds(operation, params, options);
      case 'upload':
        return this.#step(operation, params, options);
      case 'data':
        return this.lookup(operation, params, options);
    }
  }

  async #callAds(operation: ThinAdsOperation, params: Params, options?: CallOptions): Promise<unknown> {
    if (operation.sandboxOnly && this.environment !== 'sandbox') throw new SandboxOnlyError(operation.id);
    const encoded = encodeCall(operation, params);
    const { method, path } = encoded;
    const facts: RequestFacts = { method, path, operation: operation.id };
    const answer = await this.#transport.send({ ...encoded, auth: 'oauth', host: 'ads', facts }, options);
    return decoded(facts, answer, (text) => decodeOutcome(thin.shapes, operation, text));
  }

  async lookup(
    reference: OperationReference,
    params: Params,
    { auth = readingProof(this.#credentials), ...options }: LookupOptions = {},
  ): Promise<Lookup<unknown, unknown>> {
    const operation = operationOf(reference);
    if (operation.kind !== 'data') throw new CallError(`${operation.id} is no lookup; use call().`);
    const encoded = encodeCall(operation, params);
    const { method, path } = encoded;
    const facts: RequestFacts = { method, path, operation: operation.id };
    const answer = await this.#transport.send({ ...encoded, auth, host: 'base', facts }, options);
    return decoded(facts, answer, (text) => decodeLookup(thin.shapes, operation, text));
  }

  async #step(operation: ThinUploadOperation, params: Params, options?: CallOptions): Promise<unknown> {
    const encoded = encodeUpload(operation, params);
    const { method, path } = encoded;
    const { repeatable } = operation;
    const facts: RequestFacts = { method, path, operation: operation.id };
    const answer = await this.#transport.send({ ...encoded, repeatable, auth: 'oauth', host: 'base', facts }, options);
    return decoded(facts, answer, (text) => decodeUpload(thin.shapes, operation, text));
  }

  upload(bytes: MediaBytes, options?: UploadOptions): Promise<UploadedMedia> {
    const uploaded = async (id: UploadStepId, params: Params, call: CallOptions): Promise<UploadedMedia> => {
      const media = await this.call({ id }, params, call);
      if (isUploaded(media)) return media;
      throw new CallError(`${id} gives no media.`);
    };
    const steps = {
      initialize: (params: Params, call: CallOptions) => uploaded('media.initialize', params, call),
      append: (params: Params, call: CallOptions) => this.call({ id: 'media.append' }, params, call),
      finalize: (params: Params, call: CallOptions) => uploaded('media.finalize', params, call),
      status: (params: Params, call: CallOptions) => uploaded('media.status', params, call),
      pause: (ms: number, signal: AbortSignal | undefined) => this.#transport.pause(ms, signal),
    };
    return uploadMedia(steps, bytes, options);
  }

  async uploadPeople(
    family: PeopleListName,
    rows: unknown,
    options: AudienceUploadOptions,
  ): Promise<AudienceUploadReport> {
    const operation = operationOf({ id: `${family}.users` });
    // Loaded by those who upload, so that others do not carry it.
    const { uploadToList } = await import('./audience-upload/lists.ts');
    return uploadToList(this.#transport, family, operation, rows, { ...options });
  }

  list(reference: OperationReference, params: Params, options?: CallOptions): ListCall<unknown> {
    const operation = operationOf(reference);
    if (!isList(operation)) throw new CallError(`${operation.id} is not a list; use call().`);
    return new PagedCall(operation, params, async (page) => {
      const outcome = await this.#callAds(operation, page, options);
      if (isPage(outcome)) return outcome;
      throw new CallError(`${operation.id} gives no page.`);
    });
  }

  async request(request: RawRequest, options?: CallOptions): Promise<RawResponse> {
    const { path, query, form, json, auth = 'oauth', host = 'ads' } = request;
    const method = request.method.toUpperCase();
    if (!path.startsWith('/')) throw new CallError(`The path must begin with "/": ${JSON.stringify(path)}.`, 'path');
    if (form !== undefined && json !== undefined)
      throw new CallError('A request has a form body or a JSON body, not both.');
    if (isReading(method) && (form !== undefined || json !== undefined)) {
      throw new CallError(`A ${method} request has no body; put the parameters into "query".`);
    }
    const facts: RequestFacts = { method, path: path.replace(/[?#].*$/s, '') };
    const answer = await this.#transport.send(
      {
        method,
        path,
        query: encodePairs(query),
        form: form && encodePairs(form),
        json: json === undefined ? undefined : encodeJson(json, 'json'),
        auth,
        host,
        facts,
      },
      options,
    );
    const { status, headers, rateLimits, text } = answer;
    return { status, ok: isOk(status), headers, rateLimits, body: readJson(text), text };
  }
}

function decoded<Value>(facts: RequestFacts, answer: Answer, decode: (text: string) => Value): Value {
  if (!isOk(answer.status)) throw responseError(facts, answer);
  try {
    return decode(answer.text);
  } catch (error) {
    if (error instanceof ShapeError) throw new UnexpectedResponseError(facts, answer, error.message);
    throw error;
  }
}

/** True for a result that has the shape of uploaded media. */
function isUploaded(value: unknown): value is UploadedMedia {
  return typeof value === 'object' && value !== null && 'id' in value && 'media_key' in value;
}

function isPage(value: unknown): value is Page<unknown> {
  return typeof value === 'object' && value !== null && 'next_cursor' in value;
}

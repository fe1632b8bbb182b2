/**
 * The OpenAPI 3.1 documents, derived from the contract: nothing is stated a second time. One describes the advertising
 * interface of an environment, one authentication, data retrieval and media upload. Pure; a server supplies its own
 * address and version. The operator's procedures are in none, having no public path.
 */
import {
  allAuthOperations,
  allControlOperations,
  allDataOperations,
  allOperations,
  allPages,
  allUploadOperations,
} from '../families.ts';
import { type ByKind, dispatch, isOfKind } from '../operation/by-kind.ts';
import { type Environment, isOffered, type OperationKind, type OperationOfKind } from '../operation/operation.ts';
import { resultOf } from '../steps.ts';
import type { JsonSchema } from '../wire/types.ts';
import { namesOf, resourceOf, titleOf } from './names.ts';
import { advertising } from './openapi/advertising.ts';
import { authentication } from './openapi/authentication.ts';
import { Components } from './openapi/components.ts';
import { control } from './openapi/control.ts';
import { dataRetrieval } from './openapi/data-retrieval.ts';
import { describeOperation } from './openapi/family.ts';
import { oauthPages } from './openapi/pages.ts';
import { describeTransfer } from './openapi/transfer.ts';
import { describeUploadRoute, uploadRoutes } from './openapi/uploads.ts';

// For reference pages, which show the content of the document.
export { exampleAnswer, exampleOutcome, exampleParams } from './example.ts';
export { includedEntities, namesOf, resourceOf, titleOf } from './names.ts';
export { isProtocolParameter, proofs, takesForm } from './openapi/authentication.ts';
export { readersProof } from './openapi/data-retrieval.ts';
export { uploadersProof } from './openapi/uploads.ts';

/** The kinds of operations that a document describes: those with a path. */
export type DocumentedKind = Exclude<OperationKind, 'operator'>;

/** An operation that a document can describe. */
export type DocumentedOperation = OperationOfKind<DocumentedKind>;

/**
 * The interface that a document describes: the advertising interface of an environment, the control of worlds, or, without one,
 * authentication and data retrieval.
 */
export type DocumentedInterface = Environment | 'control' | undefined;

/** Facts for the document beside the contract. */
export interface OpenApiOptions {
  readonly environment: DocumentedInterface;
  /** The base URL of the listener, without a trailing slash. */
  readonly serverUrl: string;
  /** The version of the platform. */
  readonly version: string;
  /** Defaults to all operations of the listener. */
  readonly operations?: readonly DocumentedOperation[];
}

/** An OpenAPI document, as data; it can contain a `bigint`, so write it with `stringifyJson`. */
export type OpenApiDocument = JsonSchema & {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> } & JsonSchema;
};

/** Returns the operations with a path on the listener of an interface. */
export function documentedOperations(environment: DocumentedInterface): readonly DocumentedOperation[] {
  if (environment === 'control') return allControlOperations;
  if (environment !== undefined) return allOperations;
  // The pages are listed where the flow uses them: after its first step.
  const [first = [], ...others] = allAuthOperations;
  return [first, allPages, others, allDataOperations, allUploadOperations].flat();
}

/** Derives a document. */
export function openapiDocument(options: OpenApiOptions): OpenApiDocument {
  return resultOf(openapiDocumentInSteps(options));
}

/** Derives a document operation by operation, so that other work can pass in between: all of it takes a tenth of a second. */
export function* openapiDocumentInSteps(options: OpenApiOptions): Generator<undefined, OpenApiDocument> {
  const { environment, serverUrl, version } = options;
  const operations = (options.operations ?? documentedOperations(environment)).filter(
    (operation) =>
      operation.kind !== 'ads' ||
      environment === undefined ||
      environment === 'control' ||
      isOffered(operation, environment),
  );
  const components = new Components(namesOf(operations.filter((operation) => operation.kind !== 'page')));
  const paths: Record<string, Record<string, JsonSchema>> = {};
  const put = ({ http }: DocumentedOperation, url: string, described: JsonSchema) => {
    const path = url.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [http.method.toLowerCase()]: described };
  };
  const putAll = (operation: DocumentedOperation, entry: JsonSchema) => {
    put(operation, operation.http.path, entry);
    for (const [index, alias] of (operation.http.aliases ?? []).entries()) {
      put(operation, alias, aliasOf(operation, entry, index));
    }
  };
  for (const operation of operations) {
    if (operation.kind === 'upload') continue;
    putAll(operation, dispatch(described, operation, components));
    yield;
  }
  for (const route of uploadRoutes(operations.filter(isOfKind('upload')))) {
    putAll(route[0], describeUploadRoute(route, components));
    yield;
  }
  if (environment === 'control') Object.assign(paths, describeTransfer(components));
  const resources = [...new Set(operations.map(resourceOf))];
  const { title, server, paragraphs } = texts[environment ?? 'base'];
  return {
    openapi: '3.1.1',
    info: {
      title,
      summary: `${resources.map(titleOf).join(', ')}.`,
      description: paragraphs.join('\n\n'),
      license: { name: 'MIT', identifier: 'MIT' },
      version,
    },
    servers: [{ url: serverUrl, description: server }],
    tags: resources.map((name) => ({ name: titleOf(name) })),
    paths,
    components: yield* components.collected(),
  };
}

/** Descriptions by kind. Steps of an upload share routes and are described together. */
const described: ByKind<Exclude<DocumentedKind, 'upload'>, [components: Components], JsonSchema> = {
  ads: (operation, components) => describeOperation(advertising, operation, components),
  auth: (operation, components) => describeOperation(authentication, operation, components),
  data: (operation, components) => describeOperation(dataRetrieval, operation, components),
  control: (operation, components) => describeOperation(control, operation, components),
  page: (operation, components) => describeOperation(oauthPages, operation, components),
};

/** Returns the description of an alias, with an id of its own, because ids are unique in a document. */
function aliasOf({ id, http }: DocumentedOperation, described: JsonSchema, index: number): JsonSchema {
  return {
    ...described,
    operationId: `${id}.alias${index === 0 ? '' : index + 1}`,
    description: `Another path of ${http.method} ${http.path}.`,
    'x-alias-of': id,
  };
}

interface Texts {
  readonly title: string;
  readonly server: string;
  readonly paragraphs: readonly string[];
}

const ads: readonly string[] = [
  'Every request is signed with OAuth 1.0a (RFC 5849) by an app and the access token of a user.',
  'Parameters of POST and PUT come in a form body, in a JSON body or in the query string, each name once. Lists are separated by commas in forms and query strings and are arrays in JSON.',
  'Amounts of money are whole numbers in millionths of the currency unit (5.50 is 5500000). They and other 64-bit numbers are exact: read them with a parser that keeps every digit.',
  'An empty value removes a field that can be removed.',
];

const texts: Readonly<Record<Environment | 'control' | 'base', Texts>> = {
  production: { title: 'Broadside advertising interface', server: 'Production', paragraphs: ads },
  sandbox: {
    title: 'Broadside advertising sandbox',
    server: 'Sandbox',
    paragraphs: [
      ...ads,
      'This is the sandbox: nothing is served and nothing is charged. Some operations exist here only.',
    ],
  },
  control: {
    title: 'Broadside control of worlds',
    server: 'Control',
    paragraphs: [
      'Creates, forks, resets and deletes worlds, each of them a platform of its own on the same server. Every request carries the token of the operator.',
      'Parameters of POST and PUT come in a JSON body.',
      'A world is found by the credentials of a request to the other interfaces, so their clients need nothing new.',
    ],
  },
  base: {
    title: 'Broadside authentication and data retrieval',
    server: 'Authentication and data retrieval',
    paragraphs: [
      'OAuth 1.0a in three legs (RFC 5849) gives an app the access token of a person: POST /oauth/request_token, the page GET /oauth/authorize or GET /oauth/authenticate in the browser of the person, POST /oauth/access_token. OAuth 2.0 gives an app a bearer token of its own. Both kinds can be revoked.',
      'Authentication needs HTTPS; only a server in development mode, or one on the same machine, does without.',
      'Parameters of authentication come in the query string or in a form body, each name once. Those whose names begin with `oauth_` can stand in the Authorization header instead, beside the signature, which covers them wherever they are. Parameters that are not named here are passed over, unless they begin with `oauth_` too.',
      'Data retrieval gives objects by their ids. An object has its default fields only; `post.fields` and the like name more, and `expansions` bring along what belongs to it. Lists are separated by commas, and unknown parameters are rejected. What cannot be shown has a problem in `errors` beside the rest, with status 200.',
      'Media are uploaded at once or in segments, as parts of `multipart/form-data` or in base64: version 2 has a path for each step, version 1.1 one path and the parameter `command`.',
      'Errors of authentication and of version 1.1 of the upload have numbers. Data retrieval and version 2 of the upload reject a request with a problem (RFC 9457).',
    ],
  },
};

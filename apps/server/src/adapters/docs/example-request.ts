/** The call of an operation's example, as HTTP carries it: what the samples of all languages are written from. */
import {
  type AuthOperation,
  type ByKind,
  type ControlOperation,
  type DataOperation,
  dispatch,
  isRead,
  type Operation,
  type OperationKind,
  type OperatorOperation,
  type PageOperation,
  pathParameters,
  type UploadOperation,
} from '@broadside/core';
import { exampleParams, isProtocolParameter, takesForm } from '@broadside/core/openapi';
import { wireTransformer } from '@broadside/core/trpc';
import type { Shown } from './shown.ts';

/** Parameters as text, as in a query or a form. */
export type Pairs = readonly (readonly [name: string, value: string])[];

/** Credentials that a call comes with. */
export type Proof =
  | { readonly scheme: 'oauth1'; readonly token: 'user' | 'request' | 'none'; readonly protocol: Pairs }
  | { readonly scheme: 'bearer' | 'basic' | 'operator' | 'none' };

/** Content of a call. */
export type ExampleBody =
  | { readonly form: Pairs }
  | { readonly json: unknown }
  | { readonly parts: Pairs; readonly file: string | undefined }
  /** A text as it is, with its type. */
  | { readonly text: string; readonly type: string }
  /** The bytes of a file, with their type. */
  | { readonly bytes: string; readonly type: string };

export interface ExampleRequest {
  readonly method: string;
  /** With the values of the example. */
  readonly path: string;
  readonly query: Pairs;
  readonly body: ExampleBody | undefined;
  readonly proof: Proof;
}

/** The name of the part with the bytes of an upload, in samples that read them from a file. */
export const FILE = 'photo.png';

/** Formats a value as in a query string or on a command line. */
export function plain(value: unknown): string {
  return Array.isArray(value) ? value.map(plain).join(',') : String(value);
}

const signed: Proof = { scheme: 'oauth1', token: 'user', protocol: [] };

const byKind: ByKind<OperationKind, [], ExampleRequest> = {
  ads: adsRequest,
  operator: operatorRequest,
  control: (operation: ControlOperation) => ({ ...adsRequest(operation), proof: { scheme: 'operator' } }),
  auth: authRequest,
  data: (operation: DataOperation) => ({ ...plainRequest(operation), proof: { scheme: 'bearer' } }),
  upload: uploadRequest,
  page: (page: PageOperation) => ({ ...plainRequest(page), proof: { scheme: 'none' } }),
};

/** Returns the call of the example. */
export function exampleRequest(operation: Shown): ExampleRequest {
  return dispatch(byKind, operation);
}

type Routed = Exclude<Shown, OperatorOperation>;

/** All parameters beside those of the path in the query. */
function plainRequest(operation: Routed): ExampleRequest {
  const { params, inPath, path } = placed(operation);
  const query = pairsOf(params.filter(([name]) => !inPath.includes(name)));
  return { method: operation.http.method, path, query, body: undefined, proof: signed };
}

function placed(operation: Routed) {
  const values: Readonly<Record<string, unknown>> =
    operation.kind === 'ads' && operation.batch ? operation.example.params : exampleParams(operation);
  const inPath = operation.kind === 'page' ? [] : pathParameters(operation);
  const path = operation.http.path.replace(/:(\w+)/g, (_, name: string) => String(values[name] ?? name));
  return { params: Object.entries(values), inPath, path };
}

function pairsOf(params: readonly (readonly [name: string, value: unknown])[]): Pairs {
  return params.map(([name, value]) => [name, plain(value)] as const);
}

function adsRequest(operation: Operation | ControlOperation): ExampleRequest {
  const { params, inPath } = placed(operation);
  const request = plainRequest(operation);
  const rest = params.filter(([name]) => !inPath.includes(name));
  if (operation.batch) return { ...request, query: [], body: { json: operation.example.params['operations'] } };
  if (operation.body === 'json') return { ...request, query: [], body: { json: Object.fromEntries(rest) } };
  if (rest.length === 0 || isRead(operation) || operation.http.method === 'DELETE') return request;
  return { ...request, query: [], body: { form: pairsOf(rest) } };
}

function authRequest(operation: AuthOperation): ExampleRequest {
  const request = plainRequest(operation);
  const protocol = request.query.filter(([name]) => isProtocolParameter(name));
  const others = request.query.filter(([name]) => !isProtocolParameter(name));
  const { auth } = operation.access;
  const token = auth === 'app' ? 'none' : auth === 'request_token' ? 'request' : 'user';
  const inForm = takesForm(operation) && others.length > 0;
  return {
    ...request,
    query: inForm ? [] : others,
    body: inForm ? { form: others } : undefined,
    proof: auth === 'basic' ? { scheme: 'basic' } : { scheme: 'oauth1', token, protocol },
  };
}

function uploadRequest(operation: UploadOperation): ExampleRequest {
  const request = plainRequest(operation);
  const { command } = operation.http;
  const pairs: Pairs = [...(command === undefined ? [] : [['command', command] as const]), ...request.query];
  if (isRead(operation)) return { ...request, query: pairs };
  const file = operation.bytes?.part;
  return { ...request, query: [], body: pairs.length > 0 || file ? { parts: pairs, file } : undefined };
}

/** Procedures are called with tRPC: a query has its input in the address, a mutation in the body. */
function operatorRequest(operation: OperatorOperation): ExampleRequest {
  const input = wireTransformer.serialize(exampleParams(operation));
  const request = { path: `/trpc/${operation.id}`, proof: { scheme: 'operator' } } as const;
  if (!isRead(operation)) return { ...request, method: 'POST', query: [], body: { json: input } };
  const query: Pairs = Object.keys(exampleParams(operation)).length > 0 ? [['input', JSON.stringify(input)]] : [];
  return { ...request, method: 'GET', query, body: undefined };
}

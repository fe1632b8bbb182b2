/** Calls as code that repeats them, written as the samples of the reference are. */
import { createHmac } from 'node:crypto';
import { type AnyOperation, isRead, operationById, parseJson } from '@broadside/core';
import { isFormType, type Pair, signRequest } from '@broadside/core/auth';
import type { JournalCall } from '@broadside/core/resources/control/journal';
import { curlCall } from '../adapters/docs/curl.ts';
import {
  type ExampleBody,
  type ExampleRequest,
  type Pairs,
  type Proof,
  plain,
} from '../adapters/docs/example-request.ts';
import { literal, Named, quoted } from '../adapters/docs/literal.ts';
import { pythonCall } from '../adapters/docs/python.ts';
import type { Credentials } from '../demo/credentials.ts';
import { type Random, randomText } from '../world/random.ts';

/** Languages of code. */
export type Language = 'CURL' | 'TYPESCRIPT' | 'PYTHON';

/** Credentials to sign with, the time of the machine, and a source of nonces. */
export interface Signing {
  readonly credentials: Credentials;
  readonly now_ms: number;
  readonly random: Random;
}

/** Writes a call in a language; `undefined` where there is none that makes it. */
export function codeOf(call: JournalCall, language: Language): string | undefined {
  if (language === 'TYPESCRIPT') return clientCall(call);
  const proof = proofOf(call);
  const request = proof.scheme === 'oauth1' ? withoutSignature(requestOf(call, proof)) : requestOf(call, proof);
  return language === 'PYTHON' ? pythonCall(request, call.base_url) : curlCall(request, call.base_url);
}

/** Returns whether a signature of the call would cover parameters that are not kept. */
export function lacksSigned({ content_type, left_out_bytes }: JournalCall): boolean {
  return left_out_bytes > 0 && isFormType(content_type ?? undefined);
}

/** Writes a command of curl that carries a signature; `undefined` where the call was none of a user. */
export async function signedCurl(
  call: JournalCall,
  { credentials, now_ms, random }: Signing,
): Promise<string | undefined> {
  const proof = proofOf(call);
  if (proof.scheme !== 'oauth1' || proof.token !== 'user') return undefined;
  const request = withoutSignature(requestOf(call, { scheme: 'none' }));
  const { method, query, body } = request;
  const search = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])).toString();
  const { authorization } = await signRequest({
    method,
    url: `${call.base_url}${call.path}${search === '' ? '' : `?${search}`}`,
    form: body && 'form' in body ? body.form.map(([name, value]): Pair => [name, value]) : [],
    credentials: {
      consumerKey: credentials.consumer_key,
      consumerSecret: credentials.consumer_secret,
      token: credentials.access_token,
      tokenSecret: credentials.access_token_secret,
    },
    nonce: randomText(random, 32),
    timestamp: Math.floor(now_ms / 1000),
    hmac: (algorithm, key, text) => createHmac(algorithm, key).update(text).digest('base64'),
  });
  return `${curlCall(request, call.base_url)} \\\n  -H ${quoted(`Authorization: ${authorization}`)}`;
}

function requestOf(call: JournalCall, proof: Proof): ExampleRequest {
  const { method, path, query } = call;
  return { method, path, query: pairsOf(query), body: bodyOf(call), proof };
}

/** The parameters of a signature may stand in the query or the form. Callback and verifier are parameters of the call. */
const OF_SIGNATURE = /^oauth_(?!(?:callback|verifier)$)/;

/** A request that is signed anew: one that carries two signatures is rejected. */
function withoutSignature(request: ExampleRequest): ExampleRequest {
  const { query, body } = request;
  const others = (pairs: Pairs) => pairs.filter(([name]) => !OF_SIGNATURE.test(name));
  return { ...request, query: others(query), body: body && 'form' in body ? { form: others(body.form) } : body };
}

function pairsOf(form: string): Pair[] {
  return form === '' ? [] : [...new URLSearchParams(form)];
}

/** The file from which a body is read that the journal does not have. */
const BODY_FILE = 'body.bin';

function bodyOf(call: JournalCall): ExampleBody | undefined {
  const { content_type, body, left_out_bytes, operation, params, query } = call;
  const type = content_type ?? 'application/octet-stream';
  if (left_out_bytes > 0) {
    const found = operationById.get(operation ?? '');
    if (found?.kind !== 'upload' || !type.toLowerCase().startsWith('multipart/')) return { bytes: BODY_FILE, type };
    const inQuery = new URLSearchParams(query);
    const parts = Object.entries(params).filter(([name]) => !inQuery.has(name));
    return { parts: parts.map(([name, value]) => [name, plain(value)]), file: found.bytes?.part };
  }
  if (body === null) return undefined;
  if (!isJson(type)) return content_type === null || isFormType(type) ? { form: pairsOf(body) } : { text: body, type };
  const json = jsonOf(body);
  return json === undefined ? { text: body, type } : { json };
}

function isJson(type: string): boolean {
  return type.toLowerCase().includes('json');
}

/** Reads a text that should be JSON; `undefined` where it is none. */
function jsonOf(body: string): unknown {
  try {
    return parseJson(body);
  } catch {
    return undefined;
  }
}

/** Placeholders for the credentials with which it came, or with which its operation is called. */
function proofOf({ caller, consumer_key, operation }: JournalCall): Proof {
  const { kind, access } = operationById.get(operation ?? '') ?? {};
  if (caller?.kind === 'OPERATOR' || kind === 'operator') return { scheme: 'operator' };
  if (caller?.kind === 'APP') return { scheme: access?.auth === 'basic' ? 'basic' : 'bearer' };
  // It failed before its caller was proved, and was not signed.
  const isUnsigned = caller === null && consumer_key === null;
  if (isUnsigned && kind === 'data') return { scheme: 'bearer' };
  if (isUnsigned && access?.auth === 'basic') return { scheme: 'basic' };
  if (kind === undefined) return { scheme: 'none' };
  return { scheme: 'oauth1', token: caller?.kind === 'REQUEST_TOKEN' ? 'request' : 'user', protocol: [] };
}

function clientCall({ operation: id, params, left_out_bytes, content_type, body }: JournalCall): string | undefined {
  const operation = operationById.get(id ?? '');
  if (operation === undefined) return undefined;
  const bytes = operation.kind === 'upload' && operation.bytes ? { [operation.bytes.part]: new Named('bytes') } : {};
  // Of a body that is not kept whole, its parameters are not known.
  if (left_out_bytes > 0 && Object.keys(bytes).length === 0) return undefined;
  // The client sends no body that cannot be read.
  if (left_out_bytes === 0 && body !== null && isJson(content_type ?? '') && jsonOf(body) === undefined)
    return undefined;
  const all = { ...typed(operation, params), ...bytes };
  const input = Object.keys(all).length === 0 ? '' : literal(all);
  if (isProcedure(operation)) return `await trpc.${id}.${isRead(operation) ? 'query' : 'mutate'}(${input})`;
  return operation.kind === 'auth' ? undefined : `await client.${id}(${input})`;
}

/** Parameters as the client takes them: what came as text is a number, a boolean or a list where the contract says so. */
function typed({ params: schema }: AnyOperation, params: JournalCall['params']): Readonly<Record<string, unknown>> {
  const members = Object.entries(params).map(([name, value]) => {
    const read = schema.shape[name]?.safeParse(value);
    return [name, read?.success && isPlain(read.data) ? read.data : value];
  });
  return Object.fromEntries(members);
}

function isPlain(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string');
  return typeof value === 'bigint' || typeof value === 'number' || typeof value === 'boolean';
}

function isProcedure({ kind }: AnyOperation): boolean {
  return kind === 'operator';
}

/**
 * Trials of calls from the reference, in development mode (our choice): the page signs with the credentials of the demo, which only a page of the same
 * listener, in a browser on this machine, can ask for.
 */
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import path from 'node:path';
import { isRead, pathParameters } from '@broadside/core';
import { type DocumentedInterface, exampleParams } from '@broadside/core/openapi';
import * as z from 'zod';
import { dataNames } from '../../data-names.ts';
import type { Shown } from './shown.ts';

/** The facts that the page needs to make a form of an operation. */
interface Trial {
  readonly method: string;
  /** With the names of parameters behind colons. */
  readonly path: string;
  /** Values of the parameters in the path. */
  readonly values: Readonly<Record<string, string>>;
  /** The other parameters: those of a query, or the content of a body in JSON. */
  readonly rest: unknown;
  readonly place: 'query' | 'body';
}

/** Returns what can be tried: calls that are signed for a person and have no bytes; `undefined` for others. */
export function trialOf(operation: Shown): Trial | undefined {
  if (operation.kind !== 'ads' && operation.kind !== 'data') return undefined;
  const { batch } = operation;
  const params = batch ? operation.example.params : exampleParams(operation);
  const names = pathParameters(operation);
  const rest = Object.fromEntries(Object.entries(params).filter(([name]) => !names.includes(name)));
  const { method } = operation.http;
  return {
    method,
    path: operation.http.path,
    values: Object.fromEntries(names.map((name) => [name, String(params[name] ?? '')])),
    rest: batch ? params['operations'] : rest,
    place: isRead(operation) || method === 'DELETE' ? 'query' : 'body',
  };
}

const Demo = z.object({
  consumer_key: z.string(),
  consumer_secret: z.string(),
  access_token: z.string(),
  access_token_secret: z.string(),
  account_id: z.string(),
  sandbox_account_id: z.string(),
});

/** The credentials with which a page signs, and the account to try calls on. */
export function trialCredentials(dataDirectory: string, environment: DocumentedInterface): object | undefined {
  let text: string;
  try {
    text = readFileSync(path.join(dataDirectory, dataNames.credentials), 'utf8');
  } catch {
    return undefined;
  }
  const { account_id, sandbox_account_id, ...secrets } = Demo.parse(JSON.parse(text));
  return { ...secrets, account_id: environment === 'production' ? account_id : sandbox_account_id };
}

const LOOPBACK_NAME = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;
const LOOPBACK_ADDRESS = /^(?:::ffff:)?127\.|^::1$/;

/**
 * Returns whether a request comes from a page of the same listener on this machine. A browser says from which page a request comes; the
 * name of the host keeps out pages of others whose names lead here; a header of a proxy tells that the connection is not the client's.
 */
export function isOwnPage(headers: IncomingHttpHeaders, address: string | undefined): boolean {
  return (
    headers['sec-fetch-site'] === 'same-origin' &&
    LOOPBACK_NAME.test(headers.host ?? '') &&
    LOOPBACK_ADDRESS.test(address ?? '') &&
    headers.forwarded === undefined &&
    !Object.keys(headers).some((name) => name.startsWith('x-forwarded-'))
  );
}

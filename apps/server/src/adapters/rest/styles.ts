/** REST response format of each kind of operation: headers, and the form of errors. */
import type { OperationOfKind } from '@broadside/core';
import {
  API_VERSION,
  encodeFailure,
  encodeNumberedFailure,
  encodeProblem,
  encodeUploadFailure,
  FORM_RESPONSE_TYPE,
  type HttpResponse,
  JSON_TYPE,
  PROBLEM_TYPE,
} from './encode.ts';

/** Kinds whose operations each have a route. The steps of an upload share routes: see the adapter `media`. */
export type RestKind = 'ads' | 'auth' | 'control' | 'data';

/** An operation with a route of its own. */
export type RestOperation = OperationOfKind<RestKind>;

/** Properties that the responses of a kind share. */
export interface ResponseStyle {
  /** Headers of every response, besides the content type. */
  readonly headers: Readonly<Record<string, string>>;
  readonly failureType: string;
  /** @param baseUrl the public base URL, from which the problem types are made */
  readonly failure: (error: unknown, echo: unknown, baseUrl: string) => HttpResponse;
}

/** Headers of every answer: addresses can have ids and tokens in them, which no other site is to learn. */
export const commonHeaders = { 'referrer-policy': 'no-referrer' } as const;

const nosniff = { ...commonHeaders, 'x-content-type-options': 'nosniff' } as const;

/** Data retrieval, and version 2 of the upload: problems. */
const problems: ResponseStyle = {
  headers: nosniff,
  failureType: PROBLEM_TYPE,
  failure: (error, _echo, baseUrl) => encodeProblem(error, baseUrl),
};

/** Response styles by kind. */
export const styles: Readonly<Record<RestKind, ResponseStyle>> = {
  /** Errors by name, together with the parsed parameters. */
  ads: {
    headers: { ...commonHeaders, 'x-current-api-version': API_VERSION },
    failureType: JSON_TYPE,
    failure: encodeFailure,
  },
  /** Errors by name too. Responses contain secrets, so no cache stores them. */
  control: {
    headers: { 'cache-control': 'no-store', ...nosniff },
    failureType: JSON_TYPE,
    failure: encodeFailure,
  },
  /** Errors by number. Responses contain secrets, so no cache stores them. */
  auth: {
    headers: { 'cache-control': 'no-store', ...nosniff },
    failureType: JSON_TYPE,
    failure: encodeNumberedFailure,
  },
  data: problems,
};

/** Response styles of an upload by version. */
export const uploadStyles: Readonly<Record<OperationOfKind<'upload'>['version'], ResponseStyle>> = {
  /** Errors by number. */
  '1.1': { headers: nosniff, failureType: JSON_TYPE, failure: encodeUploadFailure },
  '2': problems,
};

/** Returns the content type of a success of an operation. */
export function successTypeOf(operation: RestOperation): string {
  return operation.envelope === 'form' ? FORM_RESPONSE_TYPE : JSON_TYPE;
}

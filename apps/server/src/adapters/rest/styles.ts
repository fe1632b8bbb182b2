/** How operations of each kind answer on REST: headers, and the form of errors. */
import type { OperationOfKind } from '@broadside/core';
import {
  API_VERSION,
  encodeFailure,
  encodeNumberedFailure,
  encodeProblem,
  encodeUploadFailure,
  FORM_ANSWER_TYPE,
  type HttpAnswer,
  JSON_TYPE,
  PROBLEM_TYPE,
} from './encode.ts';

/** The kinds whose operations have a route each. The steps of an upload share routes: see the adapter `media`. */
export type RestKind = 'ads' | 'auth' | 'data';

/** An operation with a route of its own. */
export type RestOperation = OperationOfKind<RestKind>;

/** Facts that the answers of a kind share. */
export interface AnswerStyle {
  /** Of every answer, beside the content type. */
  readonly headers: Readonly<Record<string, string>>;
  readonly failureType: string;
  /** @param baseUrl the public base URL, of which the types of problems are made */
  readonly failure: (error: unknown, echo: unknown, baseUrl: string) => HttpAnswer;
}

const nosniff = { 'x-content-type-options': 'nosniff' } as const;

/** Data retrieval, and version 2 of the upload: problems. */
const problems: AnswerStyle = {
  headers: nosniff,
  failureType: PROBLEM_TYPE,
  failure: (error, _echo, baseUrl) => encodeProblem(error, baseUrl),
};

/** Answers by kind. */
export const styles: Readonly<Record<RestKind, AnswerStyle>> = {
  /** Errors by name, beside the parameters as they were read. */
  ads: { headers: { 'x-current-api-version': API_VERSION }, failureType: JSON_TYPE, failure: encodeFailure },
  /** Errors by number. Answers hold secrets, so no cache keeps them. */
  auth: {
    headers: { 'cache-control': 'no-store', ...nosniff },
    failureType: JSON_TYPE,
    failure: encodeNumberedFailure,
  },
  data: problems,
};

/** Answers of an upload by version. */
export const uploadStyles: Readonly<Record<OperationOfKind<'upload'>['version'], AnswerStyle>> = {
  /** Errors by number. */
  '1.1': { headers: nosniff, failureType: JSON_TYPE, failure: encodeUploadFailure },
  '2': problems,
};

/** The content type of a success of an operation. */
export function successTypeOf(operation: RestOperation): string {
  return operation.envelope === 'form' ? FORM_ANSWER_TYPE : JSON_TYPE;
}

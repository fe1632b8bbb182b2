/** How each family of operations answers on REST: its headers, and the form of its errors. */
import type { AuthOperation, DataOperation, Operation } from '@broadside/core';
import {
  API_VERSION,
  encodeFailure,
  encodeNumberedFailure,
  encodeProblem,
  FORM_ANSWER_TYPE,
  type HttpAnswer,
  JSON_TYPE,
  PROBLEM_TYPE,
} from './encode.ts';

/** What has a route of its own. */
export type RestOperation = Operation | AuthOperation | DataOperation;

/** What the answers of a family have in common. */
export interface AnswerStyle {
  /** Of every answer, beside the content type. */
  readonly headers: Readonly<Record<string, string>>;
  readonly failureType: string;
  /** @param baseUrl the public base URL, of which the types of problems are made */
  readonly failure: (error: unknown, echo: unknown, baseUrl: string) => HttpAnswer;
}

/** The advertising interface: errors by name, beside the parameters as they were read. */
export const advertising: AnswerStyle = {
  headers: { 'x-current-api-version': API_VERSION },
  failureType: JSON_TYPE,
  failure: encodeFailure,
};

/** The endpoints of authentication: errors by number. What they tell stays in no cache. */
export const authentication: AnswerStyle = {
  headers: { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
  failureType: JSON_TYPE,
  failure: encodeNumberedFailure,
};

/** Data retrieval: problems. */
const dataRetrieval: AnswerStyle = {
  headers: { 'x-content-type-options': 'nosniff' },
  failureType: PROBLEM_TYPE,
  failure: (error, _echo, baseUrl) => encodeProblem(error, baseUrl),
};

/** How an operation answers. */
export function styleOf(operation: RestOperation): AnswerStyle {
  if (operation.kind === 'auth') return authentication;
  return operation.kind === 'data' ? dataRetrieval : advertising;
}

/** What a success of an operation is sent as. */
export function successTypeOf(operation: RestOperation): string {
  return operation.envelope === 'form' ? FORM_ANSWER_TYPE : JSON_TYPE;
}

/** Answers other than a success, as errors. */

import { ApiResponseError, RateLimitError, type RequestFacts, UnexpectedResponseError } from './errors.ts';
import { readReasons } from './reasons.ts';
import type { Answer } from './transport.ts';

/** True for the status of a success. */
export function isOk(status: number): boolean {
  return status >= 200 && status < 300;
}

/** The error for an answer with another status than that of a success. */
export function responseError(facts: RequestFacts, answer: Answer): ApiResponseError | UnexpectedResponseError {
  const reasons = readReasons(answer.status, answer.text);
  // A proxy may answer 429 in words of its own; what to do about it is the same.
  if (answer.status === 429)
    return new RateLimitError(facts, { ...answer, errors: [], request: undefined, ...reasons });
  if (!reasons) return new UnexpectedResponseError(facts, answer, 'the body is not an error of the contract');
  return new ApiResponseError(facts, { ...answer, ...reasons });
}

/** Rejects requests that expect of the server what it does not do. */
import type { IncomingMessage } from 'node:http';
import { ApiError } from '@broadside/core';
import { receivedTarget } from '../../dialects/spoken.ts';
import { type DirectRoute, type RespondOptions, responder } from '../direct.ts';
import { isUnmet } from '../limits/expectations.ts';
import type { RestAnswer } from './answer.ts';

// Only HTTP has this status, so no entry of the catalogue has it: our choice.
const STATUS = 417;

const EXPECTATION = new ApiError({
  error: 'INVALID_PARAMETER',
  message: 'The server does not do what the header Expect asks for; it knows 100-continue only',
});

/** Makes the route of such requests. @param form makes the answer to an error in the form of the path of the request */
export function expectationRoute(
  form: (error: ApiError, request: IncomingMessage) => RestAnswer,
  options: RespondOptions,
): DirectRoute {
  const respond = responder(options);
  return (request, response) => {
    if (!isUnmet(request)) return false;
    const answer = () => ({ ...form(EXPECTATION, request), status: STATUS });
    respond(request, response, receivedTarget(request), { answer, failed: answer });
    return true;
  };
}

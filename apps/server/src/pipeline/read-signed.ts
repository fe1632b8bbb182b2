/** Reads whether a request is signed at all, and for this server at this time; the signature itself is verified elsewhere. */
import { ApiError, type ErrorName, type Issue } from '@broadside/core';
import { type AuthProblem, checkTimestamp, isSigned, type SignedRequest } from '@broadside/core/auth';
import type { World } from '../world/world.ts';
import type { Credentials, ForeignHost } from './credentials.ts';

function refusal(problem: AuthProblem): Issue {
  const { code, status, message, parameter } = problem;
  return {
    // RFC 5849 section 3.2: what is malformed is 400, what is wrong is 401.
    error:
      status === 400
        ? 'INVALID_PARAMETER'
        : code === 'timestamp_out_of_window'
          ? 'TIMESTAMP_OUT_OF_BOUNDS'
          : 'UNAUTHORIZED_ACCESS',
    message,
    ...(parameter === undefined ? {} : { parameter }),
  };
}

function wrongHost(host: string | string[] | undefined, { setting }: ForeignHost, baseUrls: readonly string[]): Issue {
  const named = `${host ?? ''}`.slice(0, 100);
  // The setting would make signatures for the other listener valid here.
  const isOfAnother = baseUrls.some((url) => comparable(new URL(url).host) === comparable(named));
  const message =
    named === ''
      ? 'The request names no host: send the Host header that the client signed'
      : isOfAnother
        ? `The request is signed for "${named}", which is the address of another listener of this server: send it there, or sign it for this one`
        : `The request is signed for "${named}", which is not an address of this listener. If clients reach it there, through a proxy or a published port, start the server with ${setting}=http://${named} (or https)`;
  return { error: 'UNAUTHORIZED_ACCESS', parameter: 'host', message };
}

/** A host with its port, in which all loopback names are one. */
function comparable(host: string): string {
  return host.toLowerCase().replace(/^(?:127(?:\.\d{1,3}){3}|\[::1\])(?=:|$)/, 'localhost');
}

/** The request, if it is signed for this listener and not too old. @throws ApiError */
export function readSigned(
  { world, baseUrls }: { readonly world: Pick<World, 'wallClock'>; readonly baseUrls: () => readonly string[] },
  { request, headers, foreignHost }: Credentials,
  missing: ErrorName,
  how: string,
): SignedRequest {
  const [problem, ...problems] = request.problems;
  if (problem) throw new ApiError(refusal(problem), ...problems.map(refusal));
  if (!isSigned(request)) {
    throw new ApiError({ error: missing, message: `The request is not authenticated: ${how}` });
  }
  const late = checkTimestamp(request.oauth.timestamp, Math.floor(world.wallClock.now() / 1000));
  if (late) throw new ApiError(refusal(late));
  if (foreignHost) throw new ApiError(wrongHost(headers['host'], foreignHost, baseUrls()));
  return request;
}

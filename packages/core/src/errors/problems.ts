/**
 * Errors of data retrieval (reference, conventions section 8): a request as a whole is rejected with one problem. Problems
 * with some of the ids are returned beside the data (`wire/lookup.ts`).
 */
import type { Issue } from '../wire/issues.ts';
import { problemType } from '../wire/lookup.ts';
import { errorStatus, numberedError, wireError } from './catalogue.ts';
import type { ErrorName } from './error-name.ts';

const TITLES: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** Errors of which more can be said than the status does: which methods there are, and how much may be sent. */
const TOLD_MORE: ReadonlySet<ErrorName> = new Set(['METHOD_NOT_ALLOWED', 'REQUEST_TOO_LARGE']);

/**
 * The missing requirement of an app that lacks a permission. The reference names only the members; the wording is our
 * choice.
 */
const LACKS: Readonly<Partial<Record<ErrorName, { readonly reason: string; readonly required_enrollment: string }>>> = {
  UNAUTHORIZED_CLIENT_APPLICATION: { reason: 'client-suspended', required_enrollment: 'Active app' },
  READONLY_CLIENT_APPLICATION: { reason: 'client-read-only', required_enrollment: 'Read and write access' },
};

/** Builds the problem of an app that lacks a permission; its owner can fix this on the page of their apps. */
function clientForbidden(issue: Issue, status: number, baseUrl: string): Readonly<Record<string, unknown>> {
  const { error, message: detail = 'The client application may not use this interface', value } = issue;
  const { reason, required_enrollment } = LACKS[error] ?? { reason: 'client-not-allowed', required_enrollment: 'None' };
  return {
    title: 'Client Forbidden',
    detail,
    status,
    type: problemType(baseUrl, 'client-forbidden'),
    reason,
    ...(typeof value === 'string' ? { client_id: value } : {}),
    required_enrollment,
    registration_url: `${baseUrl}/settings`,
  };
}

/**
 * Returns the identifier of a rejection for programs: the end of the `type`, or `about:blank` where the status is
 * sufficient.
 */
export function problemSlug(name: ErrorName): string {
  const { type } = requestProblem([{ error: name }], '');
  return String(type).replace(/^.*\//, '');
}

/** Builds the body for a rejected request of data retrieval. */
export function requestProblem(
  issues: readonly [Issue, ...Issue[]],
  baseUrl: string,
): Readonly<Record<string, unknown>> {
  const status = errorStatus(issues[0].error);
  if (status === 400) {
    return {
      errors: issues.map(wireError).map(({ parameter, value, message }) => ({
        ...(parameter === undefined ? {} : { parameters: { [parameter]: value === undefined ? [] : [value] } }),
        message,
      })),
      title: 'Invalid Request',
      detail: 'One or more parameters to your request was invalid.',
      type: problemType(baseUrl, 'invalid-request'),
    };
  }
  if (issues[0]?.error === 'UNSUPPORTED_AUTHENTICATION') {
    return {
      title: 'Unsupported Authentication',
      detail:
        'Sign the request with OAuth 1.0a and the access token of a user; the bearer token of an app does not do.',
      status,
      type: problemType(baseUrl, 'unsupported-authentication'),
    };
  }
  if (issues[0]?.error === 'CURRENT_USER_SUSPENDED') {
    const detail = 'The user of the access token is suspended.';
    return { title: 'Forbidden', detail, status, type: 'about:blank' };
  }
  if (status === 403) return clientForbidden(issues[0], status, baseUrl);
  const title = TITLES[status] ?? 'Error';
  const detail = (TOLD_MORE.has(issues[0].error) && issues[0].message) || title;
  // A token that was valid once is reported separately, as specification A requires for any use of it.
  const spent = issues.filter((issue) => issue.error === 'INVALID_TOKEN').map(numberedError);
  return { ...(spent.length > 0 ? { errors: spent } : {}), title, detail, type: 'about:blank', status };
}

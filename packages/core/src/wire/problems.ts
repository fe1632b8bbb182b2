/**
 * Errors of data retrieval (reference, conventions section 8): a request as a whole is refused with one problem; what some
 * of the ids asked for could not be answered with stands beside the data, one problem for each.
 */
import { type ErrorName, errorStatus, type Issue, numberedError, wireError } from './errors.ts';

/** What a partial problem is about. */
export interface PartialProblem {
  readonly kind: 'not_found' | 'not_authorized' | 'field_not_authorized';
  readonly resource_type: 'post' | 'user' | 'media';
  readonly resource_id: string;
  /** `ids`, or the expansion that asked for it. */
  readonly parameter: string;
  /** The field that may not be seen, for `field_not_authorized`. */
  readonly field?: string;
  readonly section: 'data' | 'includes';
}

/** Whether a handler gave what data retrieval gives. */
export function isLookupResult(value: unknown): value is LookupResult {
  return (
    typeof value === 'object' && value !== null && 'problems' in value && 'includes' in value && 'baseUrl' in value
  );
}

const SLUGS = {
  not_found: 'resource-not-found',
  not_authorized: 'not-authorized-for-resource',
  field_not_authorized: 'not-authorized-for-field',
} as const;

/** What a handler of data retrieval gives: values as they are stored, and problems without the platform's address. */
export interface LookupResult {
  readonly data: readonly object[];
  readonly includes: object;
  readonly problems: readonly PartialProblem[];
  /** The public base URL of the platform. */
  readonly baseUrl: string;
}

/** The `type` of a problem: an address below the platform's own. */
function problemType(baseUrl: string, slug: string): string {
  return `${baseUrl}/2/problems/${slug}`;
}

/** A partial problem on the wire. */
export interface WireProblem {
  readonly value: string;
  readonly resource_type: PartialProblem['resource_type'];
  readonly parameter: string;
  readonly resource_id: string;
  readonly type: string;
  readonly title: string;
  readonly detail: string;
  readonly section?: PartialProblem['section'];
  readonly field?: string;
}

/** Puts a problem into the form of the wire. */
export function wireProblem(problem: PartialProblem, baseUrl: string): WireProblem {
  const { kind, resource_type, resource_id, parameter, field, section } = problem;
  const type = problemType(baseUrl, SLUGS[kind]);
  const common = { value: resource_id, resource_type, parameter, resource_id, type };
  switch (kind) {
    case 'not_found':
      return {
        ...common,
        title: 'Not Found Error',
        detail: `Could not find ${resource_type} with ${parameter}: [${resource_id}].`,
      };
    case 'not_authorized':
      return {
        ...common,
        section,
        title: 'Authorization Error',
        detail: `Sorry, you are not authorized to see the ${resource_type} with ${parameter}: [${resource_id}].`,
      };
    case 'field_not_authorized':
      return {
        ...common,
        section,
        field: field ?? '',
        title: 'Field Authorization Error',
        detail: `Sorry, you are not authorized to see the field ${field ?? ''} of the ${resource_type} ${resource_id}.`,
      };
  }
}

const TITLES: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  404: 'Not Found',
  405: 'Method Not Allowed',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** What an app lacks that may not do something. The reference names the members only; their words are our choice. */
const LACKS: Readonly<Partial<Record<ErrorName, { readonly reason: string; readonly required_enrollment: string }>>> = {
  UNAUTHORIZED_CLIENT_APPLICATION: { reason: 'client-suspended', required_enrollment: 'Active app' },
  READONLY_CLIENT_APPLICATION: { reason: 'client-read-only', required_enrollment: 'Read and write access' },
};

/** The problem of an app that may not do something; its owner can see to it on the page of their apps. */
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

/** By what a program tells refusals apart: the end of the `type`, or `about:blank` where the status says it all. */
export function problemSlug(name: ErrorName): string {
  const { type } = requestProblem([{ error: name }], '');
  return String(type).replace(/^.*\//, '');
}

/** The body of a refusal of data retrieval as a whole. */
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
  if (status === 403) return clientForbidden(issues[0], status, baseUrl);
  const title = TITLES[status] ?? 'Error';
  // A token that was valid once is told apart, as specification A says of any use of it.
  const spent = issues.filter((issue) => issue.error === 'INVALID_TOKEN').map(numberedError);
  return { ...(spent.length > 0 ? { errors: spent } : {}), title, detail: title, type: 'about:blank', status };
}

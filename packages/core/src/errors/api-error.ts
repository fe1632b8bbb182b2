/** Errors as exceptions. */
import type { Issue } from '../wire/issues.ts';
import { errorCatalogue, errorStatus } from './catalogue.ts';
import type { ErrorName } from './error-name.ts';

/** Rejects a request for one or several reasons; the first decides the HTTP status. */
export class ApiError extends Error {
  readonly issues: readonly [Issue, ...Issue[]];
  /** Findings about the cause, for developers of clients; a server in production mode never sends it. */
  diagnosis?: unknown;

  constructor(first: Issue | ErrorName, ...others: readonly Issue[]) {
    const issue: Issue = typeof first === 'string' ? { error: first } : first;
    super(issue.message ?? errorCatalogue[issue.error].message);
    this.name = 'ApiError';
    this.issues = [issue, ...others];
  }

  get status(): number {
    return errorStatus(this.issues[0].error);
  }
}

/** Returns the member `diagnosis` of an error response, where a server in development mode sends one. */
export function diagnosisOf(error: unknown): { readonly diagnosis?: unknown } {
  return error instanceof ApiError && error.diagnosis !== undefined ? { diagnosis: error.diagnosis } : {};
}

/** Rejects a batch because of its items: one list of issues for each item of the request, empty where it is valid. */
export class BatchError extends Error {
  readonly items: readonly (readonly Issue[])[];
  /** A batch with item errors has status 400 whatever the items' own errors are (reference, conventions section 6). */
  readonly status = 400;

  constructor(items: readonly (readonly Issue[])[]) {
    super('The batch was rejected because of some of its items');
    this.name = 'BatchError';
    this.items = items;
  }
}

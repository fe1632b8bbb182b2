/** Endpoints that have one error for whatever goes wrong. */
import { ApiError, errorStatus } from '@broadside/core';
import type { Call } from './call.ts';

/** Statuses that no endpoint replaces by its single error. */
const OWN_STATUSES: ReadonlySet<number> = new Set(
  (['REQUEST_TOO_LARGE', 'UNSUPPORTED_CONTENT_TYPE', 'LOCK_ACQUISITION_TIMEOUT', 'SERVICE_UNAVAILABLE'] as const).map(
    errorStatus,
  ),
);

/** An endpoint with a single error responds with it, and gives the cause in `details`. */
export function singleErrorOf({ operation }: Call, error: unknown): unknown {
  const one = operation.kind === 'auth' ? operation.rejection : undefined;
  if (one === undefined || !(error instanceof ApiError)) return error;
  const [{ error: first, details, message }] = error.issues;
  if (OWN_STATUSES.has(error.status)) return error;
  const reason = first === one ? details : (message ?? details);
  const rejection = new ApiError({ error: one, ...(reason === undefined ? {} : { details: reason }) });
  rejection.diagnosis = error.diagnosis;
  return rejection;
}

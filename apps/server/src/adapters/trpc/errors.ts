/** Errors on tRPC: the same as on REST, in tRPC's format. */
import {
  ApiError,
  BatchError,
  diagnosisOf,
  type ErrorName,
  errorCatalogue,
  errorStatus,
  wireError,
} from '@broadside/core';
import type { TrpcErrorShape } from '@broadside/core/trpc';
import { type TRPC_ERROR_CODE_KEY, type TRPCDefaultErrorShape, TRPCError } from '@trpc/server';

const codeOfStatus: Readonly<Record<number, TRPC_ERROR_CODE_KEY>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_SUPPORTED',
  409: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  423: 'CONFLICT',
  429: 'TOO_MANY_REQUESTS',
  503: 'SERVICE_UNAVAILABLE',
};

/** Catalogue codes of tRPC's own errors, such as an unknown procedure. */
const nameOfCode: Readonly<Partial<Record<TRPC_ERROR_CODE_KEY, ErrorName>>> = {
  FORBIDDEN: 'ACTION_NOT_ALLOWED',
  NOT_FOUND: 'ROUTE_NOT_FOUND',
  METHOD_NOT_SUPPORTED: 'METHOD_NOT_ALLOWED',
  UNSUPPORTED_MEDIA_TYPE: 'UNSUPPORTED_CONTENT_TYPE',
  BAD_REQUEST: 'INVALID_PARAMETER',
  PARSE_ERROR: 'INVALID_PARAMETER',
};

/** Wraps a failure of the pipeline as tRPC's error. Its cause goes to the log and to {@link formatError}, nowhere else. */
export function toTrpcError(cause: unknown): TRPCError {
  if (cause instanceof TRPCError) return cause;
  if (!(cause instanceof ApiError || cause instanceof BatchError)) {
    return new TRPCError({ code: 'INTERNAL_SERVER_ERROR', message: errorCatalogue.INTERNAL_ERROR.message, cause });
  }
  return new TRPCError({ code: codeOfStatus[cause.status] ?? 'INTERNAL_SERVER_ERROR', message: cause.message, cause });
}

type Details = 'errors' | 'operation_errors' | 'diagnosis';

/** tRPC's error formatter: the part of an error that leaves the server. */
export function formatError({ error, shape }: { error: TRPCError; shape: TRPCDefaultErrorShape }): TrpcErrorShape {
  const { cause } = error;
  const { path } = shape.data;
  const of = (httpStatus: number, details: Pick<TrpcErrorShape['data'], Details>) => ({
    message: shape.message,
    code: shape.code,
    data: { code: error.code, httpStatus, ...(path === undefined ? {} : { path }), ...details },
  });
  if (cause instanceof ApiError) {
    return of(cause.status, { errors: cause.issues.map(wireError), ...diagnosisOf(cause) });
  }
  if (cause instanceof BatchError) {
    const operation_errors = cause.items.map((issues) => issues.map(wireError));
    return of(cause.status, { errors: [], operation_errors });
  }
  const name = nameOfCode[error.code];
  if (name) return of(errorStatus(name), { errors: [wireError({ error: name, message: error.message })] });
  // A bug: its message may contain anything.
  const message = errorCatalogue.INTERNAL_ERROR.message;
  const { data, code } = of(errorStatus('INTERNAL_ERROR'), { errors: [wireError({ error: 'INTERNAL_ERROR' })] });
  return { message, code, data: { ...data, code: 'INTERNAL_SERVER_ERROR' } };
}

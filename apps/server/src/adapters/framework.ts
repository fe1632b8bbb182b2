/** What the listeners need of the framework, and make of its errors and its lines. */
import { ApiError } from '@broadside/core';
import type { FastifyBaseLogger, FastifyError } from 'fastify';
import type { AppName } from '../listener-name.ts';

/** Takes the place of the framework's compilers of schemas. */
export function noCompiler(): never {
  throw new TypeError('a route has a schema of the framework; operations declare theirs in the contract');
}

/** The framework's own lines matter from `warn` up: anything below that, the server logs itself. */
export function frameworkLogger(logger: FastifyBaseLogger, listener: AppName): FastifyBaseLogger {
  const child = logger.child({ listener });
  if (child.level === 'info' || child.level === 'debug' || child.level === 'trace') child.level = 'warn';
  return child;
}

/** Translates errors that the framework raises before a handler runs, to the catalogue. */
export function frameworkError(error: unknown): unknown {
  const { code, statusCode }: Partial<FastifyError> = error instanceof Error ? error : {};
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new ApiError({ error: 'UNSUPPORTED_CONTENT_TYPE', message: 'The content type is not valid' });
  }
  if (code === 'FST_ERR_BAD_URL') {
    return new ApiError({
      error: 'INVALID_PARAMETER',
      message: 'The path is not valid: each % needs two hex digits, and what they encode is UTF-8',
    });
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new ApiError({
      error: 'INVALID_PARAMETER',
      message: error instanceof Error ? error.message : 'Bad request',
    });
  }
  return error;
}

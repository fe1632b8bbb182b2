/** Responds to input that is not valid HTTP, so that such a client reads an error in the usual format too. */
import type { Socket } from 'node:net';
import { ApiError, errorCatalogue } from '@broadside/core';
import { encodeFailure, JSON_TYPE } from './encode.ts';

/** Writes the response to the socket and closes it: what follows on the connection cannot be delimited. */
export function respondMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  // The client is gone, or a response is in progress that this would corrupt.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const { status, body } = encodeFailure(errorOf(error), undefined);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_TEXT[status] ?? 'Bad Request'}`,
    `content-type: ${JSON_TYPE}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

const STATUS_TEXT: Readonly<Record<number, string>> = { 400: 'Bad Request', 413: 'Content Too Large' };

function errorOf({ code }: NodeJS.ErrnoException): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    const { message } = errorCatalogue.REQUEST_TOO_LARGE;
    return new ApiError({ error: 'REQUEST_TOO_LARGE', message: `${message}: its target and headers are too long` });
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ApiError({ error: 'INVALID_PARAMETER', message: 'The request did not arrive in time' });
  }
  return new ApiError({ error: 'INVALID_PARAMETER', message: 'This is not a valid HTTP request' });
}

/** Responds to input that is not valid HTTP, so that such a client reads an error in the usual format too. */
import { STATUS_CODES } from 'node:http';
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
  end(socket, errorOf(error));
}

/** Ends a connection whose request does not arrive. @param written bytes that had been written before the request */
export function respondLate(socket: Socket, written: number): void {
  if (socket.writable && socket.bytesWritten === written) end(socket, new ApiError('CANCELLED_REQUEST'));
  else socket.destroy();
}

/** Ends a connection for which there is no room. Nothing that it sends is read. */
export function respondBusy(socket: Socket): void {
  // The client may be gone, or its bytes may be left unread when the connection closes.
  socket.on('error', () => {});
  end(socket, new ApiError('OVER_CAPACITY'), 'retry-after: 5');
  socket.destroySoon();
}

function end(socket: Socket, error: ApiError, ...headers: readonly string[]): void {
  const { status, body } = encodeFailure(error, undefined);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Bad Request'}`,
    `content-type: ${JSON_TYPE}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    'referrer-policy: no-referrer',
    ...headers,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function errorOf({ code }: NodeJS.ErrnoException): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    const { message } = errorCatalogue.REQUEST_TOO_LARGE;
    return new ApiError({ error: 'REQUEST_TOO_LARGE', message: `${message}: its target and headers are too long` });
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ApiError('CANCELLED_REQUEST');
  }
  return new ApiError({ error: 'INVALID_PARAMETER', message: 'This is not a valid HTTP request' });
}

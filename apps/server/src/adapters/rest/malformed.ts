/** Responds to input that is not valid HTTP, so that such a client reads an error in the usual format too. */
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError, errorCatalogue } from '@broadside/core';
import type { RestAnswer } from './answer.ts';
import { REQUEST_ID } from './request-log.ts';

/**
 * Makes the answers of a listener to errors of its connections, in the form that its errors have.
 * @param request the one that did not arrive whole, once its head was read
 */
export type SocketForm = (
  error: ApiError,
  request?: IncomingMessage,
) => Pick<RestAnswer, 'status' | 'headers' | 'body'>;

/** What is logged of a connection that is closed. Nothing of what the client sent is in it. */
interface ClosedRecord {
  readonly request: string;
  readonly status: number;
  readonly rejected: string;
}

const SPLINTERED = new ApiError({
  error: 'INVALID_PARAMETER',
  message: 'The body comes in too many chunks of a few bytes; send larger ones',
  details: 'body',
});

/** Answers of connections on which no request could be read. */
export class SocketAnswers {
  readonly #nextId: () => string;
  readonly #log: (record: ClosedRecord, message: string) => void;

  /**
   * @param nextId the id of the next answer
   * @param log takes a record of each
   */
  constructor(nextId: () => string, log: (record: ClosedRecord, message: string) => void) {
    this.#nextId = nextId;
    this.#log = log;
  }

  /** Writes the response to the socket and closes it: what follows on the connection cannot be delimited. */
  malformed(form: SocketForm, error: NodeJS.ErrnoException, socket: Socket, request?: IncomingMessage): void {
    // The client is gone, or a response is in progress that this would corrupt.
    if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
      socket.destroy();
      return;
    }
    this.#end(socket, form, errorOf(error), request);
  }

  /** Ends the connection of a request that does not arrive. @param written bytes that had been written before the request */
  late(form: SocketForm, request: IncomingMessage, socket: Socket, written: number): void {
    if (!socket.writable || socket.bytesWritten !== written) socket.destroy();
    else this.#end(socket, form, new ApiError('CANCELLED_REQUEST'), request);
  }

  /** Ends the connection of a request whose body is not read on. @param written bytes that had been written before the request */
  splintered(form: SocketForm, request: IncomingMessage, socket: Socket, written: number): void {
    if (socket.writable && socket.bytesWritten === written) this.#end(socket, form, SPLINTERED, request);
    socket.destroySoon();
  }

  /** Ends a connection for which there is no room. Nothing that it sends is read. */
  busy(form: SocketForm, socket: Socket): void {
    // The client may be gone, or its bytes may be left unread when the connection closes.
    socket.on('error', () => {});
    this.#end(socket, form, new ApiError('OVER_CAPACITY'), undefined, 'retry-after: 5');
    socket.destroySoon();
  }

  /** Destroys a connection on which too many requests wait: an answer to one more would have to wait for all of those. */
  crowded(socket: Socket): void {
    socket.destroy();
    const { status, issues } = new ApiError('OVER_CAPACITY');
    const record = { request: this.#nextId(), status, rejected: issues[0].error };
    this.#log(record, 'a connection was closed, on which too many requests waited');
  }

  #end(
    socket: Socket,
    form: SocketForm,
    error: ApiError,
    request: IncomingMessage | undefined,
    ...more: readonly string[]
  ): void {
    const { status, headers, body } = form(error, request);
    const id = this.#nextId();
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Bad Request'}`,
      ...pairs(headers).map(([name, value]) => `${name}: ${value}`),
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
      `${REQUEST_ID}: ${id}`,
      ...more,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    socket.end(body);
    this.#log({ request: id, status, rejected: error.issues[0].error }, 'a connection was closed without a request');
  }
}

function pairs(fields: readonly string[]): (readonly [name: string, value: string])[] {
  return fields.flatMap((name, at) => (at % 2 === 0 ? [[name, fields[at + 1] ?? ''] as const] : []));
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

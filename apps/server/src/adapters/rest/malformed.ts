/** Responds to input that is not valid HTTP, so that such a client reads an error in the usual format too. */
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError, errorCatalogue } from '@broadside/core';
import type { Pipelines } from '../limits/pipelines.ts';
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
  readonly #owed: Pick<Pipelines, 'before' | 'responseTo'>;
  readonly #nextId: () => string;
  readonly #log: (record: ClosedRecord, message: string) => void;
  /** Connections with an error whose turn has not come. */
  readonly #waiting = new WeakSet<Socket>();

  /**
   * @param owed the answers that come before these
   * @param nextId the id of the next answer
   * @param log takes a record of each
   */
  constructor(
    owed: Pick<Pipelines, 'before' | 'responseTo'>,
    nextId: () => string,
    log: (record: ClosedRecord, message: string) => void,
  ) {
    this.#owed = owed;
    this.#nextId = nextId;
    this.#log = log;
  }

  /** Writes the response to the socket and closes it: what follows on the connection cannot be delimited. */
  malformed(form: SocketForm, error: NodeJS.ErrnoException, socket: Socket, request?: IncomingMessage): void {
    // The client is gone.
    if (error.code === 'ECONNRESET') socket.destroy();
    else this.#inTurn(form, errorOf(error), socket, request);
  }

  /** Ends the connection of a request that does not arrive. */
  late(form: SocketForm, request: IncomingMessage, socket: Socket): void {
    this.#inTurn(form, new ApiError('CANCELLED_REQUEST'), socket, request);
  }

  /** Ends the connection of a request whose body is not read on. */
  splintered(form: SocketForm, request: IncomingMessage, socket: Socket): void {
    // Nobody would see that the client has closed it.
    this.#inTurn(form, SPLINTERED, socket, request, () => socket.destroySoon());
  }

  /** Ends a connection for which there is no room. Nothing that it sends is read. */
  busy(form: SocketForm, socket: Socket): void {
    // The client may be gone, or its bytes may be left unread when the connection closes.
    socket.on('error', () => {});
    this.#end(socket, form, new ApiError('OVER_CAPACITY'), undefined, 'retry-after: 5');
    socket.destroySoon();
  }

  /** Destroys a connection on which too much waits: an answer to one more request would have to wait for all of it. */
  crowded(socket: Socket): void {
    this.#destroy(socket, new ApiError('OVER_CAPACITY'), 'a connection was closed, on which too many requests waited');
  }

  /** Destroys a connection whose client does not read what was answered. */
  unread(socket: Socket): void {
    const message = 'a connection was closed, whose client did not read its answers';
    this.#destroy(socket, new ApiError('CANCELLED_REQUEST'), message);
  }

  #destroy(socket: Socket, { status, issues }: ApiError, message: string): void {
    socket.destroy();
    this.#log({ request: this.#nextId(), status, rejected: issues[0].error }, message);
  }

  /**
   * Answers when the requests before are answered: these may be stored already.
   * @param request the one that the error is of, once its head was read
   * @param then called when the answer is written
   */
  #inTurn(
    form: SocketForm,
    error: ApiError,
    socket: Socket,
    request: IncomingMessage | undefined,
    then = () => {},
  ): void {
    // The client is gone.
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    // What is in no request has no answer yet, whatever was answered before. A request whose response is not owed any more is answered.
    const hasBegun = () => request !== undefined && this.#owed.responseTo(socket, request)?.headersSent !== false;
    const answer = () => {
      // The answer before was the last one, or the request has an answer, which this would corrupt.
      if (!socket.writable || hasBegun()) {
        socket.destroySoon();
        return;
      }
      this.#end(socket, form, error, request);
      then();
    };
    const before = this.#owed.before(socket, request);
    if (before === undefined) answer();
    else if (!this.#waiting.has(socket)) {
      this.#waiting.add(socket);
      before.once('close', answer);
    }
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
    // The length is that of the answer to a GET (RFC 9110 section 9.3.2).
    socket.end(request?.method === 'HEAD' ? '' : body);
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

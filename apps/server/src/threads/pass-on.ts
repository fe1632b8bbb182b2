/**
 * Passes requests on to the main thread and its answers back, as they come: bodies of any size, streams of events, answers
 * that arrive before the body has been sent, and connections that either side ends.
 */
import { Agent, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { passedHeaders, RESET, returnedHeaders } from './passed-request.ts';

/** The place at which the main thread takes requests of one listener. */
export interface MainThread {
  /** The path of its socket. */
  readonly socketPath: string;
  /** Proves that a thread of this server passes a request on. */
  readonly secret: string;
}

export class PassOn {
  readonly #main: MainThread;
  // An idle connection is never ended by the main thread, so none is found dead when it is used again.
  readonly #agent = new Agent({ keepAlive: true, maxFreeSockets: 256 });
  #pending = 0;

  constructor(main: MainThread) {
    this.#main = main;
  }

  /** The number of requests that the main thread has not answered completely. */
  get pending(): number {
    return this.#pending;
  }

  /** Passes a request on. */
  pass(request: IncomingMessage, response: ServerResponse): void {
    const { socketPath, secret } = this.#main;
    const { method, url: path } = request;
    this.#pending++;
    const passed = httpRequest({
      agent: this.#agent,
      socketPath,
      method,
      path,
      headers: passedHeaders(request, secret),
    });
    passed.on('response', (answer) => {
      if (answer.headers[RESET] !== undefined) {
        answer.resume();
        request.socket.resetAndDestroy();
        return;
      }
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, returnedHeaders(answer.rawHeaders));
      // A stream of events begins with nothing.
      response.flushHeaders();
      answer.pipe(response);
      answer.on('end', () => {
        if (request.readableEnded) return;
        // A request of Node that was answered before its end never asks for more of it.
        readRest();
        passed.destroy();
      });
      answer.on('error', () => response.destroy());
      answer.on('close', () => {
        // An answer that was cut off is cut off for the client too.
        if (!answer.complete) response.destroy();
      });
    });
    passed.on('error', () => {
      // After the whole answer the rest of the body does not matter. Before it, a client sees what it would see of one thread.
      if (!response.writableEnded) response.destroy();
    });
    // The rest of a body that the main thread does not want: the client waits until it has been read.
    const readRest = () => {
      request.unpipe(passed);
      request.resume();
    };
    passed.on('close', readRest);
    request.on('error', () => passed.destroy());
    response.on('close', () => {
      this.#pending--;
      if (!response.writableFinished) passed.destroy();
    });
    request.pipe(passed);
  }

  /** Ends idle connections to the main thread. */
  close(): void {
    this.#agent.destroy();
  }
}

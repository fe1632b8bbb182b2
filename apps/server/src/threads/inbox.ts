/** Takes requests that reader threads pass on to the main thread, and hands them to the application of their listener. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { takeExpectations } from '../adapters/limits/expectations.ts';
import { receivePassed } from './passed-request.ts';

/** Opens the inbox of one listener. */
export async function openInbox(
  socketPath: string,
  secret: string,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Server> {
  const server = createServer(
    {
      requireHostHeader: false,
      // What clients may send was checked by the thread that accepted them; this leaves room for what it adds.
      maxHeaderSize: 128 * 1024,
      // Times are limited where the client's connection is.
      requestTimeout: 0,
      headersTimeout: 0,
      keepAliveTimeout: 0,
      noDelay: true,
    },
    (request, response) => {
      if (receivePassed(request, secret)) handle(request, response);
      else request.socket.destroy();
    },
  );
  takeExpectations(server);
  server.listen(socketPath);
  await once(server, 'listening');
  // A server that is closed otherwise must not wait for connections between its own threads.
  server.unref();
  return server;
}

/** Requests that expect of the server what it does not do (RFC 9110 section 10.1.1). */
import type { IncomingMessage, Server } from 'node:http';

const unmet = new WeakSet<IncomingMessage>();

/** Has a server handle such requests like others: Node would answer them without a body, and nothing would count or log them. */
export function takeExpectations(server: Server): void {
  server.on('checkExpectation', (request, response) => {
    unmet.add(request);
    server.emit('request', request, response);
  });
}

/** Returns whether a request expects what the server does not do. */
export function isUnmet(request: IncomingMessage): boolean {
  return unmet.has(request);
}

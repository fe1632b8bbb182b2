/** Faults on the way of an answer: what becomes of its bytes, and of the connection. Nothing of it concerns what was done. */
import type { ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';
import type { BrokenOff, Faulted } from '../faults/delivery.ts';
import { isPassedOn, RESET } from '../threads/passed-request.ts';
import { REQUEST_ID } from './rest/request-log.ts';
import type { SentAnswer } from './sent-answer.ts';

/** An answer as its client gets it. What was injected is no failure of the server. */
export function delivered<Answer extends SentAnswer>(
  answer: Answer,
  { fired, delivery }: Faulted,
): Answer & { readonly ends: BrokenOff | undefined; readonly failure: undefined } {
  const known = { ...answer, fired, failure: undefined, ends: delivery?.ends };
  if (delivery?.gateway !== undefined) {
    const { gateway: status, retry_after } = delivery;
    return { ...known, status, headers: withRetry(GATEWAY_HEADERS, retry_after), body: gatewayPage(status) };
  }
  return {
    ...known,
    headers: withRetry(answer.headers, delivery?.retry_after),
    body: damaged(answer.body, delivery?.body),
  };
}

const GATEWAY_HEADERS = ['content-type', 'text/html'];

/** What proxies answer in place of a server that they cannot reach. */
function gatewayPage(status: number): string {
  const title = `${status} ${STATUS_CODES[status] ?? ''}`.trim();
  return `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n</body>\r\n</html>\r\n`;
}

function withRetry(headers: readonly string[], retry_after: number | undefined): readonly string[] {
  if (retry_after === undefined) return headers;
  const others = headers.filter((_, at) => headers[at - (at % 2)] !== 'retry-after');
  return [...others, 'retry-after', `${retry_after}`];
}

/** Returns a body with a damage. Its content type stays, so that only its text tells. */
function damaged(body: string | Uint8Array, damage: 'cut' | 'not_json' | undefined): string | Uint8Array {
  if (damage === undefined) return body;
  return damage === 'cut' ? half(body) : '<!doctype html><title>Please wait</title><p>Please wait ...</p>\n';
}

function half(body: string | Uint8Array): Uint8Array {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return bytes.subarray(0, Math.floor(bytes.length / 2));
}

/** The same for an answer of the framework, whose status and headers are set. */
export function breakOffReply(reply: FastifyReply, ends: BrokenOff, body: string | Uint8Array): FastifyReply {
  const { raw, request, statusCode: status } = reply;
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  reply.headers({ [REQUEST_ID]: request.id, 'content-length': length });
  const headers = Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().flatMap((each) => [name, `${each}`]),
  );
  reply.hijack();
  raw.once('close', () => reply.logBrokenOff());
  breakOff(raw, ends, { status, headers, body });
  return reply;
}

/** Ends the connection instead of sending an answer, or when half of its body is sent. */
export function breakOff(response: ServerResponse, ends: BrokenOff, { status, headers, body }: SentAnswer): void {
  const { socket } = response;
  if (ends === 'unanswered') {
    if (socket instanceof Socket && isPassedOn(socket)) {
      // The thread that has the connection of the client ends that.
      response.writeHead(status, [RESET, '1', 'content-length', '0']).end();
    } else if (socket instanceof Socket) socket.resetAndDestroy();
    else response.destroy();
    return;
  }
  response.writeHead(status, [...headers]);
  response.flushHeaders();
  // Not reset, which could overtake what was sent.
  response.write(half(body), () => response.destroy());
}

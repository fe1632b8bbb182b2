/** Forwards one request of a client to the server and its response back, both as they come. */
import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  request as overHttp,
  type ServerResponse,
} from 'node:http';
import { Agent as HttpsAgent, request as overHttps } from 'node:https';
import { messageOf, systemCode } from '../errors.ts';

/** Headers of a connection rather than of the request, and facts about the client that only the proxy knows. */
const OWN = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'proxy-authenticate',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'host',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
]);

/** Methods that change nothing. */
const SAFE = ['GET', 'HEAD', 'OPTIONS'];

/** The destination of a request, and the name that it is sent under. */
export interface Destination {
  readonly host: string;
  readonly url: URL;
  /** Looks for the server again; `undefined` when it is nowhere else. */
  readonly elsewhere: () => URL | undefined;
}

/** Connections to the server. */
export class Forwarder {
  readonly #http = new HttpAgent({ keepAlive: true });
  readonly #https = new HttpsAgent({ keepAlive: true });

  /**
   * Forwards a request.
   * @param onFailure called with one sentence when the server does not answer; the client has a 502 then
   */
  forward(
    request: IncomingMessage,
    response: ServerResponse,
    destination: Destination,
    onFailure: (sentence: string) => void,
  ): void {
    const headers = requestHeaders(request, destination.host);
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
    const hasBody = length !== '0' || encoding !== undefined;
    const attempt = (url: URL, isLast: boolean) => {
      const upstream = this.#open(request, headers, url);
      const abort = () => upstream.destroy();
      response.once('close', abort);
      let answered = false;
      upstream.once('response', (answer) => {
        answered = true;
        respond(request, response, upstream, answer);
      });
      upstream.on('error', (error) => {
        response.off('close', abort);
        // What is left of the body has nowhere to go.
        request.unpipe(upstream).resume();
        if (answered || response.destroyed) return;
        // The server may have closed an idle connection at the moment when it was used again. What changes something is not repeated.
        const isSafe = SAFE.includes(request.method ?? '') && !hasBody;
        if (isSafe && !isLast && upstream.reusedSocket && systemCode(error) === 'ECONNRESET') return attempt(url, true);
        // It may have started again on other ports. Nothing was sent yet, except for what the connection has taken of a body.
        const found = systemCode(error) === 'ECONNREFUSED' && !isLast ? destination.elsewhere() : undefined;
        if (found && !hasBody) return attempt(found, true);
        const sentence = sentenceOf(error, url);
        onFailure(sentence);
        fail(response, 502, 'BAD_GATEWAY', sentence);
      });
      if (hasBody) request.pipe(upstream);
      else upstream.end();
    };
    attempt(destination.url, false);
  }

  #open(request: IncomingMessage, headers: readonly string[], url: URL): ClientRequest {
    const prefix = url.pathname.replace(/\/$/, '');
    const options = {
      method: request.method ?? 'GET',
      hostname: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port,
      path: `${prefix}${request.url ?? '/'}`,
      headers,
    };
    // An agent of its own: not the environment's proxy, which is this one.
    return url.protocol === 'https:'
      ? overHttps({ ...options, agent: this.#https, servername: url.hostname })
      : overHttp({ ...options, agent: this.#http });
  }

  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }
}

function requestHeaders(request: IncomingMessage, host: string): string[] {
  const address = request.socket.remoteAddress;
  return [
    'host',
    host,
    ...endToEnd(request.rawHeaders, request.headers.connection),
    // A server believes it only of the proxies that its settings name.
    ...(address === undefined ? [] : ['x-forwarded-for', address]),
    ...framing(request),
  ];
}

/** The header that says the length of a body; a request without a body says so. */
function framing({ headers, method = '' }: IncomingMessage): string[] {
  if ('transfer-encoding' in headers) return ['transfer-encoding', 'chunked'];
  return 'content-length' in headers || SAFE.includes(method) ? [] : ['content-length', '0'];
}

/** Headers that go along, with their case, their order and their repetitions. */
function endToEnd(raw: readonly string[], connection: string | undefined): string[] {
  const named = new Set((connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
  const kept: string[] = [];
  for (let at = 0; at < raw.length; at += 2) {
    const [name = '', value = ''] = [raw[at], raw[at + 1]];
    const lower = name.toLowerCase();
    if (!OWN.has(lower) && !named.has(lower)) kept.push(name, value);
  }
  return kept;
}

function respond(
  request: IncomingMessage,
  response: ServerResponse,
  upstream: ClientRequest,
  answer: IncomingMessage,
): void {
  response.writeHead(
    answer.statusCode ?? 502,
    answer.statusMessage ?? '',
    endToEnd(answer.rawHeaders, answer.headers.connection),
  );
  // A stream of events begins with headers alone.
  response.flushHeaders();
  answer.pipe(response);
  answer.once('end', () => {
    if (!request.complete) request.unpipe(upstream).resume();
  });
  // The client must not take half of a body for the whole.
  answer.once('error', () => response.destroy());
}

function sentenceOf(error: unknown, url: URL): string {
  const code = systemCode(error);
  if (code === 'ECONNREFUSED')
    return `no server answers at ${url.origin}; is it running? \`broadside start\` starts one`;
  return `the server at ${url.origin} gave no answer: ${code ?? messageOf(error)}`;
}

/** Answers in the form of the interface's errors, which clients know how to show. */
export function fail(response: ServerResponse, status: number, code: string, sentence: string): void {
  const body = `${JSON.stringify({ errors: [{ code, message: `broadside proxy: ${sentence}` }] })}\n`;
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

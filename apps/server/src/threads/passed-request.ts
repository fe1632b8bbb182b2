/**
 * Requests that a reader thread passes on to the main thread, as HTTP over a local socket. Three headers tell the main
 * thread from whom a request comes; they are removed from what clients send, and from what the application sees.
 */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { isUnmet } from '../adapters/limits/expectations.ts';

/** Facts of the client's connection, as the main thread would see them if it had accepted it. */
type Client = { readonly [Name in (typeof facts)[number]]: string | number | undefined };

/** The address of the client, and the one that it has reached, by which its signature is verified. */
const facts = ['remoteAddress', 'remotePort', 'remoteFamily', 'localAddress', 'localPort', 'localFamily'] as const;

const PREFIX = 'x-broadside-thread-';
const SECRET = `${PREFIX}secret`;
const CLIENT = `${PREFIX}client`;
/** The header of an answer that says to reset the connection of the client, instead of passing an answer back. */
export const RESET = `${PREFIX}reset`;

/** Headers that concern one connection only (RFC 9110 section 7.6.1), and one that the server has answered already. */
const ofConnection: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'upgrade',
  'expect',
  'http2-settings',
]);

/** Methods whose requests Node sends without a body where nothing announces one. Those of all others it would send in chunks. */
const withoutBody: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

/** The headers with which a request is passed on, as names and values in turn. */
export function passedHeaders(request: IncomingMessage, secret: string): string[] {
  const { headers: sent, method = 'GET', rawHeaders, socket } = request;
  const headers = [SECRET, secret, CLIENT, JSON.stringify(clientOf(socket))];
  forEachHeader(rawHeaders, (name, value) => {
    const lower = name.toLowerCase();
    // What the server does not do is rejected by the main thread, which knows the form of errors of the path.
    const isPassed = !ofConnection.has(lower) || (lower === 'expect' && isUnmet(request));
    if (isPassed && !lower.startsWith(PREFIX)) headers.push(name, value);
  });
  // Room is taken for the longest body where the length of one is not announced.
  const hasBody = sent['content-length'] !== undefined || sent['transfer-encoding'] !== undefined;
  if (!hasBody && !withoutBody.has(method)) headers.push('content-length', '0');
  return headers;
}

/** The headers of a response as the client gets them: those of the connection are this thread's own, but for its end. */
export function returnedHeaders(rawHeaders: readonly string[]): string[] {
  const headers: string[] = [];
  forEachHeader(rawHeaders, (name, value) => {
    const lower = name.toLowerCase();
    const ends = lower === 'connection' && value.toLowerCase() === 'close';
    if (ends || (!ofConnection.has(lower) && lower !== 'transfer-encoding')) headers.push(name, value);
  });
  return headers;
}

/**
 * Makes a request that was passed on look as it did when it came from the client.
 * @returns false when it was not passed on by a thread of this server
 */
export function receivePassed(request: IncomingMessage, secret: string): boolean {
  const { headers, rawHeaders } = request;
  const { [SECRET]: given, [CLIENT]: client } = headers;
  if (typeof given !== 'string' || typeof client !== 'string' || !isSame(given, secret)) return false;
  delete headers[SECRET];
  delete headers[CLIENT];
  // The passing thread put them first.
  rawHeaders.splice(0, 4);
  between.add(request.socket);
  impersonate(request.socket, JSON.parse(client));
  return true;
}

/** Connections on which requests were passed on. */
const between = new WeakSet<Socket>();

/** Returns whether a connection is one between threads, and not that of a client. */
export function isPassedOn(socket: Socket): boolean {
  return between.has(socket);
}

function clientOf(socket: Socket): Client {
  const { remoteAddress, remotePort, remoteFamily, localAddress, localPort, localFamily } = socket;
  return { remoteAddress, remotePort, remoteFamily, localAddress, localPort, localFamily };
}

function isSame(given: string, secret: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(secret)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** A connection between threads carries one request at a time, so it can have the address of that one. */
function impersonate(socket: Socket, client: Client): void {
  for (const name of facts) Object.defineProperty(socket, name, { value: client[name], configurable: true });
}

function forEachHeader(raw: readonly string[], visit: (name: string, value: string) => void): void {
  for (let i = 0; i + 1 < raw.length; i += 2) visit(raw[i] ?? '', raw[i + 1] ?? '');
}

/**
 * Calls by pages of other origins (CORS). Pages of configured origins may call what takes a signature or a token of their own:
 * advertising, data retrieval, uploads and the endpoints of authentication, and read the documents. Never with cookies, and never the
 * pages for people or the procedures of tRPC, the operator's among them.
 */
import { allAuthOperations } from '@broadside/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CrossOrigins } from '../config/cross-origins.ts';
import { REQUEST_ID } from './rest/request-log.ts';

/** An origin on the machine of the browser. Names below localhost are that machine, too. */
const LOOPBACK = /^https?:\/\/(?:(?:[a-z\d-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/;

/** Headers that scripts may read, besides the few that they always may. */
const EXPOSED = [
  'x-rate-limit-limit',
  'x-rate-limit-remaining',
  'x-rate-limit-reset',
  'x-account-rate-limit-limit',
  'x-account-rate-limit-remaining',
  'x-account-rate-limit-reset',
  'x-current-api-version',
  REQUEST_ID,
  'retry-after',
  'allow',
].join(', ');

/** Seconds for which a browser remembers a preflight. */
const MAX_AGE_S = 600;

/** Names of headers, as browsers list them. */
const HEADER_NAMES = /^[\w\-, ]{1,1000}$/;

/** Decides which pages may call. */
export class CrossOrigin {
  readonly #loopback: boolean;
  readonly #origins: ReadonlySet<string>;

  constructor({ loopback, origins }: CrossOrigins) {
    this.#loopback = loopback;
    this.#origins = new Set(origins);
  }

  /** Headers of an answer to a page; none where no page asks, or none of those that may. */
  fields(origin: string | undefined): readonly string[] {
    if (origin === undefined || !this.allows(origin)) return NONE;
    return ['access-control-allow-origin', origin, 'access-control-expose-headers', EXPOSED, 'vary', 'origin'];
  }

  allows(origin: string): boolean {
    return this.#origins.has(origin) || (this.#loopback && LOOPBACK.test(origin));
  }
}

const NONE: readonly string[] = [];

const authPaths: ReadonlySet<string> = new Set(
  allAuthOperations.flatMap(({ http }) => [http.path, ...(http.aliases ?? [])]),
);
const documents: ReadonlySet<string> = new Set(['/openapi.json', '/health', '/ready']);

/** Returns whether a path is one that pages may call: it begins with a version, belongs to authentication, or is a document. */
function isShared(path: string): boolean {
  return VERSIONED.test(path) || authPaths.has(path) || documents.has(path);
}

/** A version is a segment of its own: names of people may begin with a digit, too. */
const VERSIONED = /^\/\d+(?:\.\d+)?\//;

/** Answers preflights, and marks the answers that pages may read. @param methodsOf the methods of a path */
export function registerCrossOrigin(
  app: FastifyInstance,
  cross: CrossOrigin,
  methodsOf: (target: string) => readonly string[],
): void {
  const originOf = ({ headers: { origin }, raw }: FastifyRequest) =>
    origin !== undefined && cross.allows(origin) && isShared(pathOf(raw.url)) ? origin : undefined;
  app.addHook('onRequest', (request, reply, done) => {
    const method = request.headers['access-control-request-method'];
    if (request.method !== 'OPTIONS' || method === undefined || originOf(request) === undefined) return done();
    const wanted = request.headers['access-control-request-headers'] ?? '';
    // What a page sends along is checked when it sends it, like that of any other client.
    const headers = HEADER_NAMES.test(wanted) ? wanted : 'authorization, content-type';
    const methods = methodsOf(request.raw.url ?? '/');
    // A path that does not exist is answered as that, which the page may read.
    const offered = methods.length === 0 ? method.slice(0, 20).replace(/[^A-Z]/g, '') : methods.join(', ');
    void reply
      .code(204)
      .header('access-control-allow-methods', offered)
      .header('access-control-allow-headers', headers)
      .header('access-control-max-age', MAX_AGE_S)
      .send();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    const origin = originOf(request);
    if (origin !== undefined) mark(reply, cross.fields(origin));
    done(null, payload);
  });
}

function mark(reply: FastifyReply, fields: readonly string[]): void {
  for (let at = 0; at < fields.length; at += 2) {
    const name = `${fields[at]}`;
    const known = name === 'vary' ? reply.getHeader(name) : undefined;
    reply.header(name, known === undefined ? fields[at + 1] : `${known}, ${fields[at + 1]}`);
  }
}

function pathOf(url = '/'): string {
  return url.replace(/[?#].*$/s, '');
}

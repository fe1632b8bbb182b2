/** Serves the reference at `/docs`, what its search and its trials need, and the OpenAPI document at `/openapi.json`. */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { stringifyJson } from '@broadside/core';
import type { Dialect } from '@broadside/core/dialect';
import { type DocumentedInterface, openapiDocument } from '@broadside/core/openapi';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { type Spoken, spokenBy } from '../../dialects/spoken.ts';
import type { ListenerName } from '../../listener-name.ts';
import { packageVersion } from '../../package-file.ts';
import { pathParams, routedMethods } from '../rest/routes.ts';
import { pageInDialect } from './in-dialect.ts';
import { contentSecurityPolicy, OPENAPI_PATH, Reference } from './page.ts';
import { searchIndex } from './search-index.ts';
import { isOwnPage, trialCredentials } from './trial.ts';

/** Dependencies of the routes. */
export interface DocsOptions {
  /** `undefined` on the listener that serves authentication. */
  readonly environment: DocumentedInterface;
  /** The public base URL for a request. */
  readonly baseUrlOf: (request: FastifyRequest) => string;
  /** The base URL of a listener, for a client that reached this one under a URL; `undefined` where it is not known. */
  readonly listenerUrl: (listener: ListenerName, reached: string) => string | undefined;
  /** The directory with the credentials of the demo, with which calls can be tried; none in production mode. */
  readonly demoDirectory: string | undefined;
}

/** Adds the routes. */
export function registerDocs(app: FastifyInstance, options: DocsOptions): void {
  const { environment, baseUrlOf, listenerUrl, demoDirectory } = options;
  const get = (url: string, handler: RouteHandlerMethod) => app.route({ method: routedMethods('GET'), url, handler });
  const pageOf = (name: string, serverUrl: string, spoken: Spoken | undefined) => {
    const [api, ads, sandbox] = (['api', 'ads', 'sandbox'] as const).map((one) => listenerUrl(one, serverUrl));
    // A dialect has hosts of its own.
    const listeners = !spoken && api && ads && sandbox ? { api, ads, sandbox } : undefined;
    const trial = demoDirectory !== undefined && !spoken;
    const reference = new Reference({ environment, serverUrl, version: packageVersion(), listeners, trial });
    const own = reference.page(name) ?? '';
    return spoken ? pageInDialect(own, spoken.dialect) : own;
  };
  let made: ReadonlyMap<string, Rendered> | undefined;
  const rendered = () => {
    const pages = made ? [] : new Reference({ environment, serverUrl: '', version: '' }).pages;
    made ??= new Map(
      pages.map((name) => [name, new Rendered((serverUrl, spoken) => pageOf(name, serverUrl, spoken))] as const),
    );
    return made;
  };
  const sendPage = (name: string, request: FastifyRequest, reply: FastifyReply) => {
    reply.header('content-type', 'text/html; charset=utf-8');
    reply.header('content-security-policy', contentSecurityPolicy);
    reply.header('referrer-policy', 'no-referrer');
    return rendered().get(name)?.send(request, reply, baseUrlOf(request)) ?? reply.callNotFound();
  };
  get('/docs', (request, reply) => sendPage('', request, reply));
  // One route for all of them: a start would take longer to make one for each than to load what they show.
  get('/docs/:name', (request, reply) => {
    const { name = '' } = pathParams(request.params);
    return sendPage(spokenBy(request)?.dialect.vocabulary.nameIn(name) ?? name, request, reply);
  });
  get('/docs/', (request, reply) => reply.redirect(`${spokenBy(request)?.prefix ?? ''}/docs`, 308));
  const index = new Rendered((serverUrl, spoken) =>
    JSON.stringify(searchIndex(new Map([...rendered().keys()].map((name) => [name, pageOf(name, serverUrl, spoken)])))),
  );
  get('/docs/index.json', (request, reply) => {
    reply.header('content-type', 'application/json; charset=utf-8');
    return index.send(request, reply, baseUrlOf(request));
  });
  if (demoDirectory !== undefined) {
    get('/docs/trial.json', (request, reply) => {
      const isOwn = isOwnPage(request.headers, request.socket.remoteAddress);
      const credentials = isOwn ? trialCredentials(demoDirectory, environment) : undefined;
      if (!credentials) return reply.callNotFound();
      return reply
        .headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
        .type('application/json; charset=utf-8')
        .send(JSON.stringify(credentials));
    });
  }
  const document = new Rendered((serverUrl, spoken) => {
    const own = openapiDocument({ environment, serverUrl, version: packageVersion() });
    return stringifyJson(spoken?.dialect.document(own) ?? own);
  });
  get(OPENAPI_PATH, (request, reply) => {
    reply.header('content-type', 'application/json; charset=utf-8');
    return document.send(request, reply, baseUrlOf(request));
  });
}

interface Copy {
  readonly serverUrl: string;
  readonly text: string;
  readonly zipped: Buffer;
  readonly tag: string;
}

/** A text that contains the server's address, rendered on first request. */
class Rendered {
  readonly #render: (serverUrl: string, spoken: Spoken | undefined) => string;
  /** Only one copy for each dialect: without a configured address the caller names the host, and could name any number of hosts. */
  readonly #copies = new Map<Dialect | undefined, Copy>();

  constructor(render: (serverUrl: string, spoken: Spoken | undefined) => string) {
    this.#render = render;
  }

  send(request: FastifyRequest, reply: FastifyReply, baseUrl: string): FastifyReply {
    const spoken = spokenBy(request);
    const serverUrl = baseUrl + (spoken?.prefix ?? '');
    let copy = this.#copies.get(spoken?.dialect);
    if (copy?.serverUrl !== serverUrl) {
      copy = copyOf(serverUrl, this.#render(serverUrl, spoken));
      this.#copies.set(spoken?.dialect, copy);
    }
    const { text, zipped, tag } = copy;
    reply.headers({
      etag: tag,
      'cache-control': 'no-cache',
      vary: 'accept-encoding',
      'x-content-type-options': 'nosniff',
    });
    if (request.headers['if-none-match'] === tag) return reply.code(304).send();
    const zip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(request.headers['accept-encoding'] ?? '');
    return zip ? reply.header('content-encoding', 'gzip').send(zipped) : reply.send(text);
  }
}

function copyOf(serverUrl: string, text: string): Copy {
  const tag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  return { serverUrl, text, zipped: gzipSync(text), tag };
}

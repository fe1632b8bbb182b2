/** Serves the reference at `/docs`, what its search and its trials need, and the OpenAPI document at `/openapi.json`. */
import { stringifyJsonInSteps } from '@broadside/core';
import { type DocumentedInterface, openapiDocumentInSteps } from '@broadside/core/openapi';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { type Spoken, spokenBy } from '../../dialects/spoken.ts';
import type { ListenerName } from '../../listener-name.ts';
import { inTurns } from '../../pace.ts';
import { packageVersion } from '../../package-file.ts';
import { pathParams, routedMethods } from '../rest/routes.ts';
import { pageInDialect } from './in-dialect.ts';
import { contentSecurityPolicy, OPENAPI_PATH, Reference } from './page.ts';
import { type Addresses, Rendered } from './rendered.ts';
import { searchIndexInSteps } from './search-index.ts';
import { isOwnPage, trialCredentials } from './trial.ts';

/** Schemas of a document lie in three objects: `components`, `schemas` and the document. So do operations. */
const DOCUMENT_DEPTH = 3;

/** Dependencies of the routes. */
export interface DocsOptions {
  /** `undefined` on the listener that serves authentication. */
  readonly environment: DocumentedInterface;
  /** The public base URL for a request. */
  readonly baseUrlOf: (request: FastifyRequest) => string;
  /** Returns whether a request names a host that is none of the listener's. */
  readonly isForeign: (request: FastifyRequest) => boolean;
  /** The base URL of a listener, for a client that reached this one under a URL; `undefined` where it is not known. */
  readonly listenerUrl: (listener: ListenerName, reached: string) => string | undefined;
  /** The directory with the credentials of the demo, with which calls can be tried; none in production mode. */
  readonly demoDirectory: string | undefined;
}

/** Adds the routes. */
export function registerDocs(app: FastifyInstance, options: DocsOptions): void {
  const { environment, baseUrlOf, isForeign, listenerUrl, demoDirectory } = options;
  const get = (url: string, handler: RouteHandlerMethod) => app.route({ method: routedMethods('GET'), url, handler });
  const addressesOf = (request: FastifyRequest): Addresses => {
    const spoken = spokenBy(request);
    const reached = baseUrlOf(request) + (spoken?.prefix ?? '');
    const [api, ads, sandbox] = (['api', 'ads', 'sandbox'] as const).map((one) => listenerUrl(one, reached));
    // A dialect has hosts of its own.
    return { own: reached, listeners: !spoken && api && ads && sandbox ? { api, ads, sandbox } : undefined };
  };
  const referenceAt = ({ own: serverUrl, listeners }: Addresses, spoken: Spoken | undefined) => {
    const trial = demoDirectory !== undefined && !spoken;
    const reference = new Reference({ environment, serverUrl, version: packageVersion(), listeners, trial });
    return (name: string) => {
      const page = reference.page(name) ?? '';
      return spoken ? pageInDialect(page, spoken.dialect) : page;
    };
  };
  let made: ReadonlyMap<string, Rendered> | undefined;
  const rendered = () => {
    const pages = made ? [] : new Reference({ environment, serverUrl: '', version: '' }).pages;
    made ??= new Map(
      pages.map((name) => [name, new Rendered((addresses, spoken) => referenceAt(addresses, spoken)(name))] as const),
    );
    return made;
  };
  const sendPage = (name: string, request: FastifyRequest, reply: FastifyReply) => {
    reply.header('content-type', 'text/html; charset=utf-8');
    reply.header('content-security-policy', contentSecurityPolicy);
    const page = rendered().get(name);
    return page?.send(request, reply, addressesOf(request), !isForeign(request)) ?? reply.callNotFound();
  };
  get('/docs', (request, reply) => sendPage('', request, reply));
  // One route for all of them: a start would take longer to make one for each than to load what they show.
  get('/docs/:name', (request, reply) => {
    const { name = '' } = pathParams(request.params);
    return sendPage(spokenBy(request)?.dialect.vocabulary.nameIn(name) ?? name, request, reply);
  });
  get('/docs/', (request, reply) => reply.redirect(`${spokenBy(request)?.prefix ?? ''}/docs`, 308));
  // Nobody looks for an address.
  const nowhere = { own: '' };
  const index = new Rendered(async (_addresses, spoken) => {
    const pageOf = referenceAt(nowhere, spoken);
    return JSON.stringify(await inTurns(searchIndexInSteps(rendered().keys(), pageOf)));
  });
  get('/docs/index.json', (request, reply) => {
    reply.header('content-type', 'application/json; charset=utf-8');
    return index.send(request, reply, nowhere, true);
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
  const document = new Rendered(async ({ own: serverUrl }, spoken) => {
    const own = await inTurns(openapiDocumentInSteps({ environment, serverUrl, version: packageVersion() }));
    const shown = spoken ? await inTurns(spoken.dialect.documentInSteps(own)) : own;
    return inTurns(stringifyJsonInSteps(shown, DOCUMENT_DEPTH));
  });
  get(OPENAPI_PATH, (request, reply) => {
    reply.header('content-type', 'application/json; charset=utf-8');
    return document.send(request, reply, { own: addressesOf(request).own }, !isForeign(request));
  });
}

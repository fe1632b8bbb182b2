/** Serves the reference page at `/docs`, and the OpenAPI document at `/openapi.json`. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { type Environment, stringifyJson } from '@broadside/core';
import { openapiDocument } from '@broadside/core/openapi';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { packageFile } from '../../package-file.ts';
import { contentSecurityPolicy, OPENAPI_PATH, renderPage } from './page.ts';

/** Dependencies of the routes. */
export interface DocsOptions {
  /** `undefined` on the listener that serves authentication. */
  readonly environment: Environment | undefined;
  /** The public base URL for a request. */
  readonly baseUrlOf: (request: FastifyRequest) => string;
}

/** Adds the routes. */
export function registerDocs(app: FastifyInstance, { environment, baseUrlOf }: DocsOptions): void {
  const page = new Rendered((serverUrl) => renderPage({ environment, serverUrl, version: packageVersion() }));
  app.get('/docs', (request, reply) => {
    reply.header('content-type', 'text/html; charset=utf-8');
    reply.header('content-security-policy', contentSecurityPolicy);
    reply.header('referrer-policy', 'no-referrer');
    return page.send(request, reply, baseUrlOf(request));
  });
  app.get('/docs/', (_request, reply) => reply.redirect('/docs', 308));
  const document = new Rendered((serverUrl) =>
    stringifyJson(openapiDocument({ environment, serverUrl, version: packageVersion() })),
  );
  app.get(OPENAPI_PATH, (request, reply) => {
    reply.header('content-type', 'application/json; charset=utf-8');
    return document.send(request, reply, baseUrlOf(request));
  });
}

function packageVersion(): string {
  const { version }: { version?: unknown } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
  return String(version);
}

interface Copy {
  readonly serverUrl: string;
  readonly text: string;
  readonly zipped: Buffer;
  readonly tag: string;
}

/** A text that contains the server's address, rendered on first request. */
class Rendered {
  readonly #render: (serverUrl: string) => string;
  /** Only one copy: without a configured address the caller names the host, and could name any number of hosts. */
  #copy: Copy | undefined;

  constructor(render: (serverUrl: string) => string) {
    this.#render = render;
  }

  send(request: FastifyRequest, reply: FastifyReply, serverUrl: string): FastifyReply {
    if (this.#copy?.serverUrl !== serverUrl) this.#copy = copyOf(serverUrl, this.#render(serverUrl));
    const { text, zipped, tag } = this.#copy;
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

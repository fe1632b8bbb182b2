/** Signed requests to one of several servers. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { parseJson } from '@broadside/core';
import { buildRequest, type TestRequest, type WireRequest } from '@broadside/testkit';
import type { Environment } from '../../apps/server/src/world/environment.ts';
import { BASES, type Listener, type Platform, type ServerPart } from './platform.ts';

/** What came back. */
export interface Answer {
  readonly status: number;
  readonly bytes: Buffer;
  readonly text: string;
  readonly body: unknown;
  readonly headers: IncomingMessage['headers'];
}

/** A request that was signed once, and can be sent to each server. */
export interface Signed {
  readonly listener: Listener;
  readonly wire: WireRequest;
}

/** A server that has not answered within this time hangs: deadlines for stores and Redis are seconds, on a slow machine some more. */
export const PATIENCE_MS = 60_000;

/** The client that all requests are signed by. */
export class Client {
  readonly #credentials: Platform['credentials'];
  readonly #agent: http.Agent | false;

  /** @param agent keeps its connections; by default each request has one of its own */
  constructor({ credentials }: Pick<Platform, 'credentials'>, agent: http.Agent | false = false) {
    this.#credentials = credentials;
    this.#agent = agent;
  }

  /** @param environment whose listener it is for, unless it is for that of the platform */
  async sign(request: TestRequest, environment: Environment = 'sandbox'): Promise<Signed> {
    const own = environment === 'production' ? 'ads' : 'sandbox';
    const listener = request.listener === 'api' ? 'api' : own;
    const wire = await buildRequest(request, {
      origin: BASES[listener],
      user: this.#credentials,
      signing: { nowSeconds: () => Math.floor(Date.now() / 1000), nonce: randomUUID },
    });
    return { listener, wire };
  }

  /** Sends a request. @throws Error where no answer comes */
  async send(server: ServerPart, { listener, wire }: Signed, patience_ms = PATIENCE_MS): Promise<Answer> {
    const { pathname, search, host } = new URL(wire.url);
    const request = http.request({
      ...server.addressOf(listener),
      agent: this.#agent,
      path: pathname + search,
      method: wire.method,
      headers: { ...wire.headers, host },
      signal: AbortSignal.timeout(patience_ms),
    });
    request.end(wire.body);
    const response = await responseOf(request);
    const bytes = await buffer(response);
    const said = bytes.toString();
    const isJson = response.headers['content-type']?.includes('json') === true;
    const { statusCode: status = 0, headers } = response;
    return { status, headers, bytes, text: said, body: isJson ? parseJson(said) : undefined };
  }

  /** Signs and sends. @throws Error where the answer is another than 200 */
  async ok(server: ServerPart, request: TestRequest, environment?: Environment): Promise<unknown> {
    const { status, text: said, body } = await this.send(server, await this.sign(request, environment));
    if (status !== 200) throw new Error(`${server.name} answered ${status}: ${said}`);
    return body;
  }
}

async function responseOf(request: http.ClientRequest): Promise<IncomingMessage> {
  const [response]: unknown[] = await once(request, 'response');
  if (!(response instanceof http.IncomingMessage)) throw new TypeError('a response is a message');
  return response;
}

/** Asks a server whether it is ready. @returns its status, 0 where it does not answer, and what it said */
export async function readiness(server: ServerPart): Promise<{ readonly status: number; readonly text: string }> {
  const { host, port } = server.addressOf('api');
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const answer = await fetch(`http://${host}:${port}/ready`, { signal });
    return { status: answer.status, text: await answer.text() };
  } catch (error) {
    return { status: 0, text: String(error) };
  }
}

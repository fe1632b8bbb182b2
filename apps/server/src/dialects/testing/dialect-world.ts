/** A demo world whose listeners understand dialects, and calls to it that are signed as clients of a dialect sign them. */
import { once } from 'node:events';
import { request as connect } from 'node:http';
import { AdapterWorld } from '../../adapters/testing/world.ts';
import type { ListenerName } from '../../app.ts';
import type { RateLimitProfile } from '../../pipeline/rate-limiter.ts';
import { Dialects, type LoadedDialects } from '../dialects.ts';

/** A call. */
export interface DialectCall {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH';
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly multipart?: Readonly<Record<string, string | Uint8Array>>;
}

export class DialectWorld {
  readonly world: AdapterWorld;

  private constructor(world: AdapterWorld) {
    this.world = world;
  }

  static async open(loaded: LoadedDialects, rateLimits: RateLimitProfile = {}): Promise<DialectWorld> {
    return new DialectWorld(await AdapterWorld.open({}, new Dialects(loaded), rateLimits));
  }

  /** Signs a call with the demo's keys for the address that it names, and makes it. Answers of other types are texts. */
  async call(listener: ListenerName, url: string, call: DialectCall = {}) {
    const { target, ...request } = await this.#signed(url, call);
    const response = await this.world.apps[listener].inject({ ...request, url: target });
    const { statusCode: status, headers, payload: text } = response;
    const isJson = /json/.test(String(headers['content-type']));
    return { status, headers, text, json: isJson && text !== '' ? response.json() : undefined };
  }

  /** The same over a connection, after `listen`. The body is bytes. */
  async send(port: number, url: string, call: DialectCall = {}): Promise<{ status: number; body: Buffer }> {
    const { target, payload, ...request } = await this.#signed(url, call);
    const [response] = await once(
      connect({ host: '127.0.0.1', port, path: target, agent: false, ...request }).end(payload),
      'response',
    );
    const pieces: Buffer[] = [];
    for await (const piece of response) pieces.push(piece);
    return { status: response.statusCode, body: Buffer.concat(pieces) };
  }

  /** Opens the port of a listener. */
  async listen(listener: ListenerName): Promise<number> {
    const { port } = new URL(await this.world.apps[listener].listen({ host: '127.0.0.1', port: 0 }));
    return Number(port);
  }

  async #signed(url: string, { method = 'GET', form, json, multipart }: DialectCall) {
    const authorization = await this.world.sign(method, url, Object.entries(form ?? {}));
    const { host, pathname, search } = new URL(url);
    const body = bodyOf({ form, json, multipart });
    return {
      method,
      target: pathname + search,
      headers: { host, authorization, ...(body ? { 'content-type': body.type } : {}) },
      ...(body ? { payload: body.payload } : {}),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world[Symbol.asyncDispose]();
  }
}

const BOUNDARY = 'a-boundary-of-this-test';

function bodyOf({
  form,
  json,
  multipart,
}: Pick<{ [Name in keyof DialectCall]: DialectCall[Name] | undefined }, 'form' | 'json' | 'multipart'>) {
  if (json !== undefined) return { type: 'application/json', payload: JSON.stringify(json) };
  if (form !== undefined) {
    return { type: 'application/x-www-form-urlencoded', payload: new URLSearchParams(form).toString() };
  }
  if (multipart === undefined) return undefined;
  const parts = Object.entries(multipart).flatMap(([name, value]) => [
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${typeof value === 'string' ? '' : '; filename="a.png"'}\r\n\r\n`,
    ),
    Buffer.from(value),
    Buffer.from('\r\n'),
  ]);
  return {
    type: `multipart/form-data; boundary=${BOUNDARY}`,
    payload: Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]),
  };
}

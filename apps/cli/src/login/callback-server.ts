/**
 * Waits on this machine for the browser to come back. Whatever runs here can call the address, so only what names the
 * request token of this login ends the wait; anything else is rejected and the wait continues.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { CliError, systemCode } from '../errors.ts';
import { type Page, pageHeaders, pageHtml } from './page.ts';

/** The browser, come back. It waits for its page. */
export interface Arrival {
  /** The verifier of the person's approval; `undefined` when the person cancelled. */
  readonly oauth_verifier: string | undefined;
  respond(page: Page): Promise<void>;
}

const NOT_HERE: Page = { status: 404, title: 'Nothing here', text: 'There is no page at this address.' };
const NOT_THIS: Page = {
  status: 400,
  title: 'Not this log-in',
  text: 'This is not the answer to the log-in that waits in the terminal. Open the address that the terminal shows.',
};

/** A server that takes one callback. */
export class CallbackServer {
  /** The callback URL. */
  readonly url: string;
  readonly #server: Server;
  #expected: { readonly oauth_token: string; readonly arrived: (arrival: Arrival) => void } | undefined;

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
    server.on('request', (request, response) => void this.#answer(request, response));
  }

  /**
   * Listens at the first of the addresses whose port is free.
   * @throws CliError when all are taken
   */
  static async listen(urls: readonly string[]): Promise<CallbackServer> {
    const taken: string[] = [];
    for (const text of urls) {
      const url = new URL(text);
      const server = createServer();
      try {
        url.port = String(await listening(server, url));
        return new CallbackServer(server, url.href);
      } catch (error) {
        if (systemCode(error) !== 'EADDRINUSE' && systemCode(error) !== 'EACCES') throw error;
        taken.push(url.port);
      }
    }
    throw new CliError('unreachable', `No port is free to take the browser's answer (${taken.join(', ')} are taken)`, [
      '`broadside login --headless` signs in with a PIN and needs none.',
    ]);
  }

  /** Waits until the browser comes with the request token. @throws CliError when it does not come in time */
  async arrival(oauth_token: string, withinMs: number): Promise<Arrival> {
    const { promise, resolve, reject } = Promise.withResolvers<Arrival>();
    this.#expected = { oauth_token, arrived: resolve };
    const timer = setTimeout(() => {
      reject(new CliError('unauthenticated', 'Nobody answered in the browser in time; begin anew'));
    }, withinMs);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#expected = undefined;
    }
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, host, protocol } = new URL(this.url);
    const target = request.url ?? '';
    // Pages of other origins reach this port under names of their own, if the name leads here.
    const wanted = request.method === 'GET' && request.headers.host === host && target.startsWith('/');
    const asked = wanted && URL.canParse(target, `${protocol}//${host}`) ? new URL(target, this.url) : undefined;
    if (asked?.host !== host || asked.pathname !== pathname) return send(response, NOT_HERE);
    const query = asked.searchParams;
    const expected = this.#expected;
    const denied = only(query, 'denied');
    if (expected && denied === expected.oauth_token) return this.#arrive(response, undefined);
    const oauth_verifier = only(query, 'oauth_verifier');
    if (!expected || !oauth_verifier || only(query, 'oauth_token') !== expected.oauth_token) {
      return send(response, NOT_THIS);
    }
    this.#arrive(response, oauth_verifier);
  }

  #arrive(response: ServerResponse, oauth_verifier: string | undefined): void {
    this.#expected?.arrived({ oauth_verifier, respond: (page) => send(response, page) });
    this.#expected = undefined;
  }
}

/** Returns the value of a parameter that occurs once. */
function only(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name);
  return values.length === 1 ? values[0] : undefined;
}

async function listening(server: Server, { hostname, port }: URL): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: hostname, port: Number(port), exclusive: true }, resolve);
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : Number(port);
}

/** Resolves when the page was sent, or when the client disconnected. */
function send(response: ServerResponse, page: Page): Promise<void> {
  return new Promise((resolve) => {
    response.once('close', resolve);
    response.writeHead(page.status, pageHeaders).end(pageHtml(page));
  });
}

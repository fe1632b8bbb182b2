/** The web site of an app: people leave from it for the platform, and come back to its callback. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export class ThirdPartySite {
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      const { pathname, search, searchParams } = new URL(request.url ?? '/', 'http://invalid');
      if (pathname === '/moved') {
        response.writeHead(302, { location: `http://localhost:${this.#port}/callback${search}` }).end();
        return;
      }
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(pageOf(pathname, searchParams.get('to') ?? '', searchParams.get('oauth_token') ?? ''));
    });
  }

  static async open(): Promise<ThirdPartySite> {
    const site = new ThirdPartySite();
    await new Promise<void>((resolve) => site.#server.listen(0, '127.0.0.1', resolve));
    return site;
  }

  get #port(): number {
    const address = this.#server.address();
    return isPort(address) ? address.port : 0;
  }

  /** Callback URL: an address on another port. */
  get callback(): string {
    return `http://127.0.0.1:${this.#port}/callback`;
  }

  /** A callback that has a query of its own. */
  get callbackWithQuery(): string {
    return `${this.callback}?from=a%20friend&x=1`;
  }

  /** A callback that sends people on to another host. */
  get callbackThatMoves(): string {
    return `http://127.0.0.1:${this.#port}/moved`;
  }

  /** A page of another site that leads somewhere by a link. */
  linkTo(address: string): string {
    return this.#elsewhere('/link', { to: address });
  }

  /** A page of another site that shows an address in a frame. */
  frameOf(address: string): string {
    return this.#elsewhere('/frame', { to: address });
  }

  /** A page of another site with a form that approves a request, for people who are tricked into pressing its button. */
  trapFor(address: string, oauth_token: string): string {
    return this.#elsewhere('/trap', { to: address, oauth_token });
  }

  // The same machine by another name: to a browser, another site.
  #elsewhere(path: string, query: Record<string, string>): string {
    return `http://localhost:${this.#port}${path}?${new URLSearchParams(query)}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

function isPort(address: string | AddressInfo | null): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}

function pageOf(path: string, to: string, oauth_token: string): string {
  const address = escaped(to);
  switch (path) {
    case '/link':
      return `<title>A site</title><a href="${address}">Sign in</a>`;
    case '/frame':
      return `<title>A site</title><iframe src="${address}"></iframe>`;
    case '/trap':
      return `<title>A site</title><form method="post" action="${address}">
<input type="hidden" name="oauth_token" value="${escaped(oauth_token)}"><input type="hidden" name="decision" value="approve">
<input type="hidden" name="csrf" value="x"><button>Win a prize</button></form>`;
    default:
      return '<title>A site</title><h1>You are back</h1>';
  }
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

/**
 * An HTTP proxy for CONNECT that ends TLS itself. It answers for the hosts of a table and rejects all others: nothing that a client
 * sends is ever passed on to the Internet.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { CliError, messageOf, systemCode } from '../errors.ts';
import { printable } from '../text.ts';
import { type CertifiedKey, certify, HOSTS_DAYS } from './certificates.ts';
import { Forwarder, fail } from './forward.ts';
import { type HostTable, namedHost, namesOf, parseTarget } from './hosts.ts';
import type { Upstream, Upstreams } from './upstreams.ts';

const HTTPS_PORT = 443;
/** Beyond what clients keep idle connections for, so that it is they who close them. */
const IDLE_MS = 120_000;
const HANDSHAKE_MS = 30_000;
/** The server has limits of its own; a long query is for it to judge. */
const MAX_HEADER_BYTES = 128 * 1024;
/** A certificate is renewed long before it expires. */
const RENEWAL_MS = (HOSTS_DAYS / 2) * 24 * 60 * 60 * 1000;

const DISTRUST =
  'does not trust the certificate of the proxy; start it with the variables that `broadside proxy env` prints';

/** Options of a proxy. */
export interface ProxyOptions {
  readonly hosts: HostTable;
  readonly upstreams: Upstreams;
  /** Looks for the server again, when it does not answer where it was. */
  readonly findAgain?: () => Upstreams;
  readonly authority: CertifiedKey;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Gets a line for each event that its operator should know of. */
  readonly log: (line: string) => void;
  /** Gets a line for each request. */
  readonly onRequest?: (line: string) => void;
}

/** A listening proxy. */
export class InterceptingProxy {
  readonly #options: ProxyOptions;
  readonly #outer: Server = createServer({ maxHeaderSize: MAX_HEADER_BYTES });
  readonly #inner: TlsServer;
  readonly #forwarder = new Forwarder();
  readonly #sockets = new Set<Socket>();
  /** Connections on which a request or an error has come. */
  readonly #known = new WeakSet<Duplex>();
  #upstreams: Upstreams;
  #certifiedAt: number;
  #closing = false;

  private constructor(options: ProxyOptions, own: CertifiedKey) {
    this.#options = options;
    this.#upstreams = options.upstreams;
    this.#certifiedAt = options.now();
    this.#inner = createTlsServer({
      key: own.key,
      cert: own.certificate,
      // One protocol, so that a client that could speak HTTP/2 does not.
      ALPNProtocols: ['http/1.1'],
      handshakeTimeout: HANDSHAKE_MS,
      keepAliveTimeout: IDLE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
    });
    this.#outer.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
      // Clients disconnect as they like.
      socket.on('error', () => {});
      // The connection of a client that gave up during the handshake would stay until the time for it is over.
      socket.allowHalfOpen = false;
    });
    this.#outer.on('connect', (request, socket, head) => void this.#connect(request, socket, head));
    this.#outer.on('request', (request, response) => this.#rejectPlain(request, response));
    this.#outer.on('clientError', (error, socket) => closeBroken(error, socket));
    this.#inner.on('clientError', (error, socket) => {
      // Of handshakes too. With TLS 1.3 a client that distrusts the certificate says so after the server's handshake.
      this.#tellOfTls(error, socket);
      closeBroken(error, socket);
    });
    this.#inner.on('secureConnection', (socket) => socket.once('close', () => this.#tellOfSilence(socket)));
    this.#inner.on('request', (request, response) => this.#serve(request, response));
  }

  /**
   * Starts one.
   * @param port 0 takes any free one
   * @throws CliError when the port cannot be had, or an address of the server is a host of the table
   */
  static async listen(options: ProxyOptions, host: string, port: number): Promise<InterceptingProxy> {
    for (const { href, hostname } of Object.values(options.upstreams)) {
      if (options.hosts.has(hostname))
        throw new CliError('usage', `The server's address ${href} is itself a host that the proxy answers for`);
    }
    const names = [...options.hosts.keys()];
    const proxy = new InterceptingProxy(options, await certify(options.authority, names, options.now()));
    await new Promise<void>((resolve, reject) => {
      proxy.#outer.once('error', (error) => reject(listenFailure(error, host, port)));
      proxy.#outer.listen({ host, port, exclusive: true }, resolve);
    });
    return proxy;
  }

  /** The port that it listens on. */
  get port(): number {
    const address: AddressInfo | string | null = this.#outer.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  /** Ends at once, with all connections. */
  close(): void {
    this.#closing = true;
    this.#outer.close();
    for (const socket of this.#sockets) socket.destroy();
    this.#forwarder.close();
  }

  async #connect(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const target = request.url ?? '';
    const reason = this.#objection(target);
    if (reason !== undefined) {
      this.#options.log(`rejected CONNECT ${printable(target)}: ${reason}`);
      return rejectConnect(socket, reason);
    }
    await this.#renew();
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    // A client may send its first bytes without waiting.
    if (head.length > 0) socket.unshift(head);
    this.#inner.emit('connection', socket);
  }

  #objection(target: string): string | undefined {
    const { hosts } = this.#options;
    const parsed = parseTarget(target);
    if (!parsed) return 'expected host:port';
    if (!hosts.has(parsed.host))
      return `this proxy answers only for ${namesOf(hosts)}, and passes nothing on to the Internet`;
    if (parsed.port !== HTTPS_PORT) return `${parsed.host} is served on port ${HTTPS_PORT} only`;
    return undefined;
  }

  /** A new certificate for connections to come, when the present one is old. */
  async #renew(): Promise<void> {
    const { authority, hosts, now } = this.#options;
    if (now() - this.#certifiedAt < RENEWAL_MS) return;
    this.#certifiedAt = now();
    const { certificate, key } = await certify(authority, [...hosts.keys()], now());
    this.#inner.setSecureContext({ cert: certificate, key });
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    this.#known.add(request.socket);
    const { hosts, log, onRequest } = this.#options;
    const host = namedHost(request.headers.host);
    const upstream = host === undefined ? undefined : hosts.get(host);
    if (onRequest) {
      const [path = ''] = (request.url ?? '').split('?');
      // Not the query, which may hold a token.
      const line = `${request.method} ${printable(`${host ?? '-'}${path}`)}`;
      response.once('close', () => onRequest(`${line} ${response.headersSent ? response.statusCode : 'disconnected'}`));
    }
    if (host === undefined || upstream === undefined) {
      const sentence = `this proxy answers only for ${namesOf(hosts)}`;
      log(`rejected a request for ${printable(request.headers.host ?? 'no host')}: ${sentence}`);
      fail(response, 421, 'MISDIRECTED_REQUEST', sentence);
      return;
    }
    const destination = { host, url: this.#upstreams[upstream], elsewhere: () => this.#elsewhere(upstream) };
    this.#forwarder.forward(request, response, destination, (sentence) => log(`502: ${sentence}`));
  }

  /** The address of a listener, when the server has another one by now. */
  #elsewhere(upstream: Upstream): URL | undefined {
    const { findAgain, hosts } = this.#options;
    const before = this.#upstreams[upstream];
    const found = findAgain?.();
    if (!found || found[upstream].href === before.href || hosts.has(found[upstream].hostname)) return undefined;
    this.#upstreams = found;
    return found[upstream];
  }

  /** Plain HTTP: the form that proxies get for http addresses, or a request for the proxy itself. */
  #rejectPlain(request: IncomingMessage, response: ServerResponse): void {
    const target = request.url ?? '';
    if (target.startsWith('/')) {
      const sentence =
        'this is a proxy, not a server: set HTTPS_PROXY to its address, as `broadside proxy env` prints it';
      fail(response, 400, 'BAD_REQUEST', sentence);
      return;
    }
    const sentence = `${namesOf(this.#options.hosts)} are served over https only, and no others at all`;
    this.#options.log(`rejected ${request.method} ${printable(target.split('?')[0] ?? '')}: ${sentence}`);
    fail(response, 403, 'FORBIDDEN', sentence);
  }

  #tellOfTls(error: Error, socket: Duplex): void {
    const code = systemCode(error) ?? '';
    const isDistrust = /ALERT_(UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_UNKNOWN)$/.test(code);
    if (isDistrust) this.#options.log(`a client ${DISTRUST}`);
    else if (/^ERR_(SSL|TLS)_/.test(code)) this.#options.log(`a TLS handshake failed: ${messageOf(error)}`);
    else if (code === 'ECONNRESET') this.#tellOfSilence(socket);
    this.#known.add(socket);
  }

  /** Some clients close the connection without a reason when they do not trust the certificate. */
  #tellOfSilence(socket: Duplex): void {
    if (this.#known.has(socket) || this.#closing) return;
    this.#known.add(socket);
    this.#options.log(`a client ended a connection without a request; most likely it ${DISTRUST}`);
  }
}

/** The reason stands in the status line too: most clients show nothing else of a tunnel that failed. */
function rejectConnect(socket: Duplex, reason: string): void {
  const body = `broadside proxy: ${reason}\n`;
  socket.end(
    `HTTP/1.1 403 ${reason}\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

/** Ends a connection on which no HTTP came. */
function closeBroken(error: Error, socket: Duplex): void {
  const isParse = systemCode(error)?.startsWith('HPE_');
  if (isParse && socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n');
  else socket.destroy();
}

function listenFailure(error: Error, host: string, port: number): Error {
  const code = systemCode(error);
  if (code === 'EADDRINUSE')
    return new CliError('usage', `Port ${port} of ${host} is in use by another program; choose another with --port`);
  if (code === 'EACCES') return new CliError('usage', `Port ${port} of ${host} is not open to this user`);
  return new CliError('usage', `The proxy cannot listen on ${host}, port ${port}: ${messageOf(error)}`);
}

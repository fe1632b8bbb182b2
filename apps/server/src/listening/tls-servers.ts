/** The listeners of a thread that speak TLS. */
import type { RequestListener, Server, ServerOptions } from 'node:http';
import { createServer } from 'node:https';
import type { SecureContextOptions, Server as TlsServer } from 'node:tls';
import type { KeyPairText } from './key-pair.ts';

/** What all threads serve with. */
export interface TlsSecrets extends KeyPairText {
  /** 48 random bytes, shared so that a connection to another thread can resume a session. */
  readonly ticketKeys: Uint8Array;
}

/** Makes the servers, and hands them each certificate that comes after the first. */
export class TlsServers {
  readonly #servers: TlsServer[] = [];
  #secrets: TlsSecrets;

  constructor(secrets: TlsSecrets) {
    this.#secrets = secrets;
  }

  get secrets(): TlsSecrets {
    return this.#secrets;
  }

  /**
   * Creates a server that does not listen yet.
   * @param handshake_ms the time that a client has for the handshake
   */
  create(options: ServerOptions, handshake_ms: number, handler: RequestListener): Server {
    const context = contextOf(this.#secrets);
    const server = createServer(
      { ...options, ...context, handshakeTimeout: handshake_ms, ALPNProtocols: ['http/1.1'] },
      handler,
    );
    // Node would take a handshake that fails for a malformed request, which cannot be answered: nothing is encrypted yet.
    server.removeAllListeners('tlsClientError');
    server.on('tlsClientError', (_error, socket) => socket.destroy());
    this.#servers.push(server);
    server.on('close', () => this.#servers.splice(this.#servers.indexOf(server), 1));
    return server;
  }

  /** Serves new connections with another certificate. Those that are open go on with theirs. */
  renew(secrets: TlsSecrets): void {
    this.#secrets = secrets;
    const context = contextOf(secrets);
    for (const server of this.#servers) server.setSecureContext(context);
  }
}

function contextOf({ cert, key, ticketKeys }: TlsSecrets): SecureContextOptions & { ticketKeys: Buffer } {
  return { cert, key, minVersion: 'TLSv1.2', ticketKeys: Buffer.from(ticketKeys) };
}

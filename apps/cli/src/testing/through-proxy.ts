/** A client of the proxy, by hand: it shows what happens on each connection. */
import { type IncomingHttpHeaders, request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import type { Duplex } from 'node:stream';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';

/** An answer of the proxy. */
export interface Answer {
  readonly status: number;
  readonly message: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Asks a proxy for a tunnel. */
export function tunnel(
  port: number,
  target: string,
): Promise<{ readonly status: number; readonly message: string; readonly socket: Duplex; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const asked = overHttp({ host: '127.0.0.1', port, method: 'CONNECT', path: target, agent: false });
    asked.once('connect', ({ statusCode = 0, statusMessage = '' }, socket, head) =>
      resolve({ status: statusCode, message: statusMessage, socket, body: String(head) }),
    );
    asked.once('error', reject);
    asked.end();
  });
}

/** Opens TLS to a host through a proxy. @throws Error when client or proxy end the handshake */
export async function secure(port: number, host: string, options: ConnectionOptions): Promise<TLSSocket> {
  const { status, socket } = await tunnel(port, `${host}:443`);
  if (status !== 200) throw new Error(`no tunnel to ${host}: ${status}`);
  return new Promise((resolve, reject) => {
    const own = connect({ servername: host, ...options, socket }, () => resolve(own));
    own.once('error', (error) => {
      socket.destroy();
      reject(error);
    });
  });
}

/** A request. */
export interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: readonly string[] | Record<string, string>;
  /** In pieces as they are sent. */
  readonly body?: AsyncIterable<string>;
}

/** Sends a request on an open connection, which stays open. */
export function send(socket: TLSSocket, { method = 'GET', path, headers = {}, body }: Sent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = overHttps({ method, path, headers, createConnection: () => socket });
    asked.once('response', (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.once('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          message: answer.statusMessage ?? '',
          headers: answer.headers,
          body: Buffer.concat(parts).toString(),
        }),
      );
      answer.once('error', reject);
    });
    asked.once('error', reject);
    const write = async () => {
      for await (const part of body ?? []) asked.write(part);
      asked.end();
    };
    write().catch(reject);
  });
}

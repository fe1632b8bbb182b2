import type { Server } from 'node:net';
import { hostInUrl } from '../config/addresses.ts';

/** The URL at which clients on this machine reach a server that listens without TLS. @param host that it was told to listen on */
export function plainUrl(server: Server, host: string): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the server listens on a port');
  return `http://${hostInUrl(host)}:${address.port}`;
}

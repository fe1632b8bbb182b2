import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port of an address that nothing listens on. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  const probe = createServer().listen(0, host);
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (typeof address !== 'object' || address === null) throw new TypeError('a server on TCP has a port');
  return address.port;
}

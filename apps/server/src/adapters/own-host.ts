/**
 * Tells the hosts under which a listener without a configured base URL is reached from others. A signature covers the host that the
 * request names: if any would do, a request signed for the sandbox or for another server would be valid here.
 */
import { hostname } from 'node:os';
import type { Mode } from '../pipeline/mode.ts';

/** What a listener speaks. */
export type Scheme = 'http' | 'https';

/** The facts of a request and its connection. */
export interface ReachedRequest {
  readonly headers: { readonly host?: string | undefined };
  readonly socket: { readonly localAddress?: string | undefined; readonly localPort?: number | undefined };
}

/** A host as clients name one, with its port: a name (others than ASCII in Punycode) or an address. */
const HOST = /^([\w.-]+|\[[0-9a-f:.]+\])(?::(\d{0,5}))?$/i;

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

/**
 * Returns a function that tells whether a request names a host of the listener: the address and port that it was sent to. A loopback name
 * stands for a loopback address, in development mode for any address of the machine, as that of a container whose port is
 * published; there the name of the machine and that of the setting count too. A request without a connection was made in this process.
 * @param setting the address to listen on, as configured
 * @param scheme what the listener speaks
 */
export function ownHosts(
  mode: Mode,
  setting: string | undefined,
  scheme: Scheme = 'http',
): (request: ReachedRequest) => boolean {
  const usual = scheme === 'https' ? 443 : 80;
  const names = mode === 'development' ? [hostname().toLowerCase(), setting?.toLowerCase()] : [];
  const verify = (host: string, address: string, port: number): boolean => {
    const [, name = '', digits = ''] = HOST.exec(host) ?? [];
    if (name === '' || (digits === '' ? usual : Number(digits)) !== port) return false;
    if (LOOPBACK.test(name)) return mode === 'development' || LOOPBACK.test(inUrl(address));
    return name.toLowerCase() === inUrl(address) || names.includes(name.toLowerCase());
  };
  // Nearly all requests name the host of the one before.
  let last = { host: '', address: '', port: 0, isOwn: false };
  return ({ headers: { host = '' }, socket: { localAddress: address, localPort: port } }) => {
    if (address === undefined || port === undefined) return true;
    if (host !== last.host || address !== last.address || port !== last.port) {
      last = { host, address, port, isOwn: verify(host, address, port) };
    }
    return last.isOwn;
  };
}

/** Returns an address as a host of a URL. */
function inUrl(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').toLowerCase();
  return plain.includes(':') ? `[${plain}]` : plain;
}

/** Returns the base URL that a request names, which can be parsed whatever host the request names. */
export function namedBaseUrl(
  { headers: { host = '' } }: Pick<ReachedRequest, 'headers'>,
  scheme: Scheme = 'http',
): string {
  if (latest.host !== host || latest.scheme !== scheme) {
    const named = `${scheme}://${host}`;
    // Nobody can have signed a request to an impossible address; its signature is then wrong, not an error of ours.
    const url = HOST.test(host) && URL.canParse(named) ? named : `${scheme}://invalid`;
    latest = { host, scheme, url };
  }
  return latest.url;
}

/** The base URL of the latest request: what is remembered by it is found without reading the text again. */
let latest = { host: '', scheme: 'http', url: 'http://invalid' };

/** Mistakes in method and address: the first two parts of the base string. */
import { percentDecode, percentEncode } from '../auth/percent.ts';
import { type Address, type Evidence, originOf, readAddress, type Variant } from './evidence.ts';
import type { SigningMistake } from './signing-mistake.ts';

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'];
/** Names by which a machine calls itself. */
const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]', '0.0.0.0'];
const OWN_PORTS: Readonly<Record<string, string>> = { http: '80', https: '443' };

/** Mistakes in method and address, the likelier ones first. */
export const ADDRESS_MISTAKES: readonly SigningMistake[] = [
  {
    id: 'wrong_method',
    *variants({ standard }) {
      for (const method of METHODS) {
        if (method !== standard.method) yield { change: { method }, detail: `${method} was signed.` };
      }
    },
  },
  {
    id: 'method_not_upper_case',
    *variants({ standard: { method } }) {
      yield { change: { method: method.toLowerCase() } };
      yield { change: { method: method.slice(0, 1) + method.slice(1).toLowerCase() }, rare: true };
    },
  },
  {
    id: 'other_listener',
    *variants({ otherAddresses, address, request }) {
      for (const other of otherAddresses) {
        const origin = originOf(other);
        yield {
          change: { origin, ...(other.prefix === address.prefix ? {} : { path: other.prefix + request.path }) },
          detail: `${origin}${other.prefix} was signed.`,
        };
      }
    },
  },
  {
    id: 'default_port_kept',
    *variants({ address }) {
      if (address.port === '') yield signedOrigin({ ...address, port: OWN_PORTS[address.scheme] ?? '' });
    },
  },
  {
    id: 'port_left_out',
    *variants({ address }) {
      if (address.port !== '') yield signedOrigin({ ...address, port: '' });
    },
  },
  {
    id: 'wrong_scheme',
    *variants({ address, headers }) {
      const scheme = otherScheme(address.scheme);
      const forwarded = headers['x-forwarded-proto']?.trim().toLowerCase() === scheme;
      const note = forwarded ? { detail: `${scheme} was signed, and X-Forwarded-Proto says so too.` } : {};
      yield { ...signedOrigin({ ...address, scheme }), ...note };
      if (address.port !== '') yield { ...signedOrigin({ ...address, scheme, port: '' }), ...note };
      else yield { ...signedOrigin({ ...address, scheme, port: OWN_PORTS[address.scheme] ?? '' }), rare: true };
    },
  },
  {
    id: 'wrong_host',
    *variants(evidence) {
      const { address } = evidence;
      for (const { host, port } of calledHosts(evidence)) {
        if (host === address.host) continue;
        for (const scheme of [address.scheme, otherScheme(address.scheme)]) {
          for (const each of new Set([port, address.port, ''])) {
            yield signedOrigin({ ...address, scheme, host, port: each === OWN_PORTS[scheme] ? '' : each });
          }
        }
      }
    },
  },
  {
    id: 'wrong_port',
    *variants(evidence) {
      const { address, headers } = evidence;
      const ports = new Set(calledHosts(evidence).map(({ port }) => port));
      const forwarded = headers['x-forwarded-port'] ?? '';
      if (/^[0-9]{1,5}$/.test(forwarded)) ports.add(forwarded);
      for (const port of ports) {
        if (port === '' || port === address.port || port === OWN_PORTS[address.scheme]) continue;
        yield signedOrigin({ ...address, port });
        yield signedOrigin({ ...address, scheme: otherScheme(address.scheme), port });
      }
    },
  },
  {
    id: 'address_not_lower_case',
    *variants({ address, headers }) {
      const typed = /^([^:]+)(?::[0-9]*)?$/.exec(headers.host ?? '')?.[1];
      const hosts = [address.host.toUpperCase(), address.host.replace(/\b[a-z]/, (letter) => letter.toUpperCase())];
      if (typed !== undefined && typed.toLowerCase() === address.host) hosts.unshift(typed);
      for (const host of hosts) yield signedOrigin({ ...address, host });
      const scheme = address.scheme.toUpperCase();
      yield signedOrigin({ ...address, scheme });
      for (const host of hosts) yield { ...signedOrigin({ ...address, scheme, host }), rare: true };
    },
  },
  {
    id: 'query_in_address',
    *variants({ standard, rawQuery }) {
      if (rawQuery === '') return;
      const path = `${standard.path}?${rawQuery}`;
      yield { change: { path } };
      yield { change: { path, pairs: standard.pairs.filter(({ place }) => place !== 'query') } };
    },
  },
  {
    id: 'trailing_slash',
    *variants({ standard: { path } }) {
      yield { change: { path: path.endsWith('/') ? path.slice(0, -1) : `${path}/` } };
    },
  },
  {
    id: 'path_prefix',
    *variants({ address: { prefix }, headers, request: { path } }) {
      const forwarded = (headers['x-forwarded-prefix'] ?? '').replace(/\/+$/, '');
      if (prefix !== '') {
        yield { change: { path }, detail: `${prefix} is missing.` };
        yield { change: { path: prefix + prefix + path }, detail: `${prefix} stands there twice.` };
      }
      if (forwarded.startsWith('/') && forwarded !== prefix) {
        yield { change: { path: forwarded + path }, detail: 'The prefix of X-Forwarded-Prefix was signed.' };
      }
    },
  },
  {
    id: 'path_spelled_anew',
    *variants({ standard: { path } }) {
      const decoded = percentDecode(path);
      const segments = path.split('/');
      if (decoded !== undefined) {
        yield { change: { path: decoded } };
        const anew = segments.map((segment) => percentEncode(percentDecode(segment) ?? segment)).join('/');
        yield { change: { path: anew } };
        yield { change: { path: encodeURI(decoded) } };
        yield { change: { path: path.replaceAll('+', ' ') }, rare: true };
      }
      yield { change: { path: segments.map(percentEncode).join('/') } };
      yield { change: { path: path.replace(/%[0-9a-f]{2}/gi, (hex) => hex.toUpperCase()) } };
      yield { change: { path: path.replace(/%[0-9a-f]{2}/gi, (hex) => hex.toLowerCase()) } };
      yield { change: { path: path.replace(/\/{2,}/g, '/') } };
      yield { change: { path: withoutDots(segments) } };
      yield { change: { path: `/${path}` }, rare: true };
      yield { change: { path: path.toLowerCase() }, rare: true };
    },
  },
  {
    id: 'origin_left_out',
    *variants() {
      yield { change: { origin: '' } };
    },
  },
];

function otherScheme(scheme: string): string {
  return scheme === 'http' ? 'https' : 'http';
}

function signedOrigin(address: Address): Variant {
  const origin = originOf(address);
  return { change: { origin }, detail: `${origin} was signed.` };
}

/** Returns hosts and ports that the client may have called, from the request's headers and the machine's other names. */
function calledHosts({ address, headers }: Evidence): readonly { host: string; port: string }[] {
  const called: { host: string; port: string }[] = [];
  for (const text of [headers['x-forwarded-host'], headers.host]) {
    // A chain of proxies lists the client's host first.
    const first = text?.split(',', 1)[0]?.trim() ?? '';
    const read = first.length > 255 || first.includes('/') ? undefined : readAddress(`http://${first}`);
    if (read) called.push({ host: read.host, port: read.port });
  }
  if (LOCAL_HOSTS.includes(address.host)) {
    for (const host of LOCAL_HOSTS) called.push({ host, port: address.port });
  }
  return called;
}

/** Resolves dot segments, as URL parsers do (RFC 3986 section 5.2.4). */
function withoutDots(segments: readonly string[]): string {
  const resolved: string[] = [];
  for (const [index, segment] of segments.entries()) {
    const last = index === segments.length - 1;
    if (segment === '..' && resolved.length > 1) resolved.pop();
    if (segment !== '.' && segment !== '..') resolved.push(segment);
    else if (last) resolved.push('');
  }
  return resolved.join('/');
}

/** The hosts that a proxy answers for. */
import type { Upstream } from './upstreams.ts';

/** Which listener of the server stands for a host, by its name in lower case. */
export type HostTable = ReadonlyMap<string, Upstream>;

/** A target of CONNECT. */
export interface ConnectTarget {
  readonly host: string;
  readonly port: number;
}

/** Reads `host:port`; `undefined` when it is neither a name nor an address with a port. */
export function parseTarget(text: string): ConnectTarget | undefined {
  const [, host = '', digits = ''] = /^([^\s:@/[\]]+|\[[0-9a-f:.]+\]):(\d{1,5})$/i.exec(text) ?? [];
  return host === '' || Number(digits) > 65535 ? undefined : { host: normalHost(host), port: Number(digits) };
}

/** A `Host` header without the port of https; `undefined` when it has another port or is missing. */
export function namedHost(header: string | undefined): string | undefined {
  const [, host, digits = '443'] = /^([^\s:@/]+)(?::(\d{1,5}))?$/.exec(header ?? '') ?? [];
  return host === undefined || digits !== '443' ? undefined : normalHost(host);
}

/** Host names have no case, and may end with the dot of the root. */
function normalHost(host: string): string {
  return host.toLowerCase().replace(/\.$/, '');
}

/** Names in a sentence: all, or the first of many. */
export function namesOf(hosts: HostTable): string {
  const names = [...hosts.keys()];
  return names.length <= 12 ? names.join(', ') : `${names.slice(0, 12).join(', ')} and ${names.length - 12} more`;
}

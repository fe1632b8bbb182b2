/** Limits the open connections of a process, in all and by address. */
import type { Server } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';
import { networkOf } from '../../auth/network-address.ts';
import { respondBusy } from '../rest/malformed.ts';
import type { HttpLimits } from './http-limits.ts';

/** Counts the connections of listeners. */
export class Connections {
  readonly #limits: Pick<HttpLimits, 'connections' | 'connections_per_address'>;
  readonly #proxies: BlockList;
  readonly #byAddress = new Map<string, number>();
  #open = 0;

  /** @param trustedProxies addresses or networks whose connections are those of many clients */
  constructor(limits: Pick<HttpLimits, 'connections' | 'connections_per_address'>, trustedProxies: readonly string[]) {
    this.#limits = limits;
    this.#proxies = blockListOf(trustedProxies);
  }

  /** Counts the connections of a listener, and answers those above the limits with 503. */
  limit(server: Server): void {
    server.on('connection', (socket: Socket) => {
      const address = networkOf(socket.remoteAddress ?? '');
      const own = (this.#byAddress.get(address) ?? 0) + 1;
      this.#open += 1;
      this.#byAddress.set(address, own);
      socket.once('close', () => this.#closed(address));
      const isShared = this.#isProxy(socket.remoteAddress);
      if (this.#open > this.#limits.connections || (!isShared && own > this.#limits.connections_per_address)) {
        respondBusy(socket);
      }
    });
  }

  #closed(address: string): void {
    this.#open -= 1;
    const own = (this.#byAddress.get(address) ?? 1) - 1;
    if (own > 0) this.#byAddress.set(address, own);
    else this.#byAddress.delete(address);
  }

  #isProxy(address: string | undefined): boolean {
    if (address === undefined) return false;
    return this.#proxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
}

function blockListOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

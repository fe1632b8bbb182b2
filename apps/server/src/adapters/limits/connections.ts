/** Limits the open connections of a process, in all and by address. */
import type { Server } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';
import type { Server as TlsServer } from 'node:tls';
import { networkOf } from '../../auth/network-address.ts';
import type { SocketAnswers, SocketForm } from '../rest/malformed.ts';
import { type ConnectionCounts, LocalConnectionCounts } from './connection-counts.ts';
import type { HttpLimits } from './http-limits.ts';

/** Connections above the limits of a listener whose handshake is awaited. */
const MOST_REFUSED = 100;

/** What the connection of a client and the one within, which is encrypted, have in common. */
function remoteOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/** Counts the connections of listeners. */
export class Connections {
  readonly #limits: Pick<HttpLimits, 'connections' | 'connections_per_address'>;
  readonly #proxies: BlockList;
  readonly #counts: ConnectionCounts;
  readonly #answers: Pick<SocketAnswers, 'busy'>;

  /**
   * @param trustedProxies addresses or networks whose connections are those of many clients
   * @param counts those of all threads, where there are several
   */
  constructor(
    limits: Pick<HttpLimits, 'connections' | 'connections_per_address'>,
    trustedProxies: readonly string[],
    answers: Pick<SocketAnswers, 'busy'>,
    counts: ConnectionCounts = new LocalConnectionCounts(),
  ) {
    this.#limits = limits;
    this.#answers = answers;
    this.#counts = counts;
    this.#proxies = blockListOf(trustedProxies);
  }

  /** Counts the connections of a listener, and answers those above the limits with 503. */
  limit(server: Server, form: SocketForm): void {
    const refuse = speaksTls(server) ? this.#afterHandshake(server, form) : this.#atOnce(form);
    server.on('connection', (socket: Socket) => {
      const address = networkOf(socket.remoteAddress ?? '');
      const { open, own } = this.#counts.add(address);
      socket.once('close', () => this.#counts.remove(address));
      const isShared = this.#isProxy(socket.remoteAddress);
      if (open > this.#limits.connections || (!isShared && own > this.#limits.connections_per_address)) {
        refuse(socket);
      }
    });
  }

  #atOnce(form: SocketForm): (socket: Socket) => void {
    return (socket) => this.#answers.busy(form, socket);
  }

  /** With TLS nothing can be said before the handshake, which some connections above the limit are allowed for that. */
  #afterHandshake(server: TlsServer, form: SocketForm): (socket: Socket) => void {
    const refused = new Set<string>();
    server.on('secureConnection', (socket: Socket) => {
      if (refused.has(remoteOf(socket))) this.#answers.busy(form, socket);
    });
    return (socket) => {
      if (refused.size >= MOST_REFUSED) {
        socket.destroy();
        return;
      }
      const remote = remoteOf(socket);
      refused.add(remote);
      socket.once('close', () => refused.delete(remote));
    };
  }

  #isProxy(address: string | undefined): boolean {
    if (address === undefined) return false;
    return this.#proxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
}

/** Returns whether a server speaks TLS. Its class would be loaded at each start to be compared with. */
function speaksTls(server: Server): server is Server & TlsServer {
  return 'setSecureContext' in server;
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

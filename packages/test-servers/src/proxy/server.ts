/** A TCP proxy for tests: counts round trips, delays what passes, and stands in for a network that fails. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A running proxy. */
export interface ProxyServer {
  readonly port: number;
  /** Something was sent to the server after it had answered what was sent before, on the same connection. */
  readonly roundTrips: number;
  /** Connections so far. */
  readonly connections: number;
  /** Delays what is sent to the server from now on, and its answers: by so many whole milliseconds, unless told by as many. */
  delay(ms: number, answersMs?: number): void;
  /** Ends all connections at once. */
  cut(): void;
  close(): Promise<void>;
}

/** Starts a proxy on a free port of the loopback interface. */
export async function startProxy(target: number): Promise<ProxyServer> {
  let roundTrips = 0;
  let connections = 0;
  let delayMs = { sent: 0, answered: 0 };
  const sockets = new Set<Socket>();
  const pass = (from: Socket, to: Socket, way: keyof typeof delayMs, seen: () => void): void => {
    from.on('data', (bytes) => {
      seen();
      const send = (): void => {
        if (to.writable) to.write(bytes);
      };
      // Equal timers end in their order.
      if (delayMs[way] === 0) send();
      else setTimeout(send, delayMs[way]);
    });
    from.on('error', () => {});
    from.once('close', () => {
      sockets.delete(from);
      to.destroy();
    });
    sockets.add(from);
  };
  const server = createServer({ noDelay: true }, (client) => {
    connections += 1;
    const upstream = connect({ port: target, host: '127.0.0.1', noDelay: true });
    let isAnswered = true;
    pass(client, upstream, 'sent', () => {
      if (isAnswered) roundTrips += 1;
      isAnswered = false;
    });
    pass(upstream, client, 'answered', () => {
      isAnswered = true;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  // A test that was left half-way keeps no process alive.
  server.unref();
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: address.port,
    get roundTrips() {
      return roundTrips;
    },
    get connections() {
      return connections;
    },
    delay: (ms, answersMs = ms) => {
      delayMs = { sent: ms, answered: answersMs };
    },
    cut,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      cut();
      await closed;
    },
  };
}

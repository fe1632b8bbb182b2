/**
 * Sockets that listen already when a process starts: those of a service manager (systemd's protocol, sd_listen_fds(3)), or those of the
 * server before this one, which are passed on in the same way.
 */
import { ConfigError, type Environment } from '../config/addresses.ts';
import type { AppName } from '../listener-name.ts';

/** The descriptors by listener. Most have one. */
export type ListeningSockets = Readonly<Record<AppName, readonly number[]>>;

export interface InheritedSockets {
  readonly sockets: ListeningSockets;
  /**
   * Further descriptors of the sockets beyond the first of each listener, in their order. On these another thread accepts connections until
   * the one that a socket is for listens.
   */
  readonly copies: ListeningSockets;
  /** Who holds them: a service manager for as long as it likes, or a server that is about to end. */
  readonly from: 'manager' | 'predecessor';
}

/** The first descriptor that is passed on, by the protocol. */
const FIRST = 3;

/** Has the number of the process that passes its sockets on, which cannot know that of its child. Not a setting: servers set it. */
const PARENT = 'LISTEN_PPID';

/** Has the number of sockets at the end of the list that are copies. */
const COPIES = 'LISTEN_COPIES';

const names: readonly AppName[] = ['api', 'ads', 'sandbox', 'control'];

/** Reads the variables of the protocol. Those for another process count as absent. @throws ConfigError */
export function readInherited(
  env: Environment,
  { pid, ppid }: { readonly pid: number; readonly ppid: number } = process,
): InheritedSockets | undefined {
  const from = env[PARENT] === `${ppid}` ? 'predecessor' : env['LISTEN_PID'] === `${pid}` ? 'manager' : undefined;
  const count = Number(env['LISTEN_FDS'] ?? 0);
  if (from === undefined || !Number.isSafeInteger(count) || count < 1) return undefined;
  const given = (env['LISTEN_FDNAMES'] ?? '').split(':');
  const none = (): Record<AppName, number[]> => ({ api: [], ads: [], sandbox: [], control: [] });
  const [sockets, copies] = [none(), none()];
  const firstCopy = count - (from === 'predecessor' ? Number(env[COPIES] ?? 0) : 0);
  for (let i = 0; i < count; i++) {
    const name = names.find((known) => known === given[i]);
    if (name === undefined) {
      throw new ConfigError(
        `Socket ${i + 1} of ${count} that the service manager passes is named "${given[i] ?? ''}"; FileDescriptorName= must be one of ${names.join(', ')}.`,
      );
    }
    (i < firstCopy ? sockets : copies)[name].push(FIRST + i);
  }
  return { sockets, copies, from };
}

/** Returns the environment of a process that gets sockets of this one, and the sockets in their order. */
export function environmentOfHeir(
  env: Environment,
  sockets: ListeningSockets,
  pid: number = process.pid,
): { readonly env: Environment; readonly descriptors: readonly number[] } {
  const all = (list: (name: AppName) => readonly number[]) =>
    names.flatMap((name) => list(name).map((descriptor) => ({ name, descriptor })));
  // A version that knows no copies listens on them beside the others.
  const copies = all((name) => sockets[name].slice(1));
  const passed = [...all((name) => sockets[name]), ...copies];
  return {
    env: {
      ...env,
      LISTEN_PID: undefined,
      [PARENT]: `${pid}`,
      LISTEN_FDS: `${passed.length}`,
      [COPIES]: `${copies.length}`,
      LISTEN_FDNAMES: passed.map(({ name }) => name).join(':'),
    },
    descriptors: passed.map(({ descriptor }) => descriptor),
  };
}

/** Returns the descriptor of a server that listens; nothing where the platform has none. */
export function descriptorOf(server: object): number | undefined {
  if (!('_handle' in server)) return undefined;
  const { _handle: handle } = server;
  if (typeof handle !== 'object' || handle === null || !('fd' in handle)) return undefined;
  return typeof handle.fd === 'number' && handle.fd >= 0 ? handle.fd : undefined;
}

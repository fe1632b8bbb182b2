/** The settings of the part that a server takes on a platform with several. */
import { ConfigError, flag, port } from './addresses.ts';

/** `all` does whatever no other server does; `server` leaves the work on audiences to a worker; `worker` does it. */
const roles = ['all', 'server', 'worker'] as const;
export type Role = (typeof roles)[number];

/** Where a worker listens for the other servers of its platform. */
export interface InternalAddress {
  readonly host: string;
  readonly port: number;
  /** How they reach it, where that differs. */
  readonly url: string | undefined;
}

/** What a server does for its platform. */
export interface RoleSettings {
  readonly role: Role;
  /** Whether it keeps members of audiences beside another worker that does. */
  readonly keepsMembers: boolean;
  /** For workers. */
  readonly internal: InternalAddress;
}

export const roleSettings = {
  BROADSIDE_ROLE:
    'The part of this server on a platform with several: worker keeps members of audiences, answers estimates and runs their jobs for the others; server never does; all (default) does it where no worker does.',
  BROADSIDE_KEEP_MEMBERS:
    '1 has a further worker keep members too, of its share of the audiences that are created from then on; its data directory is where they are from then on.',
  BROADSIDE_INTERNAL_ADDRESS:
    'Address and port at which a worker listens for the other servers of its platform (default 127.0.0.1:8005). For private networks.',
  BROADSIDE_INTERNAL_URL:
    'How the other servers reach that, where it is not the same, such as http://worker.internal:8005.',
} as const;

const DEFAULT_ADDRESS = '127.0.0.1:8005';
const WILDCARDS = ['0.0.0.0', '::'];

/**
 * Reads the settings.
 * @param isShared whether other processes can have the store of the platform
 * @throws ConfigError
 */
export function readRole(
  read: (name: keyof typeof roleSettings) => string | undefined,
  isShared: boolean,
): RoleSettings {
  const text = read('BROADSIDE_ROLE') ?? 'all';
  const role = roles.find((name) => name === text);
  if (role === undefined) throw new ConfigError(`BROADSIDE_ROLE is "${text}"; it must be one of ${roles.join(', ')}.`);
  if (role !== 'all' && !isShared) {
    throw new ConfigError(
      `BROADSIDE_ROLE=${role} is for platforms that several servers have: set BROADSIDE_DATABASE_URL to a libSQL server, or leave the role out.`,
    );
  }
  const keepsMembers = flag('BROADSIDE_KEEP_MEMBERS', read('BROADSIDE_KEEP_MEMBERS'), false);
  if (keepsMembers && role !== 'worker') {
    throw new ConfigError('BROADSIDE_KEEP_MEMBERS=1 is for workers: set BROADSIDE_ROLE=worker, or leave it out.');
  }
  const url = internalUrl(read('BROADSIDE_INTERNAL_URL'));
  const internal = { ...internalAddress(read('BROADSIDE_INTERNAL_ADDRESS') ?? DEFAULT_ADDRESS), url };
  if (role === 'worker' && url === undefined && WILDCARDS.includes(internal.host)) {
    throw new ConfigError(
      `BROADSIDE_INTERNAL_ADDRESS is at ${internal.host}, which no server can connect to: set BROADSIDE_INTERNAL_URL to how they reach this one.`,
    );
  }
  return { role, keepsMembers, internal };
}

function internalAddress(text: string): { readonly host: string; readonly port: number } {
  const [, ipv6, name, digits] = /^(?:\[([\da-f:.]+)\]|([^\s:/[\]]+)):(\d{1,5})$/i.exec(text) ?? [];
  const host = ipv6 ?? name;
  if (host === undefined || digits === undefined) {
    throw new ConfigError(
      `BROADSIDE_INTERNAL_ADDRESS is "${text}"; it must be an address and a port such as 10.0.0.7:8005, or [::1]:8005.`,
    );
  }
  return { host, port: port({ BROADSIDE_INTERNAL_ADDRESS: digits }, 'BROADSIDE_INTERNAL_ADDRESS', 0) };
}

function internalUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search || url.hash || url.username) {
    throw new ConfigError(`BROADSIDE_INTERNAL_URL is "${text}"; it must be a URL such as http://worker.internal:8005.`);
  }
  return url.origin;
}

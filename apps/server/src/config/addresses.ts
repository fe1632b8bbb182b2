/** The settings that say where a server is: its addresses and its data directory. Clients on the same machine read them too. */
import path from 'node:path';
import type { AppName } from '../listener-name.ts';

/** An invalid setting. The message names it and says what would be valid. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A value for each listener. */
interface ByListener<Value> {
  readonly api: Value;
  readonly ads: Value;
  readonly sandbox: Value;
}

/** TLS as listeners serve it themselves. */
export interface TlsSettings {
  /** File of the certificate and of the chain below the root, PEM. */
  readonly cert: string;
  /** File of its private key, PEM. */
  readonly key: string;
  /** The listeners that speak it; the others speak plain HTTP. */
  readonly listeners: readonly AppName[];
}

/** The place at which a server listens, and the addresses under which it is reached. */
export interface Addresses {
  readonly host: string;
  readonly ports: ByListener<number>;
  /** Public base URLs when they differ from host and port, as behind a reverse proxy. */
  readonly baseUrls: Partial<ByListener<string>>;
  /** The place of the listener that controls worlds. */
  readonly control: { readonly host: string; readonly port: number };
  /** Nothing where all listeners speak plain HTTP. */
  readonly tls: TlsSettings | undefined;
}

/** The settings of the addresses by listener. */
export const addressSettings = {
  ports: { api: 'BROADSIDE_API_PORT', ads: 'BROADSIDE_ADS_PORT', sandbox: 'BROADSIDE_SANDBOX_PORT' },
  baseUrls: { api: 'BROADSIDE_BASE_URL', ads: 'BROADSIDE_ADS_BASE_URL', sandbox: 'BROADSIDE_ADS_SANDBOX_BASE_URL' },
} as const satisfies Record<string, ByListener<string>>;

/** Reads the settings. An empty value counts as unset. @throws ConfigError */
export function readAddresses(env: Environment): Addresses {
  const { ports, baseUrls } = addressSettings;
  return {
    host: env['BROADSIDE_HOST'] || '127.0.0.1',
    ports: {
      api: port(env, ports.api, 8000),
      ads: port(env, ports.ads, 8001),
      sandbox: port(env, ports.sandbox, 8002),
    },
    control: {
      host: env['BROADSIDE_CONTROL_HOST'] || '127.0.0.1',
      // Beside a server on ports of its own, the usual one may be another's.
      port: port(env, 'BROADSIDE_CONTROL_PORT', env[ports.api] ? 0 : 8003),
    },
    baseUrls: {
      ...baseUrl('api', env, baseUrls.api),
      ...baseUrl('ads', env, baseUrls.ads),
      ...baseUrl('sandbox', env, baseUrls.sandbox),
    },
    tls: readTls(env),
  };
}

/** The data directory as it is set. */
export function readDataDirectory(env: Environment): string {
  return env['BROADSIDE_DATA_DIR'] || '.data';
}

/** Returns the addresses at which clients on this machine reach a server with these settings. A port that is 0 has none until it listens. */
export function urlsOf({ host, ports, baseUrls, tls }: Addresses): ByListener<string | undefined> {
  const urlOf = (listener: keyof ByListener<string>) =>
    baseUrls[listener] ??
    (ports[listener] === 0 ? undefined : `${schemeOf(tls, listener)}://${hostInUrl(host)}:${ports[listener]}`);
  return { api: urlOf('api'), ads: urlOf('ads'), sandbox: urlOf('sandbox') };
}

/** The scheme of the URLs of a listener. */
export function schemeOf(tls: Pick<TlsSettings, 'listeners'> | undefined, listener: AppName): 'http' | 'https' {
  return tls?.listeners.includes(listener) ? 'https' : 'http';
}

/** The host as clients on this machine name it: nobody can connect to a wildcard address. */
export function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

/** The absolute path of the data directory. */
export function dataDirectoryOf(env: Environment, cwd: string): string {
  return path.resolve(cwd, readDataDirectory(env));
}

/** Our choice: the listener of control speaks plain HTTP on the loopback interface unless it is named. */
const PUBLIC: readonly AppName[] = ['api', 'ads', 'sandbox'];

function readTls(env: Environment): TlsSettings | undefined {
  const cert = env['BROADSIDE_TLS_CERT'] || undefined;
  const key = env['BROADSIDE_TLS_KEY'] || undefined;
  const named = env['BROADSIDE_TLS_LISTENERS'] || undefined;
  if (cert === undefined && key === undefined && named === undefined) return undefined;
  if (cert === undefined || key === undefined) {
    const [given, missing] = cert === undefined ? ['KEY', 'CERT'] : ['CERT', 'KEY'];
    const setting = cert === undefined && key === undefined ? 'LISTENERS' : given;
    throw new ConfigError(`BROADSIDE_TLS_${setting} needs BROADSIDE_TLS_${missing} beside it, the path of a PEM file.`);
  }
  const known: readonly AppName[] = [...PUBLIC, 'control'];
  const listeners = named?.split(',').map((part) => {
    const listener = known.find((name) => name === part.trim());
    if (listener === undefined) {
      throw new ConfigError(`BROADSIDE_TLS_LISTENERS has "${part}"; it must be a listener of ${known.join(', ')}.`);
    }
    return listener;
  });
  return { cert, key, listeners: listeners ?? PUBLIC };
}

/** Reads the setting of a port. @throws ConfigError */
export function port(env: Environment, name: string, fallback: number): number {
  const text = env[name] || undefined;
  if (text === undefined) return fallback;
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= 65_535) return value;
  throw new ConfigError(`${name} is "${text}"; it must be a port from 1 to 65535, or 0 for any free one.`);
}

function baseUrl<Name extends string>(listener: Name, env: Environment, name: string): { [Key in Name]?: string } {
  const text = env[name] || undefined;
  const part: { [Key in Name]?: string } = {};
  if (text === undefined) return part;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) {
    throw new ConfigError(`${name} is "${text}"; it must be a URL such as https://ads.example.com.`);
  }
  part[listener] = `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  return part;
}

/** Reads a switch. @throws ConfigError */
export function flag(name: string, text: string | undefined, fallback: boolean): boolean {
  if (text === undefined) return fallback;
  if (/^(1|true|yes|on)$/i.test(text)) return true;
  if (/^(0|false|no|off)$/i.test(text)) return false;
  throw new ConfigError(`${name} is "${text}"; it must be 1 or 0.`);
}

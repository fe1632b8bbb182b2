/** The addresses of the server that a proxy stands in front of. */
import path from 'node:path';
import type { FoundServer } from '@broadside/server/place';
import { findCredentials, isChosen } from '../credentials.ts';
import { CliError, UsageError } from '../errors.ts';
import type { FlagValues } from '../flags.ts';
import type { Io } from '../io.ts';

/** A listener of the server: its first port, the advertising interface, the sandbox. */
export type Upstream = 'api' | 'ads' | 'sandbox';

/** The base URL of each listener. */
export type Upstreams = Readonly<Record<Upstream, URL>>;

const defaults = {
  api: 'http://127.0.0.1:8000',
  ads: 'http://127.0.0.1:8001',
  sandbox: 'http://127.0.0.1:8002',
} as const;

/** The member of credentials that has the address of each. */
const members = { api: 'base_url', ads: 'ads_base_url', sandbox: 'ads_sandbox_base_url' } as const;

/** A server as a proxy sees it. */
interface Proxied {
  /** Looks where the server is now. */
  readonly findUpstreams: () => Upstreams;
  /** Of the server, or of the proxy alone where the server runs elsewhere. */
  readonly dataDirectory: string;
}

/**
 * Finds the server: by credentials that are chosen, else where one runs on the data directory, by settings in the environment, by the
 * credentials that other commands would use, and at last at the ports of a server without settings.
 * @throws CliError when chosen credentials are missing; UsageError for a wrong setting
 */
export async function findProxied(io: Pick<Io, 'env' | 'cwd'>, flags: FlagValues): Promise<Proxied> {
  const { addressSettings, ConfigError, dataDirectoryOf, findServer, readAddresses, urlsOf } = await import(
    '@broadside/server/place'
  );
  const given = flags.text('data-dir');
  const env = given === undefined ? io.env : { ...io.env, BROADSIDE_DATA_DIR: given };
  const found = findCredentials({ env, cwd: io.cwd }, flags);
  const chosen = found && isChosen(found) ? found : undefined;
  // A profile belongs to no data directory on this machine; its authority lies beside the profiles.
  const dataDirectory =
    env['BROADSIDE_DATA_DIR'] || !found ? dataDirectoryOf(env, io.cwd) : path.resolve(path.dirname(found.file));
  try {
    const addresses = readAddresses(env);
    const own = urlsOf({ ...addresses, baseUrls: {} });
    const url = (name: Upstream, running: FoundServer | undefined): URL => {
      const saved = found?.values[members[name]];
      if (chosen && saved !== undefined) return parsed(saved, `${members[name]} of ${chosen.file}`);
      if (running?.isHere && running.local_urls) return new URL(running.local_urls[name]);
      const isSet = Boolean(env['BROADSIDE_HOST'] || env[addressSettings.ports[name]]);
      if (isSet && own[name] !== undefined) return new URL(own[name]);
      if (saved !== undefined) return parsed(saved, `${members[name]} of ${found?.file}`);
      return new URL(own[name] ?? defaults[name]);
    };
    const findUpstreams = () => {
      const running = findServer(dataDirectory);
      return { api: url('api', running), ads: url('ads', running), sandbox: url('sandbox', running) };
    };
    return { findUpstreams, dataDirectory };
  } catch (error) {
    if (error instanceof ConfigError) throw new UsageError(error.message);
    throw error;
  }
}

function parsed(text: string, from: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new CliError('usage', `${from} is "${text}", which is no http or https URL`);
}

/** The addresses of a server's listeners, as clients name them. */
import type { ListenerName } from './app.ts';
import type { Config } from './config/config.ts';

/** The addresses that the pipeline needs. */
export interface Addressing {
  /** The public base URLs of all listeners, as far as they are known. */
  readonly baseUrls: () => readonly string[];
  /** The public base URL of the first port, for a client that reached a listener under another. */
  readonly platformUrl: (reached: string) => string;
}

/** @param urls by listener; those that are not known yet are empty */
export function addressing({ baseUrls }: Config, urls: Readonly<Record<ListenerName, string>>): Addressing {
  return {
    baseUrls: () => Object.values(urls).filter((url) => url !== ''),
    platformUrl: (reached) => baseUrls.api ?? siblingUrl(reached, urls.api),
  };
}

let latest = { reached: '', other: '', origin: '' };

/** The address of another listener of this server, by the host under which a client reached one. Most reach the same. */
function siblingUrl(reached: string, other: string): string {
  if (latest.reached === reached && latest.other === other) return latest.origin;
  const url = new URL(reached);
  url.port = new URL(other).port;
  latest = { reached, other, origin: url.origin };
  return url.origin;
}

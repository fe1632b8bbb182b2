/** The addresses of a server's listeners, as clients name them. */
import type { ListenerName } from './app.ts';
import type { Config } from './config/config.ts';
import type { Dialects } from './dialects/dialects.ts';

/** The addresses that the pipeline needs. */
export interface Addressing {
  /** The public base URLs of all listeners, as far as they are known. */
  readonly baseUrls: () => readonly string[];
  /** The public base URL of the first port, for a client that reached a listener under another. */
  readonly platformUrl: (reached: string) => string;
  /** The public base URL of a listener, for a client that reached one under another; `undefined` before it is known. */
  readonly listenerUrl: (listener: ListenerName, reached: string) => string | undefined;
}

/** @param urls by listener; those that are not known yet are empty */
export function addressing(
  { baseUrls }: Config,
  urls: Readonly<Record<ListenerName, string>>,
  dialects: Dialects,
): Addressing {
  return {
    baseUrls: () => Object.values(urls).filter((url) => url !== ''),
    platformUrl: (reached) => dialects.platformUrl(reached) ?? baseUrls.api ?? siblingUrl(reached, urls.api),
    listenerUrl: (listener, reached) =>
      dialects.listenerUrl(listener, reached) ??
      baseUrls[listener] ??
      (urls[listener] === '' ? undefined : siblingUrl(reached, urls[listener])),
  };
}

let latest = { reached: '', other: '', origin: '' };

/** The address of another listener of this server, by the host under which a client reached one. Most reach the same. */
function siblingUrl(reached: string, other: string): string {
  if (latest.reached === reached && latest.other === other) return latest.origin;
  const url = new URL(reached);
  const sibling = new URL(other);
  url.protocol = sibling.protocol;
  url.port = sibling.port;
  latest = { reached, other, origin: url.origin };
  return url.origin;
}

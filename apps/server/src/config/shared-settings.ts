/** The setting of the state that several servers of one platform share. */
import { ConfigError } from './addresses.ts';

/** A server that speaks the Redis protocol, and with it the state that servers share. */
export interface SharedLocation {
  /** `redis://` or `rediss://`, with what it needs to sign in. Not to be shown: see {@link shownUrl}. */
  readonly url: string;
}

/** @throws ConfigError */
export function readShared(text: string | undefined): SharedLocation | undefined {
  if (text === undefined) return undefined;
  if (isRedisUrl(text)) return { url: text };
  throw new ConfigError(
    `BROADSIDE_SHARED_URL is "${shownUrl(text)}"; it must be a URL such as redis://redis.example.com:6379, or rediss: for TLS, with user:password@ in front of the host and /number of a database behind it where needed.`,
  );
}

/** A URL as it may stand in a message: without user and password. */
export function shownUrl(url: string): string {
  return url.replace(/[?#].*/s, '').replace(/\/\/.*@/s, '//');
}

function isRedisUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, pathname, search, hash } = new URL(text);
  const isKnown = protocol === 'redis:' || protocol === 'rediss:';
  return isKnown && hostname !== '' && /^(\/\d{0,5})?$/.test(pathname) && search === '' && hash === '';
}

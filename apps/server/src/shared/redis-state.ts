/** The state that the servers of a platform share, in Redis. */
import { Freshness } from './freshness.ts';
import { RedisGuard } from './redis-guard.ts';
import type { RedisLink } from './redis-link.ts';
import { RedisMarks } from './redis-marks.ts';
import { RedisMessages } from './redis-messages.ts';
import { countScript } from './redis-scripts.ts';
import { RedisThrottle } from './redis-throttle.ts';
import { Repeated } from './repeated.ts';
import type { CountedWindow, OpenShared, SharedPlatform, SharedState, WindowOf } from './shared-state.ts';
import { readNumbers } from './trip-reply.ts';
import { limitName, Trips } from './trips.ts';

/** Returns the function that opens what a platform shares over a link. */
export function sharedOver(link: RedisLink): OpenShared {
  return (platform) => openState(link, platform);
}

async function openState(link: RedisLink, { id, databases, nowSeconds }: SharedPlatform): Promise<SharedState> {
  // Two platforms can share one Redis. In braces stands what has a cluster keep all of it in one place.
  const key = (name: string) => `broadside:{${id}}:${name}`;
  const freshness = new Freshness(
    (subject) => databases[subject === 'identities' ? 'platform' : subject].generations.advanceAll(),
    () => performance.now(),
  );
  const repeated = new Repeated();
  const marks = new RedisMarks(link, key, repeated);
  const trips = new Trips({ link, key, database: databases.platform, nowSeconds, freshness, marks });
  const guards = {
    identities: new RedisGuard(link, 'identities', key, repeated),
    production: new RedisGuard(link, 'production', key, repeated),
    sandbox: new RedisGuard(link, 'sandbox', key, repeated),
  };
  const messages = await RedisMessages.open(link, key('messages'));
  return {
    useNonce: (owner, timestamp, nonce, counting) => trips.use(owner, timestamp, nonce, counting),
    freshen: () => trips.freshen(),
    guard: (subject) => guards[subject],
    count: (windows) => count(link, key, windows),
    throttle: new RedisThrottle(link, key),
    messages,
    marks,
    async close() {
      repeated.close();
    },
  };
}

async function count(
  link: RedisLink,
  key: (name: string) => string,
  windows: readonly WindowOf[],
): Promise<CountedWindow[]> {
  const keys = windows.map((window) => key(limitName(window)));
  const lengths = windows.map(({ window_ms }) => `${window_ms}`);
  const [now_ms = 0, ...counted] = readNumbers(await link.evaluate(countScript, keys, lengths));
  return windows.map((_, index) => ({
    count: counted[index * 2] ?? 0,
    reset_ms: counted[index * 2 + 1] ?? 0,
    now_ms,
  }));
}

/** One demo on a platform that several servers start on for the first time: one of them makes it, all know its credentials. */
import { setTimeout as delay } from 'node:timers/promises';
import type { PlatformServers } from '../servers/platform-servers.ts';
import { randomText } from '../world/random.ts';
import type { World } from '../world/world.ts';
import type { Credentials } from './credentials.ts';

/** The lease of the server that makes the demo, and the names under which the store knows what came of it. */
const DEMO = 'demo';
const UNFINISHED = 'unfinished';

/** A server that waits for the demo of another looks this often. */
const LOOK_MS = 200;

/** What the names of a demo end with where there are people already. */
export async function demoSuffix(world: World): Promise<string> {
  const [someone] = await world.identity.users.list(1);
  return someone ? `_${randomText(world.random, 6).toLowerCase()}` : '';
}

/**
 * Finds the demo of a platform, or makes it under a lease. A demo whose server has ended in the middle is made again by the next one.
 * @returns its credentials, with the addresses of the server that made it; `undefined` when the platform is in use and has no demo
 */
export async function agreeOnDemo(
  world: World,
  { registration: { leases }, facts }: PlatformServers,
  make: (suffix: string) => Promise<Credentials>,
): Promise<Credentials | undefined> {
  for (;;) {
    const known = await facts.findSecret(DEMO);
    if (known !== undefined) return JSON.parse(known);
    if (await leases.take(DEMO)) break;
    await delay(LOOK_MS);
  }
  try {
    // Another server may have made it between the look and the lease.
    const known = await facts.findSecret(DEMO);
    if (known !== undefined) return JSON.parse(known);
    const isUnfinished = (await facts.find(DEMO)) === UNFINISHED;
    if ((await world.seeds.isInhabited()) && !isUnfinished) return undefined;
    await facts.put(DEMO, UNFINISHED);
    const made = await make(await demoSuffix(world));
    const agreed = await facts.agreeOnSecret(DEMO, JSON.stringify(made));
    await facts.put(DEMO, 'made');
    return JSON.parse(agreed);
  } finally {
    await leases.release(DEMO);
  }
}

/** Where the workers that keep members of audiences listen, as the store of the platform says. */
import { FIRST_PLACE } from '../servers/audience-places.ts';
import type { PlatformFacts } from '../servers/platform-facts.ts';

const FACT = 'members.address';
const NONE = '';

/** The address of a worker. */
export interface WorkerAddress {
  /** The id of its data directory. */
  readonly place: string;
  readonly url: string;
}

/** Finds where the latest worker of a place listens, or did. @param at see `audience-places.ts` */
export async function findWorkerAddress(
  facts: Pick<PlatformFacts, 'find'>,
  at: string = FIRST_PLACE,
): Promise<WorkerAddress | undefined> {
  const text = await facts.find(factOf(at));
  if (text === undefined || text === NONE) return undefined;
  const { place, url } = JSON.parse(text);
  return { place: String(place), url: String(url) };
}

/** Says where this process, which is the worker of a place, listens. */
export async function putWorkerAddress(facts: PlatformFacts, at: string, address: WorkerAddress): Promise<void> {
  await facts.put(factOf(at), JSON.stringify(address));
}

/** Says that no worker listens, where one did. */
export async function removeWorkerAddress(facts: PlatformFacts): Promise<void> {
  if (await findWorkerAddress(facts)) await facts.put(FACT, NONE);
}

function factOf(place: string): string {
  return place === FIRST_PLACE ? FACT : `${FACT} ${place}`;
}

/** Where the worker of a platform listens, as its store says. */
import type { PlatformFacts } from '../servers/platform-facts.ts';

const FACT = 'members.address';
const NONE = '';

/** The address of a worker. */
export interface WorkerAddress {
  /** The id of its data directory. */
  readonly place: string;
  readonly url: string;
}

/** Finds where the latest worker listens, or did. */
export async function findWorkerAddress(facts: Pick<PlatformFacts, 'find'>): Promise<WorkerAddress | undefined> {
  const text = await facts.find(FACT);
  if (text === undefined || text === NONE) return undefined;
  const { place, url } = JSON.parse(text);
  return { place: String(place), url: String(url) };
}

/** Says where this process, which is the worker, listens. */
export async function putWorkerAddress(facts: PlatformFacts, address: WorkerAddress): Promise<void> {
  await facts.put(FACT, JSON.stringify(address));
}

/** Says that no worker listens, where one did. */
export async function removeWorkerAddress(facts: PlatformFacts): Promise<void> {
  if (await findWorkerAddress(facts)) await facts.put(FACT, NONE);
}

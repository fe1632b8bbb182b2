import { eq } from 'drizzle-orm';
import { timedSource } from '../../clock/due-source.ts';
import { environments } from '../../world/environment.ts';
import type { World } from '../../world/world.ts';
import { fundingInstruments } from './table.ts';

const { account_id, id, start_time, end_time, deleted } = fundingInstruments;
const rows = { table: fundingInstruments, account_id, id, where: eq(deleted, false) };
const terms = [
  timedSource('FUNDING_INSTRUMENT_STARTED', { ...rows, time: start_time }),
  timedSource('FUNDING_INSTRUMENT_ENDED', { ...rows, time: end_time }),
];

/** Has the clock of a world know when funding instruments begin and end to pay. */
export function attach(world: World): void {
  for (const environment of environments)
    for (const sources of terms)
      for (const source of sources(environment, world.ads[environment])) world.time.watch(source);
}

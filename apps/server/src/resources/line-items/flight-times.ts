import { eq, ne, sql } from 'drizzle-orm';
import { timedSource } from '../../clock/due-source.ts';
import { environments } from '../../world/environment.ts';
import type { World } from '../../world/world.ts';
import { lineItems } from './table.ts';

const { account_id, id, start_time, end_time, deleted, parent_deleted, entity_status } = lineItems;
// A draft is no flight yet.
const where = sql`${eq(deleted, false)} AND ${eq(parent_deleted, false)} AND ${ne(entity_status, 'DRAFT')}`;
const rows = { table: lineItems, account_id, id, where };
const flights = [
  timedSource('LINE_ITEM_STARTED', { ...rows, time: start_time }),
  timedSource('LINE_ITEM_ENDED', { ...rows, time: end_time }),
];

/** Has the clock of a world know when flights begin and end. */
export function attach(world: World): void {
  for (const environment of environments)
    for (const sources of flights)
      for (const source of sources(environment, world.ads[environment])) world.time.watch(source);
}

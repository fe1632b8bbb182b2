/** The clock of a store, for what several processes have to agree on: theirs may differ. */
import { sql } from 'drizzle-orm';

/** Milliseconds since the epoch when the statement runs. */
export const storeNow = sql`CAST(unixepoch('subsec') * 1000 AS INTEGER)`;

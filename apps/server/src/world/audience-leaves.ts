/** Which flexible audiences consist of which audiences, across accounts. */
import { eq, getTableColumns } from 'drizzle-orm';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { audienceLeaves } from './audience-leaf-table.ts';

const { account_id, custom_audience_id, leaf_id } = audienceLeaves;

/** Stores that a flexible audience has a leaf. */
export const insertLeaf = statement(getTableColumns(audienceLeaves), (row) =>
  query.insert(audienceLeaves).values(row).onConflictDoNothing(),
);

/** The flexible audiences that have an audience as a leaf. */
export const listOver = statement({ leaf_id }, (args) =>
  query.select({ account_id, id: custom_audience_id }).from(audienceLeaves).where(eq(leaf_id, args.leaf_id)),
);

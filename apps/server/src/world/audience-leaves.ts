/** The audiences of which flexible audiences consist, across accounts. */
import { leavesOf, type Segment } from '@broadside/core/resources/custom-audiences';
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

/** Returns the ids of the audiences of which an audience consists, each once; none where it is not flexible. */
export function leafIdsOf({ segments }: { readonly segments?: Segment | null | undefined }): string[] {
  return segments ? [...new Set(leavesOf(segments).map(({ leaf }) => leaf.custom_audience_id))] : [];
}

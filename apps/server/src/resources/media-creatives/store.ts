import { eq, sql } from 'drizzle-orm';
import type { Reader } from '../../db/database.ts';
import { always, amongIds, EntityQueries, type Filter } from '../../db/entity-table.ts';
import { accountScope } from '../../world/account-scope.ts';
import { mediaCreatives } from './table.ts';

const ofCampaign: Filter<string> = {
  where: eq(mediaCreatives.campaign_id, sql.placeholder('campaign_id')),
  bind: (campaign_id) => ({ campaign_id }),
};

export const mediaCreativeQueries = new EntityQueries(
  mediaCreatives,
  accountScope(mediaCreatives.account_id),
  {
    campaign_id: ofCampaign,
    line_item_ids: amongIds('line_item_ids', mediaCreatives.line_item_id),
    media_creative_ids: amongIds('media_creative_ids', mediaCreatives.id),
    not_deleted: always(sql`${mediaCreatives.deleted} = 0 AND ${mediaCreatives.parent_deleted} = 0`),
  },
  ['campaign_id', 'parent_deleted'],
);

const OF_MEDIA = `SELECT "id" FROM "media_creatives"
  WHERE "account_id" = ? AND "line_item_id" = ? AND "account_media_id" = ? AND "deleted" = 0 LIMIT 1`;

/** The id of the media creative that shows account media on a line item now. */
export async function mediaCreativeOf(
  reader: Reader,
  account_id: string,
  line_item_id: string,
  account_media_id: string,
): Promise<string | undefined> {
  const [row] = await reader.query(OF_MEDIA, [account_id, line_item_id, account_media_id]);
  return row && String(row[0]);
}

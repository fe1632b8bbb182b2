import type { Reader } from '../../db/database.ts';
import { EntityQueries } from '../../db/entity-table.ts';
import { accountScope } from '../../world/account-scope.ts';
import { accountMedia } from './table.ts';

export const accountMediaQueries = new EntityQueries(accountMedia, accountScope(accountMedia.account_id), {});

const OF_KEY = `SELECT "id" FROM "account_media"
  WHERE "account_id" = ? AND "media_key" = ? AND "deleted" = 0 LIMIT 1`;

/** The id of the account media that stand for media of the platform. */
export async function accountMediaOf(
  reader: Reader,
  account_id: string,
  media_key: string,
): Promise<string | undefined> {
  const [row] = await reader.query(OF_KEY, [account_id, media_key]);
  return row && String(row[0]);
}

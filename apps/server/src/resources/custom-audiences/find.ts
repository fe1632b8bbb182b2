import type { ListQuery, Page, Reject } from '@broadside/core';
import { type CustomAudience, displayAudience } from '@broadside/core/resources/custom-audiences';
import { foldName } from '../../db/fold-name.ts';
import { mapPage } from '../../db/page.ts';
import type { AccountReader } from '../../world/account-store.ts';
import { type CustomAudienceRow, customAudience } from './entity.ts';

export { type CustomAudienceRow, customAudience } from './entity.ts';

/** Parameters of a list of audiences beside its scope. */
export interface AudienceQuery extends ListQuery {
  readonly custom_audience_ids?: readonly string[] | undefined;
  readonly q?: string | undefined;
}

/** Returns the audience of the account with an id. */
export function findAudience(
  reject: Reject<'NOT_FOUND'>,
  account: AccountReader,
  id: string,
  with_deleted = false,
): Promise<CustomAudienceRow> {
  return account.of(customAudience).find(reject, id, with_deleted);
}

/**
 * Returns the audience with an id that an account may use: it owns it, or another account shares it, and it is not deleted.
 * `undefined` when there is none.
 */
export async function findUsable(account: AccountReader, id: string): Promise<CustomAudienceRow | undefined> {
  const row = await account.of(customAudience).get(id);
  return row?.deleted === false ? row : undefined;
}

/** Returns an audience of the account as the account itself sees it. */
export function showOwn(row: CustomAudienceRow): CustomAudience {
  return displayAudience(row, { account_id: row.account_id, permission_level: 'READ_WRITE' });
}

/** Lists the audiences that the account owns. */
export async function listOwned(account: AccountReader, query: AudienceQuery): Promise<Page<CustomAudience>> {
  return mapPage(await account.of(customAudience).list(query), showOwn);
}

/** Lists the audiences that other accounts share with the account. */
export async function listShared(
  _account: AccountReader,
  { with_total_count }: AudienceQuery,
): Promise<Page<CustomAudience>> {
  return { data: [], next_cursor: null, ...(with_total_count ? { total_count: 0 } : {}) };
}

/** Returns the audience of the account that has a name and is not deleted. */
export function findByName(account: AccountReader, name: string): Promise<CustomAudienceRow | undefined> {
  return account.of(customAudience).existing({ name_folded: foldName(name) });
}

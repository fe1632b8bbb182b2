import type { ListQuery, Page, Reject } from '@broadside/core';
import { type CustomAudience, checkAudienceName, displayAudience } from '@broadside/core/resources/custom-audiences';
import { foldName } from '../../db/fold-name.ts';
import { mapPage } from '../../db/page.ts';
import type { AccountReader, AccountWriter } from '../../world/account-store.ts';
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

/** Rejects a name that another audience of the account has. */
export async function checkNameIsFree(
  reject: Reject<'INVALID_PARAMETER'>,
  account: AccountWriter,
  name: string,
): Promise<void> {
  reject.check(checkAudienceName(name, await account.of(customAudience).existing({ name_folded: foldName(name) })));
}

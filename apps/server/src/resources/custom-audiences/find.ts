import type { Page, Reject } from '@broadside/core';
import { type CustomAudience, displayAudience, type PermissionLevel } from '@broadside/core/resources/custom-audiences';
import { type Awaitable, chain } from '../../awaitable.ts';
import { foldName } from '../../db/fold-name.ts';
import { mapPage } from '../../db/page.ts';
import type { AccountReader } from '../../world/account-store.ts';
import { ShownRows } from '../../world/shown-rows.ts';
import { type CustomAudienceRow, customAudience } from './entity.ts';
import type { AudienceQuery } from './shared-list.ts';

export { type CustomAudienceRow, customAudience } from './entity.ts';
export { listAllAudiences } from './keys-of-all.ts';

export { listShared } from './shared-list.ts';
export {
  findUsableAudience,
  requireOwned,
  requireUsable,
  requireWritable,
  type UsableAudience,
  writerOfOwner,
  writeUsable,
} from './usable.ts';

/** Returns the audience of the account with an id. */
export function findAudience(
  reject: Reject<'NOT_FOUND'>,
  account: AccountReader,
  id: string,
  with_deleted = false,
): Awaitable<CustomAudienceRow> {
  return account.of(customAudience).find(reject, id, with_deleted);
}

const shown = new ShownRows<CustomAudienceRow, CustomAudience>();

function showAs(row: CustomAudienceRow, account_id: string, permission_level: PermissionLevel): CustomAudience {
  return shown.show(row, [account_id, permission_level], () => displayAudience(row, { account_id, permission_level }));
}

/** Returns an audience of the account as the account itself sees it. */
export function showOwn(row: CustomAudienceRow): CustomAudience {
  return showAs(row, row.account_id, 'READ_WRITE');
}

/**
 * Returns an audience as an account that may use it sees it.
 * @param permission_level by default the one that changing it requires
 */
export function showTo(
  { account_id }: AccountReader,
  row: CustomAudienceRow,
  permission_level: PermissionLevel = 'READ_WRITE',
): CustomAudience {
  return showAs(row, account_id, permission_level);
}

/** Lists the audiences that the account owns. */
export function listOwned(account: AccountReader, query: AudienceQuery): Awaitable<Page<CustomAudience>> {
  return chain(account.of(customAudience).list(query), (page) => mapPage(page, showOwn));
}

/** Returns the audience of the account that has a name and is not deleted. */
export function findByName(account: AccountReader, name: string): Awaitable<CustomAudienceRow | undefined> {
  return account.of(customAudience).existing({ name_folded: foldName(name) });
}

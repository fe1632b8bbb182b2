import type { ListQuery, Page } from '@broadside/core';
import { type CustomAudience, displayAudience } from '@broadside/core/resources/custom-audiences';
import { type Awaitable, chain, together } from '../../awaitable.ts';
import { mergePages } from '../../db/merge-pages.ts';
import { mapPage } from '../../db/page.ts';
import type { AccountReader } from '../../world/account-store.ts';
import type { AudienceGrant } from '../../world/audience-grants.ts';
import { customAudience } from './entity.ts';

/** Parameters of a list of audiences beside its scope. */
export interface AudienceQuery extends ListQuery {
  readonly custom_audience_ids?: readonly string[] | undefined;
  readonly q?: string | undefined;
}

/**
 * Lists the audiences that other accounts share with the account: each owner's are read in the owner's account. Our choice:
 * one that is deleted is not shared any more, so `with_deleted` adds none.
 */
export function listShared(account: AccountReader, query: AudienceQuery): Awaitable<Page<CustomAudience>> {
  const asked = query.custom_audience_ids && new Set(query.custom_audience_ids);
  return chain(account.shared.grants(), (all) =>
    listGranted(
      account,
      query,
      all.filter(({ custom_audience_id: id }) => !asked || asked.has(id)),
    ),
  );
}

function listGranted(
  account: AccountReader,
  query: AudienceQuery,
  grants: readonly AudienceGrant[],
): Awaitable<Page<CustomAudience>> {
  const levels = new Map(grants.map((grant) => [grant.custom_audience_id, grant.permission_level]));
  const pageOf = (owner: AccountReader, given: readonly AudienceGrant[]) => {
    const custom_audience_ids = given.map(({ custom_audience_id }) => custom_audience_id);
    return owner.of(customAudience).list({ ...query, custom_audience_ids, with_deleted: false });
  };
  const byOwner = Map.groupBy(grants, ({ owner_account_id }) => owner_account_id).values();
  const pages = together([
    // An empty page also rejects a cursor of another list where nothing is shared.
    pageOf(account, []),
    ...[...byOwner].flatMap((given) => (given[0] ? [pageOf(account.shared.ownerOf(given[0]), given)] : [])),
  ]);
  const { account_id } = account;
  return chain(pages, (read) =>
    mapPage(mergePages(customAudience.table, query, read), (row) =>
      displayAudience(row, { account_id, permission_level: levels.get(row.id) ?? 'READ_ONLY' }),
    ),
  );
}

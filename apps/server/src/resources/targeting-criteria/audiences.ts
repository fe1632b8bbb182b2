import { displayAudience } from '@broadside/core/resources/custom-audiences';
import type { ValueFacts } from '@broadside/core/resources/targeting-criteria';
import type { AccountReader } from '../../world/account-store.ts';
import { leafIdsOf } from '../../world/audience-leaves.ts';
import { customAudience, findUsableAudience, type UsableAudience } from '../custom-audiences/find.ts';

/** The facts of an audience that the account may use, or once could use; `undefined` for all others. */
export async function findAudience(account: AccountReader, id: string): Promise<ValueFacts['audience']> {
  const found = await findUsableAudience(account, id);
  if (found) return factsOf(account, found);
  if (await account.of(customAudience).get(id)) return { is: 'deleted' };
  return (await account.shared.wasGranted(id)) ? { is: 'no longer shared' } : undefined;
}

async function factsOf(account: AccountReader, { audience, permission_level, is_owner }: UsableAudience) {
  const lost = is_owner ? await lostLeaf(account, audience) : undefined;
  if (lost !== undefined) return { is: 'built on a lost one', custom_audience_id: lost } as const;
  const shown = displayAudience(audience, { account_id: account.account_id, permission_level });
  const { targetable, reasons_not_targetable, targetable_types } = shown;
  return { is: 'usable', targetable, reasons_not_targetable, targetable_types } as const;
}

/** Returns an audience in a flexible one that another account shared and no longer shares. */
async function lostLeaf(account: AccountReader, audience: UsableAudience['audience']): Promise<string | undefined> {
  for (const id of leafIdsOf(audience)) {
    // The account's own leaves stay, deleted ones as empty audiences.
    const isOwn = (await account.of(customAudience).get(id)) !== undefined;
    if (!isOwn && !(await findUsableAudience(account, id))) return id;
  }
  return undefined;
}

import type { ValueFacts } from '@broadside/core/resources/targeting-criteria';
import type { AccountReader } from '../../world/account-store.ts';

/** Returns the custom audience with an id that an account may target. There are no custom audiences yet. */
export async function findAudience(_account: AccountReader, _id: string): Promise<ValueFacts['audience']> {
  return undefined;
}

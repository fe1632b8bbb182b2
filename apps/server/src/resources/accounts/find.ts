import type { Reject } from '@broadside/core';
import type { AccountRow } from '../../world/account-directory.ts';
import type { AdsStore } from '../../world/ads-store.ts';
import { type Environment, environments } from '../../world/environment.ts';

/** Where accounts are looked for, and how what is missing is rejected. */
interface Finding {
  readonly world: { readonly ads: Readonly<Record<Environment, AdsStore>> };
  readonly reject: Reject<'ACCOUNT_NOT_FOUND'>;
}

/** Returns the record of an account that is not deleted, for the operator. */
export async function findAccount(finding: Finding, environment: Environment, id: string): Promise<AccountRow> {
  const record = await finding.world.ads[environment].record(id);
  if (record && !record.deleted) return record;
  throw await noAccount(finding, environment, id, record !== undefined);
}

/** The rejection of an account that is not there, which says where it is. @param isDeleted it was there */
export async function noAccount(
  { world, reject }: Finding,
  environment: Environment,
  id: string,
  isDeleted = false,
): Promise<Error> {
  const other = environments.find((one) => one !== environment);
  const isElsewhere = other !== undefined && (await world.ads[other].record(id)) !== undefined;
  const short = id.slice(0, 100);
  const message = isDeleted
    ? `The account ${short} of ${environment} has been deleted`
    : `There is no account ${short} in ${environment}${isElsewhere ? `; it is one of ${other}` : ''}`;
  return reject.error({ error: 'ACCOUNT_NOT_FOUND', parameter: 'account_id', value: id, message });
}

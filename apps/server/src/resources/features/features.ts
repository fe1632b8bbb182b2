/** The features of an account: a set, not an entity. */
import { type FeatureKey, featureKeys } from '@broadside/core/resources/features';
import { and, eq } from 'drizzle-orm';
import { type Awaitable, chain } from '../../awaitable.ts';
import { query } from '../../db/query-builder.ts';
import { statement } from '../../db/statement.ts';
import type { AccountReader, AccountWriter } from '../../world/account-store.ts';
import { accountFeatures } from './table.ts';

const { account_id, feature_key } = accountFeatures;

const listFeatures = statement({ account_id }, (args) =>
  query.select({ feature_key }).from(accountFeatures).where(eq(account_id, args.account_id)).orderBy(feature_key),
);
const addFeature = statement({ account_id, feature_key }, (args) =>
  query.insert(accountFeatures).values(args).onConflictDoNothing(),
);
const removeFeature = statement({ account_id, feature_key }, (args) =>
  query.delete(accountFeatures).where(and(eq(account_id, args.account_id), eq(feature_key, args.feature_key))),
);

const known: ReadonlySet<string> = new Set(featureKeys);

/** Returns the features of an account, in alphabetical order. */
export function featuresOf(account: AccountReader): Awaitable<FeatureKey[]> {
  // An earlier version may have stored features that no longer exist.
  return chain(account.all(listFeatures), (rows) => rows.map((row) => row.feature_key).filter((key) => known.has(key)));
}

/** Adds features to an account. @returns all of its features */
export function addFeatures(account: AccountWriter, keys: readonly FeatureKey[]): Promise<FeatureKey[]> {
  return change(account, keys, addFeature);
}

/** Removes features from an account. @returns its remaining features */
export function removeFeatures(account: AccountWriter, keys: readonly FeatureKey[]): Promise<FeatureKey[]> {
  return change(account, keys, removeFeature);
}

async function change(
  account: AccountWriter,
  keys: readonly FeatureKey[],
  write: typeof addFeature | typeof removeFeature,
): Promise<FeatureKey[]> {
  const before = await featuresOf(account);
  for (const feature_key of keys) await account.run(write, { feature_key });
  const after = await featuresOf(account);
  if (after.join() === before.join()) return after;
  await account.recordChange({
    entity: 'ACCOUNT_FEATURES',
    entity_id: account.account_id,
    before: { feature_keys: before },
    after: { feature_keys: after },
  });
  return after;
}

import { type FeatureKey, featureKeys } from '@broadside/core';
import type { Reader, Writer } from '../../db/database.ts';

const known: ReadonlySet<unknown> = new Set(featureKeys);
const isFeatureKey = (value: unknown): value is FeatureKey => known.has(value);

/** The features of an account, in alphabetical order. */
export async function featuresOf(reader: Reader, account_id: string): Promise<FeatureKey[]> {
  const rows = await reader.query(
    'SELECT "feature_key" FROM "account_features" WHERE "account_id" = ? ORDER BY "feature_key"',
    [account_id],
  );
  return rows.map((row) => row[0]).filter(isFeatureKey);
}

export async function addFeatures(writer: Writer, account_id: string, keys: readonly FeatureKey[]): Promise<void> {
  const text = 'INSERT INTO "account_features" ("account_id", "feature_key") VALUES (?, ?) ON CONFLICT DO NOTHING';
  for (const key of keys) await writer.run(text, [account_id, key]);
}

export async function removeFeatures(writer: Writer, account_id: string, keys: readonly FeatureKey[]): Promise<void> {
  const text = 'DELETE FROM "account_features" WHERE "account_id" = ? AND "feature_key" = ?';
  for (const key of keys) await writer.run(text, [account_id, key]);
}

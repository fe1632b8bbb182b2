/** What an advertising store needs, and what it is told of accounts. */
import type { Permission, Quotas } from '@broadside/core';
import type { FeatureKey } from '@broadside/core/resources/features';
import type { Database } from '../db/database.ts';
import type { EntityRegistry } from '../db/entity-registry.ts';
import type { Replicas } from '../db/replicas.ts';
import type { AccountRow } from './account-directory.ts';
import type { AccountWriter } from './account-store.ts';
import type { Clock } from './clock.ts';
import type { Random } from './random.ts';
import type { AccountStores, Shards } from './shards/shards.ts';

/** An account as a caller opens it: its record, and what the caller may do on it. */
export interface OpenedAccount {
  readonly record: AccountRow;
  readonly permissions: readonly Permission[];
}

/** The terms of a new account. */
export interface NewAccount {
  readonly name: string;
  readonly business_name: string | null;
  readonly timezone: string;
  /** Becomes ACCOUNT_ADMIN and FULL promotable user. */
  readonly user_id: string;
  readonly features: readonly FeatureKey[];
  /** The shard that it is to be on; by default the one with the fewest accounts. */
  readonly shard?: string | undefined;
}

/** Dependencies of an advertising store. */
export interface AdsServices {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  /** The kinds of entity in accounts and in the catalogue. */
  readonly entities: EntityRegistry;
  /** Writes the initial contents of a new account. */
  readonly furnish: (account: AccountWriter, fields: NewAccount) => Promise<void>;
  /** Keep ids in memory. Only where this process is the only one that writes the store. */
  readonly cache: boolean;
  /** Keep the directory's answers in memory. Only where this process learns of all writes of the store; by default as `cache` says. */
  readonly remember?: boolean;
  /** By default the usual ones. */
  readonly quotas?: Quotas;
  /** The stores that accounts are spread over, where there are several. */
  readonly shards?: Shards | undefined;
  /** The same as seen from inside a write, in place of those. */
  readonly shardsInside?: AccountStores | undefined;
  /** Replicas for reads of account data, by shard. */
  readonly replicas?: ReadonlyMap<string, Replicas> | undefined;
}

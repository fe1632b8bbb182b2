/** The options that a world is opened with. */
import type { Quotas } from '@broadside/core';
import type { ProcessingProfile } from '../audience/processing-profiles.ts';
import type { SharedNonceState } from '../auth/nonce-sharing.ts';
import type { NonceRegistry } from '../auth/nonces.ts';
import type { Role } from '../config/role-settings.ts';
import type { Database } from '../db/database.ts';
import type { KeptOptions } from '../db/kept-rows.ts';
import type { BlobLocation } from '../media/blobs/open-blob-store.ts';
import type { OpenShared } from '../shared/shared-state.ts';
import type { ReaderNonces } from '../threads/reader-nonces.ts';
import type { AdsServices } from './ads-services.ts';
import type { Clock, WallClock } from './clock.ts';
import type { Environment } from './environment.ts';
import type { Random } from './random.ts';
import type { SecretKeys } from './secrets.ts';
import type { WorldPlace } from './world-place.ts';

/** The names of the databases of a world. */
export const storeNames = ['platform', 'production', 'sandbox'] as const;
/** The databases of a world. */
export type StoreName = (typeof storeNames)[number];

/** The settings that say where stores are, for errors. */
export const storeSettings: Readonly<Record<StoreName, string>> = {
  platform: 'BROADSIDE_DATABASE_URL',
  production: 'BROADSIDE_ADS_DATABASE_URL',
  sandbox: 'BROADSIDE_SANDBOX_DATABASE_URL',
};

/** A store's database: a `file:` URL, or the URL of a libSQL server with its token. */
export interface StoreLocation {
  readonly url: string;
  readonly authToken?: string | undefined;
}

/** The settings that say where shards are, for errors. */
export const shardSettings: Readonly<Record<Environment, string>> = {
  production: 'BROADSIDE_ADS_SHARDS',
  sandbox: 'BROADSIDE_SANDBOX_SHARDS',
};

/** A shard: its store, under the name that the directory knows. */
export interface ShardLocation extends StoreLocation {
  /** Lower-case letters, digits and hyphens. */
  readonly name: string;
}

/** A replica of a store, which takes the token of that. */
export interface ReplicaLocation {
  /** Name of the shard that it is a replica of; by default it is one of the store of the environment. */
  readonly shard?: string;
  readonly url: string;
}

/** The parts of the families that the stores of a world work with. */
export type Families = Pick<AdsServices, 'entities' | 'furnish'>;

/** What a server of a platform with stores on a server has in common with others. */
interface ServingOptions {
  /** State that servers share is kept where others find it. Without it, no other server may have the platform. */
  readonly shares: boolean;
  /** What it does for the others; `all` by default. */
  readonly role?: Role | undefined;
  /** Whether, as a further worker, it keeps members of audiences too. */
  readonly keepsMembers?: boolean;
}

export interface WorldOptions {
  /** Directory of databases, the secret key and nonces. Created when missing. */
  readonly dataDirectory: string;
  /** Stores that are not files in the data directory. */
  readonly stores?: { readonly [Name in StoreName]?: StoreLocation | undefined };
  /** Shards that accounts are spread over, by environment; without any, all accounts are in the store of the environment. */
  readonly shards?: { readonly [Name in Environment]?: readonly ShardLocation[] | undefined } | undefined;
  /** Replicas of the stores of environments and of shards, which answer reads of account data. They are read where servers share state. */
  readonly replicas?: { readonly [Name in Environment]?: readonly ReplicaLocation[] | undefined } | undefined;
  /** Called when a shard, such as `production/east`, could not be opened, and when it could be (no problem). */
  readonly onShard?: ((shard: string, problem: string | undefined) => void) | undefined;
  /** The world answers clients, as one of the servers of its platform; otherwise its process is a command that works in the stores. */
  readonly serving?: ServingOptions | undefined;
  /** By default a file in the data directory, made on first use. */
  readonly secretKeys?: SecretKeys | undefined;
  /** Called every few seconds while stores are brought to the schema of this version, with what is begun. */
  readonly onMigration?: ((store: StoreName, step: string) => void) | undefined;
  /** Called once before stores that lack migrations are changed, with those that each lacks. What it throws ends the opening. */
  readonly beforeMigration?:
    | ((
        databases: Readonly<Record<StoreName, Database>>,
        pending: Readonly<Record<StoreName, readonly string[]>>,
      ) => Promise<void>)
    | undefined;
  /** Storage of the bytes of media; by default files in the data directory. */
  readonly media?: BlobLocation | undefined;
  readonly clock?: Clock | undefined;
  /**
   * Equal seeds give equal ids, codes and choices for equal calls at equal times of the clock, also after the world was closed and in copies.
   * Keys, tokens and secrets do not follow from it. Without it, ids are random.
   */
  readonly seed?: string | undefined;
  /** The time at which the clock of a new world stands, in milliseconds since the epoch, until it is set; by default it is the machine's. */
  readonly startsAt?: number | undefined;
  /** The source of ids, choices and secrets, in place of the seed. For tests: it begins anew whenever the world is opened. */
  readonly random?: Random | undefined;
  /** The source of keys, tokens and secrets; that of `random` by default. */
  readonly credentialRandom?: Random | undefined;
  /**
   * Consumer keys, bearer tokens, request tokens and ids of sessions that are made in this world begin with it, by which a server that
   * has several worlds knows whose they are: up to 12 letters and digits, none by default. Access tokens are looked up beside their
   * consumer key and have none.
   */
  readonly credentialPrefix?: string | undefined;
  /** Starts although a store is missing, or older than it was. */
  readonly acceptLoss?: boolean | undefined;
  /** Called with a sentence about what has another place from now on, since a loss was accepted. */
  readonly onPlaceChange?: ((notice: string) => void) | undefined;
  /** Uses a store on a server that acknowledges commits before they are on its disk. */
  readonly acceptWeakDurability?: boolean | undefined;
  /** Called with a sentence about each such store. */
  readonly onWeakDurability?: ((warning: string) => void) | undefined;
  /** Called with a sentence about stores whose commits nothing could be compared with. */
  readonly onUnmarked?: ((notice: string) => void) | undefined;
  /** The time that new members of audiences wait until they are counted; `fast` by default. */
  readonly audienceProcessing?: ProcessingProfile | undefined;
  /** The clock of clients, against which OAuth timestamps are held. */
  readonly wallClock?: WallClock | undefined;
  /** The place of a world that was closed by `vacate`, in which this one is opened. It stays the caller's when opening fails. */
  readonly place?: WorldPlace | undefined;
  /** The nonces of the server, for a world beside its default one: consumer keys of two worlds differ, so their nonces never meet. */
  readonly serverNonces?: NonceRegistry | undefined;
  /** Memory of nonces, where other threads serve requests too. */
  readonly sharedNonces?: SharedNonceState | undefined;
  /** Opens what the servers of the platform share, where there can be several. */
  readonly shared?: OpenShared | undefined;
  /** Quotas that differ from the usual ones. */
  readonly quotas?: Partial<Quotas> | undefined;
  /** Takes less memory for its stores, for one of many worlds of a process; false by default. */
  readonly frugal?: boolean | undefined;
  /** Bounds of the rows of advertising data in memory; `false` reads each from its store. */
  readonly kept?: KeptOptions | false | undefined;
}

/** The things that a world that only reads has from the one of the main thread. */
export interface ReadingOptions extends Omit<WorldOptions, 'sharedNonces' | 'media' | 'shared'> {
  readonly generations: Readonly<Record<StoreName, SharedArrayBuffer>>;
  readonly platformKey: string;
  /** Where it sees that there are rules of faults. */
  readonly faults: SharedArrayBuffer;
  readonly nonces: ReaderNonces;
  /** The time of the world. */
  readonly time: SharedArrayBuffer;
}

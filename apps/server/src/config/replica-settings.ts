/** The settings of replicas of stores. */
import { type Environment, environments } from '../world/environment.ts';
import { isOnServer } from '../world/store-locations.ts';
import type { ReplicaLocation, StoreLocation } from '../world/world-options.ts';
import { ConfigError } from './addresses.ts';
import type { ShardConfig } from './shard-settings.ts';

/** Replicas by environment; an environment without any is absent. */
export type ReplicaConfig = { readonly [Name in Environment]?: readonly ReplicaLocation[] };

/** The settings, for `settings`. */
export const replicaSettings = {
  BROADSIDE_ADS_REPLICAS:
    'Replicas of the libSQL server of production advertising, as URLs separated by commas, or name=URL for one of a shard: they answer reads of account data where they are as recent as needed, and take the token of their store.',
  BROADSIDE_SANDBOX_REPLICAS: 'The same for the sandbox.',
} as const;

type Setting = keyof typeof replicaSettings;

/** The URL of a server, after the name of a shard and "=" where it is a replica of one. */
const REPLICA = /^(?:([a-z][a-z0-9-]*)=)?((?:libsql|https?|wss?):\/\/[^/?#].*)$/is;

/** The other settings that replicas depend on. */
interface Beside {
  readonly stores: { readonly [Name in Environment]?: StoreLocation };
  readonly shards: ShardConfig;
  readonly shared: unknown;
}

/** Reads the replicas of both environments. @throws ConfigError */
export function readReplicas(read: (name: Setting) => string | undefined, beside: Beside): ReplicaConfig {
  const found: { [Name in Environment]?: readonly ReplicaLocation[] } = {};
  for (const environment of environments) {
    const prefix = environment === 'production' ? 'BROADSIDE_ADS' : 'BROADSIDE_SANDBOX';
    const setting = `${prefix}_REPLICAS` as const;
    const text = read(setting);
    if (text === undefined) continue;
    if (beside.shared === undefined) {
      throw new ConfigError(
        `${setting} needs BROADSIDE_SHARED_URL, where servers find out what a replica has to have before it is read.`,
      );
    }
    // What is wrong may be a part of a token: the entry is numbered instead.
    found[environment] = text.split(',').map((entry, i) => {
      const replica = readReplica(setting, entry.trim(), i + 1);
      if (!isOfServer(replica, environment, beside)) throw noPrimary(setting, prefix, replica, i + 1);
      return replica;
    });
  }
  return found;
}

function readReplica(setting: Setting, entry: string, number: number): ReplicaLocation {
  const [, shard, url] = REPLICA.exec(entry) ?? [];
  if (url !== undefined) return shard === undefined ? { url } : { shard, url };
  throw new ConfigError(
    `${setting} must be URLs of libSQL servers separated by commas, such as libsql://replica.example.com, each with the name of a shard and "=" in front where it is a replica of that; entry ${number} is wrong.`,
  );
}

function isOfServer({ shard }: ReplicaLocation, environment: Environment, { stores, shards }: Beside): boolean {
  return isOnServer(
    shard === undefined ? stores[environment] : shards[environment]?.find(({ name }) => name === shard),
  );
}

function noPrimary(setting: Setting, prefix: string, { shard }: ReplicaLocation, number: number): ConfigError {
  const primary = shard === undefined ? `${prefix}_DATABASE_URL` : `an entry in ${prefix}_SHARDS of that name`;
  return new ConfigError(
    `${setting} needs ${primary}, with the URL of the libSQL server that entry ${number} is a replica of.`,
  );
}

/** The settings of replicas of stores. */
import { type Environment, environments } from '../world/environment.ts';
import { isOnServer } from '../world/store-locations.ts';
import type { StoreLocation } from '../world/world-options.ts';
import { ConfigError } from './addresses.ts';

/** URLs of replicas by environment; an environment without any is absent. */
export type ReplicaConfig = { readonly [Name in Environment]?: readonly string[] };

/** The settings, for `settings`. */
export const replicaSettings = {
  BROADSIDE_ADS_REPLICAS:
    'Replicas of the libSQL server of production advertising, as URLs separated by commas: they answer reads of account data where they are as recent as needed. They take the token of BROADSIDE_ADS_DATABASE_AUTH_TOKEN.',
  BROADSIDE_SANDBOX_REPLICAS: 'The same for the sandbox, with the token of BROADSIDE_SANDBOX_DATABASE_AUTH_TOKEN.',
} as const;

type Setting = keyof typeof replicaSettings;

const SERVER_URL = /^(?:libsql|https?|wss?):\/\/[^/?#]/i;

/** The other settings that replicas depend on. */
interface Beside {
  readonly stores: { readonly [Name in Environment]?: StoreLocation };
  readonly shards: { readonly [Name in Environment]?: unknown };
  readonly shared: unknown;
}

/** Reads the replicas of both environments. @throws ConfigError */
export function readReplicas(read: (name: Setting) => string | undefined, beside: Beside): ReplicaConfig {
  const found: { [Name in Environment]?: readonly string[] } = {};
  for (const environment of environments) {
    const urls = replicasOf(read, environment, beside);
    if (urls) found[environment] = urls;
  }
  return found;
}

function replicasOf(
  read: (name: Setting) => string | undefined,
  environment: Environment,
  { stores, shards, shared }: Beside,
): readonly string[] | undefined {
  const prefix = environment === 'production' ? 'BROADSIDE_ADS' : 'BROADSIDE_SANDBOX';
  const setting = `${prefix}_REPLICAS` as const;
  const text = read(setting);
  if (text === undefined) return undefined;
  const urls = text.split(',').map((url) => url.trim());
  const wrong = urls.findIndex((url) => !SERVER_URL.test(url));
  if (wrong !== -1) {
    throw new ConfigError(
      `${setting} must be URLs of libSQL servers separated by commas, such as libsql://replica.example.com; entry ${wrong + 1} is wrong.`,
    );
  }
  if (!isOnServer({ stores }, environment)) {
    throw new ConfigError(
      `${setting} needs ${prefix}_DATABASE_URL with the URL of the libSQL server that they are replicas of.`,
    );
  }
  if (shards[environment]) {
    throw new ConfigError(
      `${setting} and ${prefix}_SHARDS cannot both be set: replicas of shards are not read, so leave ${setting} out.`,
    );
  }
  if (shared === undefined) {
    throw new ConfigError(
      `${setting} needs BROADSIDE_SHARED_URL, where servers find out what a replica has to have before it is read.`,
    );
  }
  return urls;
}

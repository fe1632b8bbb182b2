/** The settings of shards. */
import type { Environment } from '../world/environment.ts';
import type { ShardLocation } from '../world/world-options.ts';
import { ConfigError } from './addresses.ts';

/** The shards that accounts are spread over, by environment; an environment without any is absent. */
export type ShardConfig = { readonly [Name in Environment]?: readonly ShardLocation[] };

/** The settings, for `settings`. */
export const shardSettings = {
  BROADSIDE_ADS_SHARDS:
    'Stores that new production accounts are spread over, as name=URL separated by commas, such as east=libsql://east.example.com,west=file:/srv/west.db.',
  BROADSIDE_ADS_SHARDS_AUTH_TOKENS: 'Tokens for those on servers, as name=token separated by commas.',
  BROADSIDE_SANDBOX_SHARDS: 'The same for accounts of the sandbox.',
  BROADSIDE_SANDBOX_SHARDS_AUTH_TOKENS: 'Tokens for those on servers.',
} as const;

/** Names are part of the names of stores, and of what is shown. */
const NAME = /^[a-z](?:[a-z0-9-]{0,30}[a-z0-9])?$/;
/** The store of the directory has this name where an operator names one. */
const DIRECTORY_NAME = 'directory';

type Setting = keyof typeof shardSettings;

/**
 * Reads the shards of both environments.
 * @param storeUrl what the location of a store looks like
 * @throws ConfigError
 */
export function readShards(read: (name: Setting) => string | undefined, storeUrl: RegExp): ShardConfig {
  const production = shardsOf(read, 'BROADSIDE_ADS_SHARDS', 'BROADSIDE_ADS_SHARDS_AUTH_TOKENS', storeUrl);
  const sandbox = shardsOf(read, 'BROADSIDE_SANDBOX_SHARDS', 'BROADSIDE_SANDBOX_SHARDS_AUTH_TOKENS', storeUrl);
  return { ...(production ? { production } : {}), ...(sandbox ? { sandbox } : {}) };
}

function shardsOf(
  read: (name: Setting) => string | undefined,
  setting: Setting,
  tokenSetting: Setting,
  storeUrl: RegExp,
): readonly ShardLocation[] | undefined {
  const text = read(setting);
  const tokens = pairs(tokenSetting, read(tokenSetting), 'name=token');
  const found = pairs(setting, text, 'name=URL');
  const unknown = [...tokens.keys()].findIndex((name) => !found.has(name));
  if (unknown !== -1)
    throw new ConfigError(`${tokenSetting} names in entry ${unknown + 1} a shard that ${setting} lacks.`);
  if (found.size === 0) return undefined;
  return [...found].map(([name, url]) => {
    if (!storeUrl.test(url)) {
      throw new ConfigError(
        `${setting} has no location for ${name}: it must be a URL such as libsql://${name}.example.com, or a file such as file:/srv/broadside/${name}.db.`,
      );
    }
    return { name, url, authToken: tokens.get(name) };
  });
}

function pairs(setting: string, text: string | undefined, form: string): Map<string, string> {
  const found = new Map<string, string>();
  // What is wrong may be a part of a token: the entry is numbered instead.
  for (const [i, part] of (text?.split(',').map((one) => one.trim()) ?? []).entries()) {
    const [, name = '', value = ''] = /^([^=]*)=(.*)$/s.exec(part) ?? [];
    if (!NAME.test(name) || name === DIRECTORY_NAME || value === '') {
      throw new ConfigError(
        `${setting} must be ${form} separated by commas, with names of up to 32 lower-case letters, digits and hyphens other than "${DIRECTORY_NAME}"; entry ${i + 1} is wrong.`,
      );
    }
    if (found.has(name)) throw new ConfigError(`${setting} has the name of entry ${i + 1} twice.`);
    found.set(name, value);
  }
  return found;
}

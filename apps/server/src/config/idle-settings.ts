/** Settings that are valid and have no effect beside the others, or contradict them. */
import { addressSettings, type Environment, schemeOf } from './addresses.ts';
import type { Config } from './config.ts';

const stores = [
  ['platform', 'BROADSIDE_DATABASE'],
  ['production', 'BROADSIDE_ADS_DATABASE'],
  ['sandbox', 'BROADSIDE_SANDBOX_DATABASE'],
] as const;

/**
 * Returns a sentence about each setting that is probably a mistake, without its value. A start goes on with them.
 * @param env what the configuration was read from
 */
export function idleSettings(
  { role, stores: located, metrics, tls, baseUrls }: Pick<Config, 'role' | 'stores' | 'metrics' | 'tls' | 'baseUrls'>,
  env: Environment,
): string[] {
  const isSet = (name: string) => Boolean(env[name]);
  const found: string[] = [];
  for (const name of ['BROADSIDE_INTERNAL_URL', 'BROADSIDE_INTERNAL_ADDRESS']) {
    if (role !== 'worker' && isSet(name)) found.push(`${name} has no effect: it is for BROADSIDE_ROLE=worker.`);
  }
  for (const [store, name] of stores) {
    if (located[store] === undefined && isSet(`${name}_AUTH_TOKEN`)) {
      found.push(`${name}_AUTH_TOKEN has no effect without ${name}_URL: the store is a file in the data directory.`);
    }
  }
  for (const name of ['BROADSIDE_METRICS_PORT', 'BROADSIDE_METRICS_HOST']) {
    if (metrics !== undefined || !isSet(name)) continue;
    const why = isSet('BROADSIDE_METRICS') ? 'BROADSIDE_METRICS is 0' : 'metrics are off, set BROADSIDE_METRICS=1';
    found.push(`${name} has no effect: ${why}.`);
  }
  for (const listener of ['api', 'ads', 'sandbox'] as const) {
    if (schemeOf(tls, listener) !== 'https' || !baseUrls[listener]?.startsWith('http:')) continue;
    found.push(
      `${addressSettings.baseUrls[listener]} begins with http:, and its listener speaks TLS: clients sign the address that they call, so it has to begin with https:.`,
    );
  }
  return found;
}

/** The network between one server and the stores and Redis: a proxy before each of them, so that it can be made slower. */
import { type ProxyServer, startProxy } from '@broadside/test-servers/proxy';

/** The settings that say where something is. */
const PLACES = [
  'BROADSIDE_DATABASE_URL',
  'BROADSIDE_ADS_DATABASE_URL',
  'BROADSIDE_SANDBOX_DATABASE_URL',
  'BROADSIDE_SANDBOX_SHARDS',
  'BROADSIDE_SANDBOX_REPLICAS',
  'BROADSIDE_SHARED_URL',
] as const;

/** See the top of this file. */
export class Network {
  readonly #proxies: { readonly setting: string; readonly proxy: ProxyServer }[] = [];

  /** Puts itself before what settings lead to. @returns the settings that lead through it */
  async before(settings: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>> {
    const through: Record<string, string> = { ...settings };
    for (const name of PLACES) {
      let value = settings[name];
      for (const [place = '', port = ''] of settings[name]?.matchAll(/127\.0\.0\.1:(\d+)/g) ?? []) {
        const proxy = await startProxy(Number(port));
        this.#proxies.push({ setting: name, proxy });
        value = value?.replace(place, `127.0.0.1:${proxy.port}`);
      }
      if (value !== undefined) through[name] = value;
    }
    return through;
  }

  /** Has each round trip take so many whole milliseconds longer from now on, or each to what one setting leads to. */
  delay(ms: number, only?: (typeof PLACES)[number]): void {
    const there = Math.ceil(ms / 2);
    for (const { setting, proxy } of this.#proxies) {
      if (only === undefined || only === setting) proxy.delay(there, ms - there);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#proxies.map(({ proxy }) => proxy.close()));
  }
}

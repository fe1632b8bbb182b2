/** The dialects of a server: loaded at its start, and shared by its listeners. */
import { readdirSync, readFileSync } from 'node:fs';
import { Dialect, type DialectFile } from '@broadside/core/dialect';
import { errorCode, errorText } from '../error-text.ts';
import { packageFile } from '../package-file.ts';
import { checkedDialects } from './checked-dialects.ts';
import { DialectFileError } from './dialect-file-error.ts';
import { ListenerDialects } from './listener-dialects.ts';

type Listener = keyof DialectFile['hosts'];

/** The dialects that a server loads. */
export interface DialectSettings {
  /** Names of shipped ones, and paths of files. */
  readonly load: readonly string[];
  /** The dialect that a listener speaks to requests that choose none, by name. */
  readonly own: { readonly [Name in Listener]?: string };
}

/** Dialects as they are given to other threads. */
export interface LoadedDialects extends Pick<DialectSettings, 'own'> {
  readonly files: readonly DialectFile[];
}

const FOLDER = 'dialects';
const EXTENSION = '.yaml';

/** Returns the names of the dialects that are shipped. */
export function shippedDialects(): readonly string[] {
  return readdirSync(packageFile(FOLDER))
    .filter((file) => file.endsWith(EXTENSION))
    .map((file) => file.slice(0, -EXTENSION.length))
    .toSorted();
}

/**
 * Reads dialects.
 * @throws DialectFileError
 */
export async function loadDialects({ load, own }: DialectSettings): Promise<LoadedDialects> {
  const files = await Promise.all(load.map((given) => checkedDialects.get(given) ?? readNamed(given)));
  const taken = new Map<string, string>();
  for (const [index, { name, prefix, hosts }] of files.entries()) {
    for (const place of [name, prefix, ...Object.values(hosts).flat()]) {
      if (place === undefined) continue;
      const other = taken.get(place);
      if (other !== undefined) {
        throw new DialectFileError(
          `BROADSIDE_DIALECTS: ${other} and ${load[index]} both have "${place}"; load one of them`,
        );
      }
      taken.set(place, `${load[index]}`);
    }
  }
  for (const [listener, name] of Object.entries(own)) {
    if (files.some((file) => file.name === name)) continue;
    const names = files.map((file) => file.name);
    throw new DialectFileError(
      `BROADSIDE_LISTENER_DIALECTS: ${listener}=${name} is none of the dialects that are loaded: ${names.join(', ') || 'none; set BROADSIDE_DIALECTS'}`,
    );
  }
  return { files, own };
}

async function readNamed(given: string): Promise<DialectFile> {
  const isPath = /[./\\]/.test(given);
  const file = isPath ? given : packageFile(`${FOLDER}/${given}${EXTENSION}`);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const shipped = `${shippedDialects().join(', ')}; a file has a path such as ./example.yaml`;
    const code = errorCode(error);
    throw new DialectFileError(
      isPath || code !== 'ENOENT'
        ? `The dialect ${given} cannot be read: ${errorText(error)}`
        : `BROADSIDE_DIALECTS: no dialect "${given}" is shipped. Those that are: ${shipped}`,
    );
  }
  // With its reader of YAML it is loaded where it is needed: most starts read no file.
  const { readDialectFile } = await import('./read-file.ts');
  return readDialectFile(text, isPath ? given : `${given}${EXTENSION}`);
}

/** The dialects of a server. */
export class Dialects {
  readonly #dialects: readonly Dialect[];
  readonly #own: LoadedDialects['own'];
  /** The origin of the first port, by that of any listener in the same dialect and domain. */
  readonly #platform = new Map<string, string>();

  constructor({ files, own }: LoadedDialects) {
    this.#dialects = files.map((file) => new Dialect(file));
    this.#own = own;
    for (const { hosts } of files) {
      for (const origin of Object.values(hosts).flat()) {
        const near = hosts.api.find((other) => domainOf(other) === domainOf(origin)) ?? hosts.api[0];
        if (near !== undefined) this.#platform.set(origin, hosts.api.includes(origin) ? origin : near);
      }
    }
  }

  /** The dialects of a listener; `undefined` where there are none. */
  of(listener: Listener): ListenerDialects | undefined {
    if (this.#dialects.length === 0) return undefined;
    const own = this.#dialects.find(({ name }) => name === this.#own[listener]);
    return new ListenerDialects(listener, this.#dialects, own);
  }

  /** The origin of a listener for a client that reached one at an origin of a dialect. */
  listenerUrl(listener: Listener, reached: string): string | undefined {
    const found = this.#dialects.find(({ file: { hosts } }) => Object.values(hosts).flat().includes(reached));
    const origins = found?.file.hosts[listener] ?? [];
    return origins.find((other) => domainOf(other) === domainOf(reached)) ?? origins[0];
  }

  /** The origin of the first port for a client that reached a listener at one of a dialect. */
  platformUrl(reached: string): string | undefined {
    return this.#platform.get(reached);
  }
}

/** The last two names of a host. */
function domainOf(origin: string): string {
  return new URL(origin).hostname.split('.').slice(-2).join('.');
}

/** The dialects of a listener. A request chooses one by its host or by a prefix of its path; a listener can have one of its own. */
import type { IncomingMessage } from 'node:http';
import type { Dialect, DialectFile } from '@broadside/core/dialect';
import type { Spoken } from './spoken.ts';

interface Host {
  readonly dialect: Dialect;
  readonly origin: string;
}

/** Translates the paths of requests at the entrance of a listener. */
export class ListenerDialects {
  readonly #hosts = new Map<string, Host>();
  readonly #prefixes: readonly (readonly [prefix: string, dialect: Dialect])[];
  readonly #own: Dialect | undefined;
  readonly #listener: keyof DialectFile['hosts'];
  readonly #dialects: readonly Dialect[];
  /** Nearly all requests that are in no dialect name the host of the one before. */
  #unknown = '';

  /** @param own the dialect of requests that choose none */
  constructor(listener: keyof DialectFile['hosts'], dialects: readonly Dialect[], own?: Dialect) {
    for (const dialect of dialects) {
      for (const origin of dialect.file.hosts[listener]) this.#hosts.set(new URL(origin).host, { dialect, origin });
    }
    this.#prefixes = dialects.flatMap((dialect) => {
      const { prefix } = dialect.file;
      return prefix === undefined ? [] : [[prefix, dialect] as const];
    });
    this.#own = own;
    this.#listener = listener;
    this.#dialects = dialects;
  }

  /** Finds the dialect of a request, and gives it the target that it has in the interface. Does nothing the second time. */
  readonly enter = (request: IncomingMessage): void => {
    if (request.spoken !== undefined) return;
    const target = request.url ?? '/';
    const host = this.#hostOf(request.headers.host ?? '');
    if (host !== undefined) {
      const { dialect, origin } = host;
      translate(request, { dialect, target, baseUrl: origin, prefix: '' }, target);
      return;
    }
    for (const [prefix, dialect] of this.#prefixes) {
      if (!startsWith(target, prefix)) continue;
      const rest = target.slice(prefix.length);
      const own = rest.startsWith('/') ? rest : `/${rest}`;
      translate(request, { dialect, target, baseUrl: undefined, prefix }, own);
      return;
    }
    if (this.#own) translate(request, { dialect: this.#own, target, baseUrl: undefined, prefix: '' }, target);
  };

  /** Finds a dialect that has a path of which the interface knows nothing, and how a request to this listener would choose it. */
  understanding(path: string): { dialect: Dialect; path: string; choice: string } | undefined {
    for (const dialect of this.#dialects) {
      const own = dialect.pathOf(path);
      if (own === path) continue;
      const [host] = dialect.file.hosts[this.#listener];
      const choices = [
        ...(host === undefined ? [] : [`the host ${new URL(host).host}, where \`broadside proxy\` leads clients`]),
        ...(dialect.file.prefix === undefined ? [] : [`the prefix ${dialect.file.prefix}`]),
        `BROADSIDE_LISTENER_DIALECTS=${this.#listener}=${dialect.name}`,
      ];
      return { dialect, path: own, choice: choices.join(', or ') };
    }
    return undefined;
  }

  #hostOf(named: string): Host | undefined {
    const known = this.#hosts.get(named);
    if (known !== undefined || named === this.#unknown) return known;
    const [, name = named, port] = /^(.*?)(?::(\d+))?$/.exec(named.toLowerCase()) ?? [];
    const found = this.#hosts.get(port === undefined ? name : `${name}:${port}`) ?? this.#atDefaultPort(name, port);
    if (found === undefined) this.#unknown = named;
    return found;
  }

  /** Some clients name the port also where it is that of the scheme. */
  #atDefaultPort(name: string, port: string | undefined): Host | undefined {
    const host = this.#hosts.get(name);
    const isDefault = host !== undefined && port === (host.origin.startsWith('https:') ? '443' : '80');
    return isDefault ? host : undefined;
  }
}

function startsWith(target: string, prefix: string): boolean {
  if (!target.startsWith(prefix)) return false;
  const next = target[prefix.length];
  return next === undefined || next === '/' || next === '?';
}

/** @param own the target that was received, without a prefix */
function translate(request: IncomingMessage, spoken: Spoken, own: string): void {
  const { dialect } = spoken;
  const mark = own.indexOf('?');
  request.url = mark === -1 ? dialect.pathOf(own) : dialect.pathOf(own.slice(0, mark)) + own.slice(mark);
  request.spoken = spoken;
}

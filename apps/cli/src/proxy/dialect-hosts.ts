/** The hosts of dialects, as their files name them. */
import path from 'node:path';
import { UsageError } from '../errors.ts';
import type { HostTable } from './hosts.ts';
import type { Upstream } from './upstreams.ts';

/** A dialect's name and its hosts. */
export interface DialectHosts {
  readonly name: string;
  readonly hosts: HostTable;
}

const upstreams: readonly Upstream[] = ['api', 'ads', 'sandbox'];

/**
 * Reads the hosts of dialects.
 * @param given names of shipped ones and paths of files, separated by commas; all that ship when left out
 * @throws UsageError when one is missing or wrong, or has no host that a proxy can answer for
 */
export async function hostsOfDialects(given: string | undefined, cwd: string): Promise<readonly DialectHosts[]> {
  const { DialectFileError, loadDialects, shippedDialects } = await import('@broadside/server/dialects');
  const load = given?.split(',').map((name) => (/[./\\]/.test(name) ? path.resolve(cwd, name) : name));
  try {
    const { files } = await loadDialects({ load: load ?? shippedDialects(), own: {} });
    return files.map(({ name, hosts }) => {
      const entries = upstreams.flatMap((upstream) =>
        hosts[upstream].flatMap((origin): [string, Upstream][] => {
          const { protocol, hostname, port } = new URL(origin);
          return protocol === 'https:' && port === '' ? [[hostname, upstream]] : [];
        }),
      );
      if (entries.length === 0) throw new UsageError(`The dialect ${name} names no https hosts`);
      return { name, hosts: new Map(entries) };
    });
  } catch (error) {
    if (error instanceof DialectFileError) throw new UsageError(error.message.replace(/^BROADSIDE_DIALECTS: /, ''));
    throw error;
  }
}

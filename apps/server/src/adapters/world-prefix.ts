/** Addresses that name a world by a prefix of their path, since they carry no credential: `/~w4k2m9xq/media/...`. */
import type { IncomingMessage } from 'node:http';
import { WORLD_HEADER } from '../pipeline/choose-world.ts';

const PREFIX = /^\/~([a-z0-9]+)(?=[/?]|$)/;

/**
 * Takes the prefix off the path of a request and puts its world into the header that names one. The prefix of an unknown world stays,
 * so that there is no such path. Does nothing the second time.
 */
export function enterWorld(request: IncomingMessage, isWorld: (id: string) => boolean): void {
  const target = request.url ?? '/';
  if (!target.startsWith('/~') || request.received !== undefined) return;
  const [prefix = '', id = ''] = PREFIX.exec(target) ?? [];
  if (!isWorld(id)) return;
  const rest = target.slice(prefix.length);
  request.received = target;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  request.headers[WORLD_HEADER] = id;
}

/** Finds the route that a request without one may have meant. It follows from the path and the contract alone, so it discloses nothing. */
import {
  allAuthOperations,
  allDataOperations,
  allOperations,
  allPages,
  allUploadOperations,
  isOffered,
  type NearestRoute,
  nearestRoute,
  type RouteOf,
} from '@broadside/core';
import type { Dialect } from '@broadside/core/dialect';
import type { ListenerDialects } from '../../dialects/listener-dialects.ts';
import type { Spoken } from '../../dialects/spoken.ts';
import type { Authenticator } from '../../pipeline/verify-caller.ts';
import { routedMethods } from './routes.ts';

type ListenerUrl = Authenticator['listenerUrl'];
type ListenerName = Parameters<ListenerUrl>[0];

/** Names of the listeners, as the greeting of a start has them. */
export const listenerTitles: Readonly<Record<ListenerName, string>> = {
  api: 'the listener of authentication and data',
  ads: 'the advertising listener',
  sandbox: 'the listener of the advertising sandbox',
};

const environments = { ads: 'production', sandbox: 'sandbox' } as const;

/** All routes of the contract, and the documents of the server. */
function* allRoutes(): Generator<RouteOf<ListenerName>> {
  for (const operation of [...allAuthOperations, ...allDataOperations, ...allUploadOperations, ...allPages]) {
    const { http } = operation;
    const aliases = 'aliases' in http ? (http.aliases ?? []) : [];
    const methods = operation.kind === 'page' ? ['GET', 'HEAD', 'POST'] : routedMethods<string>(http.method);
    for (const path of [http.path, ...aliases]) yield { path, methods, listener: 'api' };
  }
  for (const listener of ['ads', 'sandbox'] as const) {
    const offered = allOperations.filter((operation) => isOffered(operation, environments[listener]));
    for (const [path, members] of Map.groupBy(offered, ({ http }) => http.path)) {
      yield { path, methods: members.flatMap(({ http }) => routedMethods<string>(http.method)), listener };
    }
  }
  for (const listener of ['api', 'ads', 'sandbox'] as const) {
    for (const path of ['/docs', '/openapi.json', '/health', '/ready'])
      yield { path, methods: ['GET', 'HEAD'], listener };
  }
}

/** The same in a dialect. What it accepts beside its words leads to the path in those words, under the version that was sent. */
function* routesIn(dialect: Dialect): Generator<RouteOf<ListenerName>> {
  for (const route of allRoutes()) {
    const { shown, paths, others, versions } = dialect.formsOf(route.path);
    for (const path of paths) yield { ...route, path, shown, versions };
    for (const path of others) yield { ...route, path };
  }
}

type Find = ReturnType<typeof nearestRoute<ListenerName>>;

let own: Find | undefined;
const inDialects = new WeakMap<Dialect, Find>();

function finderOf(dialect: Dialect | undefined): Find {
  if (!dialect) {
    own ??= nearestRoute(allRoutes());
    return own;
  }
  const made = inDialects.get(dialect) ?? nearestRoute(routesIn(dialect));
  inDialects.set(dialect, made);
  return made;
}

/** The place at which a request arrived. */
interface Place {
  readonly listener: ListenerName;
  /** The base URL under which the client reached it. */
  readonly reached: string;
  readonly listenerUrl: ListenerUrl;
  /** The dialect of the request. */
  readonly spoken: Spoken | undefined;
  /** The dialects that the listener knows. */
  readonly dialects: ListenerDialects | undefined;
}

/**
 * Returns a sentence that names the nearest route in the words of the request, and in what it differs.
 * @param path as it was received
 */
export function nearestPath(place: Place, method: string, path: string): string | undefined {
  const { listener, spoken } = place;
  const prefix = spoken?.prefix ?? '';
  const near = finderOf(spoken?.dialect)(listener, method, path.slice(prefix.length));
  if (near) return sentenceOf(place, method, near, []);
  return spoken ? undefined : pathOfDialect(place, method, path);
}

/** The same for a path that is one of a dialect, which the request did not choose: our choice. */
function pathOfDialect(place: Place, method: string, path: string): string | undefined {
  const { listener, dialects } = place;
  const found = dialects?.understanding(path);
  const near = found && finderOf(undefined)(listener, method, found.path, true);
  if (!near) return undefined;
  const { dialect, choice } = found;
  return sentenceOf(place, method, near, [
    `The path is in the words of the dialect ${dialect.name}, which requests choose by ${choice}`,
  ]);
}

function sentenceOf(
  { listener, reached, listenerUrl, spoken }: Place,
  method: string,
  near: NearestRoute<ListenerName>,
  more: readonly string[],
): string {
  const { slips, path } = near;
  const said = near.methods.includes(method) ? method : near.methods.join(' or ');
  const version = path.split('/')[1] ?? '';
  const reasons = [
    ...(near.listener === listener ? [] : [`It is on ${listenerTitles[near.listener]}${at(near.listener)}`]),
    ...(slips.includes('version') ? [`This path has version ${version}`] : []),
    ...(slips.includes('slash') ? ['Paths have no empty part, and no slash at their end'] : []),
    ...(slips.includes('letter case') ? ['The case of letters counts'] : []),
    ...(slips.includes('ending') ? ['Paths have no ending for the format'] : []),
    ...more,
  ];
  const suggested = `Did you mean ${said} ${spoken?.prefix ?? ''}${path}?`;
  return [suggested, ...reasons.map((reason) => `${reason}.`)].join(' ').replace(/\.$/, '');

  function at(other: ListenerName): string {
    const url = listenerUrl(other, reached);
    return url === undefined ? '' : `, ${url}`;
  }
}

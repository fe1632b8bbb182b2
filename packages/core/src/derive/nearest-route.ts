/** Finds the route that somebody meant who asked for a path that does not exist. Looks at the path alone, never at what is stored. */
import leven from 'leven';

/** A path with its methods, on one of several listeners. */
export interface RouteOf<Listener extends string> {
  /** Segments, those that are parameters written `:name`. */
  readonly path: string;
  /** The path to name in place of this one, with the same parameters at the same places. */
  readonly shown?: string;
  /** Other versions that the path is served under. */
  readonly versions?: readonly string[];
  readonly methods: readonly string[];
  readonly listener: Listener;
}

/** In what a path differs from a route. */
export type RouteSlip = 'slash' | 'letter case' | 'version' | 'ending' | 'spelling' | 'method';

/** The nearest route. */
export interface NearestRoute<Listener extends string> {
  /** The path to ask for: that of the route, with what was sent in place of its parameters. */
  readonly path: string;
  readonly methods: readonly string[];
  readonly listener: Listener;
  readonly slips: readonly RouteSlip[];
}

/** No longer path is compared; those of the contract are far shorter. */
const MAX_PATH = 300;
const MAX_SEGMENTS = 12;
/** Letters by which a whole path may differ. */
const MOST_LETTERS = 3;

const costs: Readonly<Record<RouteSlip, number>> = {
  slash: 0.1,
  'letter case': 0.1,
  version: 0.4,
  ending: 0.4,
  spelling: 0,
  method: 0.2,
};
const OTHER_LISTENER = 0.3;
/** Of slips that change what a path says, no more are made at once: `/1.1/account/verify_credentials.json` is no account of version 12. */
const MOST_SLIPS = 2;
const CHANGING: readonly RouteSlip[] = ['version', 'ending', 'spelling'];
/** A name is preferred to a parameter. */
const PARAMETER = 0.01;
/** The version of a path, also as people write it. */
const VERSION = /^v?\d+(?:\.\d+)?$/i;
/** The endings that clients of other services append to paths. */
const ENDING = /\.(?:json|xml)$/i;

/**
 * Returns the function that finds the nearest of these routes; none where none is near. Its last argument says that the path may be one of
 * the listener's own, which is then the nearest.
 */
export function nearestRoute<Listener extends string>(routes: Iterable<RouteOf<Listener>>) {
  const byLength = Map.groupBy(
    Array.from(routes, (route) => ({
      ...route,
      segments: segmentsOf(route.path),
      named: segmentsOf(route.shown ?? route.path),
    })),
    ({ segments }) => segments.length,
  );
  return (listener: Listener, method: string, path: string, mayExist = false): NearestRoute<Listener> | undefined => {
    if (path.length > MAX_PATH) return undefined;
    const sent = segmentsOf(path);
    if (sent.length > MAX_SEGMENTS) return undefined;
    const isPlain = path === `/${sent.join('/')}`;
    let best: { readonly cost: number; readonly found: NearestRoute<Listener> } | undefined;
    for (const length of [sent.length, sent.length + 1]) {
      for (const route of byLength.get(length) ?? []) {
        // One more segment: the version was left out.
        const given = length === sent.length ? sent : ['', ...sent];
        const compared = compare(given, route);
        if (!compared) continue;
        const slips = new Set(compared.slips);
        if (CHANGING.filter((slip) => slips.has(slip)).length > MOST_SLIPS) continue;
        if (!isPlain) slips.add('slash');
        if (!route.methods.includes(method)) slips.add('method');
        if (slips.size === 0 && route.listener === listener && !mayExist) continue;
        let cost = compared.cost + (route.listener === listener ? 0 : OTHER_LISTENER);
        for (const slip of slips) cost += costs[slip];
        if (best && best.cost <= cost) continue;
        const { methods, listener: on } = route;
        best = { cost, found: { path: `/${compared.path.join('/')}`, methods, listener: on, slips: [...slips] } };
      }
    }
    return best?.found;
  };
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}

interface Compared {
  readonly path: readonly string[];
  readonly slips: readonly RouteSlip[];
  readonly cost: number;
}

/** Compares segments one by one. Returns nothing where one is too different. */
function compare(
  sent: readonly string[],
  {
    segments: route,
    named,
    versions,
  }: { readonly segments: readonly string[]; readonly named: readonly string[]; readonly versions?: readonly string[] },
): Compared | undefined {
  const path: string[] = [];
  const slips: RouteSlip[] = [];
  let cost = 0;
  let letters = 0;
  for (const [at, name] of route.entries()) {
    const isLast = at === route.length - 1;
    let given = sent[at] ?? '';
    const isVersion = at === 0 && VERSION.test(name);
    if (given === '' && !isVersion) return undefined;
    if (isVersion && versions?.includes(given)) {
      path.push(given);
      continue;
    }
    if (isLast && ENDING.test(given) && !ENDING.test(name)) {
      given = given.replace(ENDING, '');
      slips.push('ending');
    }
    path.push(name.startsWith(':') ? given : (named[at] ?? name));
    if (name.startsWith(':')) cost += PARAMETER;
    else if (given === name) continue;
    else if (given.toLowerCase() === name.toLowerCase()) slips.push('letter case');
    else if (isVersion && (given === '' || VERSION.test(given))) slips.push('version');
    else {
      const most = Math.min(MOST_LETTERS - letters, Math.max(1, Math.floor(name.length / 3)));
      if (isVersion || Math.abs(given.length - name.length) > most) return undefined;
      const differs = leven(given.toLowerCase(), name.toLowerCase(), { maxDistance: most + 1 });
      if (differs > most) return undefined;
      letters += differs;
      cost += differs;
      slips.push('spelling');
    }
  }
  return { path, slips, cost };
}

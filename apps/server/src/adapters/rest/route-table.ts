/** Finds paths of the contract as the router of the framework would. */

/** A path that was found. */
export interface Found<Route> {
  readonly route: Route;
  /** Parameters of the path. */
  readonly path: Readonly<Record<string, string>>;
}

interface Node<Route> {
  readonly named: Map<string, Node<Route>>;
  /** The continuation after a segment of any name. */
  any: Node<Route> | undefined;
  end: { readonly route: Route; readonly names: readonly string[] } | undefined;
}

/** The longest path that is looked up. The router of the framework bounds parameters at the same length. */
const MAX_LENGTH = 500;

/** Characters that a path can have besides letters and digits and need no decoding: - . _ ~ , : */
const PLAIN: ReadonlySet<number> = new Set([0x2d, 0x2e, 0x5f, 0x7e, 0x2c, 0x3a]);

function isPlain(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0x41 && code <= 0x5a) ||
    PLAIN.has(code)
  );
}

const SLASH = 0x2f;
const QUESTION_MARK = 0x3f;

export class RouteTable<Route> {
  readonly #root: Node<Route> = newNode();

  /** @param path segments, those that are parameters written `:name` */
  add(path: string, route: Route): void {
    let node = this.#root;
    const names: string[] = [];
    for (const segment of path.slice(1).split('/')) {
      if (segment.startsWith(':')) {
        names.push(segment.slice(1));
        node.any ??= newNode();
        node = node.any;
        continue;
      }
      const next: Node<Route> = node.named.get(segment) ?? newNode();
      node.named.set(segment, next);
      node = next;
    }
    node.end = { route, names };
  }

  /**
   * Finds a complete path in one pass over its characters. They have to mean themselves; anything else is not found, and left to
   * the framework.
   * @param target path and query as they came
   */
  find(target: string): Found<Route> | undefined {
    return this.#find(segmentsOf(target));
  }

  /** Finds any path, also one with characters that have to be decoded. */
  findDecoded(target: string): Found<Route> | undefined {
    return this.#find(decodedSegmentsOf(target));
  }

  #find(segments: string[] | undefined): Found<Route> | undefined {
    if (segments === undefined) return undefined;
    const values: string[] = [];
    const end = walk(this.#root, segments, 0, values);
    if (end === undefined) return undefined;
    const path: Record<string, string> = {};
    let place = 0;
    for (const name of end.names) path[name] = values[place++] ?? '';
    return { route: end.route, path };
  }
}

function newNode<Route>(): Node<Route> {
  return { named: new Map(), any: undefined, end: undefined };
}

/** Takes a path apart. Returns `undefined` where a segment is empty, or has characters that would have to be decoded. */
function segmentsOf(target: string): string[] | undefined {
  if (target.charCodeAt(0) !== SLASH) return undefined;
  const segments: string[] = [];
  let start = 1;
  let at = 1;
  for (; at < target.length; at++) {
    const code = target.charCodeAt(at);
    if (isPlain(code)) continue;
    if (code === QUESTION_MARK) break;
    if (code !== SLASH || at === start) return undefined;
    segments.push(target.slice(start, at));
    start = at + 1;
  }
  if (at === start || at > MAX_LENGTH) return undefined;
  segments.push(target.slice(start, at));
  return segments;
}

/** Takes a path apart and decodes it. Returns `undefined` where a segment is empty or too long, or cannot be decoded. */
function decodedSegmentsOf(target: string): string[] | undefined {
  const path = target.replace(/^https?:\/\/[^/]*/i, '').replace(/[?#].*$/s, '');
  if (!path.startsWith('/')) return undefined;
  try {
    const segments = path.slice(1).split('/').map(decodeURIComponent);
    return segments.every(({ length }) => length > 0 && length <= MAX_LENGTH) ? segments : undefined;
  } catch {
    return undefined;
  }
}

/** A name is preferred to a parameter, on each level. */
function walk<Route>(node: Node<Route>, segments: readonly string[], at: number, values: string[]): Node<Route>['end'] {
  const segment = segments[at];
  if (segment === undefined) return node.end;
  const named = node.named.get(segment);
  const found = named && walk(named, segments, at + 1, values);
  if (found || node.any === undefined) return found;
  const { length } = values;
  values.push(segment);
  const other = walk(node.any, segments, at + 1, values);
  if (!other) values.length = length;
  return other;
}

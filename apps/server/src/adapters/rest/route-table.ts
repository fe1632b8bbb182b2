/** Finds paths of the contract as the router of the framework would. */

/** A path that was found. */
export interface Found<Route> {
  readonly route: Route;
  /** Parameters of the path. */
  readonly path: Readonly<Record<string, string>>;
}

interface Node<Route> {
  /** Continuations after a segment of a name, by the length of the name: nothing has to be cut out of a path to compare it. */
  readonly named: Named<Route>[][];
  /** The continuation after a segment of any name. */
  any: Node<Route> | undefined;
  end: End<Route> | undefined;
}

interface Named<Route> {
  readonly name: string;
  readonly node: Node<Route>;
}

interface End<Route> {
  readonly route: Route;
  /** Names of the parameters, and which segments they are. */
  readonly parameters: readonly (readonly [name: string, place: number])[];
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

/** Where the segments of the path at hand begin and end in its text. */
const begins: number[] = [];
const ends: number[] = [];

export class RouteTable<Route> {
  readonly #root: Node<Route> = newNode();

  /** @param path segments, those that are parameters written `:name` */
  add(path: string, route: Route): void {
    let node = this.#root;
    const parameters: [string, number][] = [];
    for (const [place, segment] of path.slice(1).split('/').entries()) {
      if (segment.startsWith(':')) {
        parameters.push([segment.slice(1), place]);
        node.any ??= newNode();
        node = node.any;
      } else {
        node = named(node, segment);
      }
    }
    node.end = { route, parameters };
  }

  /**
   * Finds a complete path in one pass over its characters. They have to mean themselves; anything else is not found, and left to
   * the framework.
   * @param target path and query as they came
   */
  find(target: string): Found<Route> | undefined {
    return this.#find(target, cut(target));
  }

  /** Finds any path, also one with characters that have to be decoded. */
  findDecoded(target: string): Found<Route> | undefined {
    const segments = decodedSegmentsOf(target);
    if (segments === undefined) return undefined;
    let end = 0;
    for (const [place, segment] of segments.entries()) {
      begins[place] = end;
      end += segment.length;
      ends[place] = end;
    }
    return this.#find(segments.join(''), segments.length);
  }

  /** @param count of the segments */
  #find(text: string, count: number): Found<Route> | undefined {
    const end = count === 0 ? undefined : walk(this.#root, text, 0, count);
    if (end === undefined) return undefined;
    const path: Record<string, string> = {};
    for (const [name, place] of end.parameters) path[name] = text.slice(begins[place], ends[place]);
    return { route: end.route, path };
  }
}

function newNode<Route>(): Node<Route> {
  return { named: [], any: undefined, end: undefined };
}

/** The continuation after a segment of a name, which is made where there is none. */
function named<Route>(node: Node<Route>, name: string): Node<Route> {
  // Without holes, which would make it slow.
  while (node.named.length <= name.length) node.named.push([]);
  const alike = node.named[name.length] ?? [];
  const known = alike.find((other) => other.name === name);
  if (known) return known.node;
  const made = { name, node: newNode<Route>() };
  alike.push(made);
  return made.node;
}

/** Takes a path apart. @returns the number of its segments; 0 where one is empty, or has characters that would have to be decoded */
function cut(target: string): number {
  if (target.charCodeAt(0) !== SLASH) return 0;
  let count = 0;
  let start = 1;
  let at = 1;
  for (; at < target.length; at++) {
    const code = target.charCodeAt(at);
    if (isPlain(code)) continue;
    if (code === QUESTION_MARK) break;
    if (code !== SLASH || at === start) return 0;
    begins[count] = start;
    ends[count] = at;
    count += 1;
    start = at + 1;
  }
  if (at === start || at > MAX_LENGTH) return 0;
  begins[count] = start;
  ends[count] = at;
  return count + 1;
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
function walk<Route>(node: Node<Route>, text: string, at: number, count: number): End<Route> | undefined {
  if (at === count) return node.end;
  const begin = begins[at] ?? 0;
  for (const { name, node: next } of node.named[(ends[at] ?? 0) - begin] ?? NONE) {
    if (!text.startsWith(name, begin)) continue;
    const found = walk(next, text, at + 1, count);
    if (found) return found;
    break;
  }
  return node.any && walk(node.any, text, at + 1, count);
}

const NONE: readonly never[] = [];

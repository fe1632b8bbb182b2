/** Finds the path of the interface for one of a dialect. */
import type { DialectFile } from './format.ts';
import type { Vocabulary } from './vocabulary.ts';

interface Node {
  readonly named: Map<string, Node>;
  /** The continuation after a segment of any name. */
  any: Node | undefined;
  /** The path of the interface: its segments, those that are parameters as the place of the value among those found. */
  end: readonly (string | number)[] | undefined;
}

/** A path with more segments is none of the interface. */
const MAX_SEGMENTS = 12;

/** The paths of a dialect. */
export class DialectPaths {
  readonly #root: Node = newNode();

  /** @param templates paths of the interface, parameters written `:name` */
  constructor(templates: Iterable<string>, vocabulary: Vocabulary, file: Pick<DialectFile, 'versions' | 'paths'>) {
    const all = [...new Set(templates)];
    // Each path under its own segments first: what the interface has itself is never something else.
    for (const path of all) this.#add(path, path);
    const addVersions = (path: string, form: string, target: string) => {
      this.#add(form, target);
      for (const version of otherVersions(path, file)) this.#add(form.replace(/^\/[^/]+/, `/${version}`), target);
    };
    for (const [theirs, ours] of Object.entries(file.paths)) addVersions(theirs, theirs, ours);
    for (const path of all) for (const form of variants(path, vocabulary)) addVersions(path, form, path);
  }

  /**
   * Returns a path in the words of the interface; `undefined` for one that it does not have.
   * @param path as it was received, without the query
   */
  find(path: string): string | undefined {
    const segments = path.split('/');
    if (segments[0] !== '' || segments.length > MAX_SEGMENTS) return undefined;
    const values: string[] = [];
    const end = walk(this.#root, segments, 1, values);
    if (end === undefined) return undefined;
    let found = '';
    for (const segment of end) found += `/${typeof segment === 'string' ? segment : values[segment]}`;
    return found;
  }

  /** The first that is added has the path. */
  #add(template: string, target: string): void {
    let node = this.#root;
    const names: string[] = [];
    for (const segment of template.slice(1).split('/')) {
      if (segment.startsWith(':')) {
        names.push(segment);
        node.any ??= newNode();
        node = node.any;
        continue;
      }
      const next: Node = node.named.get(segment) ?? newNode();
      node.named.set(segment, next);
      node = next;
    }
    let place = 0;
    node.end ??= target
      .slice(1)
      .split('/')
      .map((segment) => {
        if (!segment.startsWith(':')) return segment;
        const named = names.indexOf(segment);
        return named === -1 ? place++ : named;
      });
  }
}

function newNode(): Node {
  return { named: new Map(), any: undefined, end: undefined };
}

function walk(node: Node, segments: readonly string[], at: number, values: string[]): Node['end'] {
  const segment = segments[at];
  if (segment === undefined) return node.end;
  const named = node.named.get(segment);
  const found = named && walk(named, segments, at + 1, values);
  if (found || node.any === undefined || segment === '') return found;
  const { length } = values;
  values.push(segment);
  const other = walk(node.any, segments, at + 1, values);
  if (!other) values.length = length;
  return other;
}

/** Returns the other versions that a path is served under. */
export function otherVersions(path: string, { versions }: Pick<DialectFile, 'versions'>): readonly string[] {
  const [, version, rest = ''] = /^\/([^/]+)(.*)$/.exec(path) ?? [];
  return versions
    .filter((known) => known.version === version)
    .filter(({ below }) => below?.some((start) => rest === start || rest.startsWith(`${start}/`)) ?? true)
    .flatMap((known) => known.also);
}

/** Yields a path with each of its fixed segments in each form. */
export function* variants(path: string, vocabulary: Vocabulary): Generator<string> {
  const at = path.indexOf('/', 1);
  const first = path.slice(1, at === -1 ? undefined : at);
  const rest = at === -1 ? [''] : [...variants(path.slice(at), vocabulary)];
  for (const form of [first, ...vocabulary.formsOf(first)]) for (const end of rest) yield `/${form}${end}`;
}

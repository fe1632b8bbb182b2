/** Checks a dialect against the contract: each word that it gives another form must be one, and have one form only. */
import { errorCatalogue } from '../errors/catalogue.ts';
import { nearestName } from '../operation/nearest-name.ts';
import { dialectOperations } from './dialect.ts';
import type { DialectFile } from './format.ts';
import { templatesOf, visitOperation } from './words.ts';

/** A mistake in a dialect file. */
export interface DialectIssue {
  /** The members that lead to its place. */
  readonly path: readonly (string | number)[];
  /** Says what would be right. */
  readonly message: string;
}

/** The words of the interface. */
interface Words {
  readonly names: ReadonlySet<string>;
  readonly values: ReadonlySet<string>;
  readonly templates: ReadonlySet<string>;
}

let made: Words | undefined;

function wordsOfContract(): Words {
  if (made) return made;
  const names = new Set<string>();
  const values = new Set<string>(Object.keys(errorCatalogue));
  const templates = new Set<string>();
  for (const operation of dialectOperations) {
    for (const template of templatesOf(operation)) {
      templates.add(template);
      for (const segment of template.slice(1).split('/')) names.add(segment.replace(/^:/, ''));
    }
    visitOperation(operation, (name, ofName) => {
      names.add(name);
      for (const value of ofName) values.add(value);
    });
  }
  made = { names, values, templates };
  return made;
}

/** Returns the mistakes of a dialect that follow from the contract. */
export function checkDialect({ names, values, accepted, versions, paths }: DialectFile): readonly DialectIssue[] {
  const words = wordsOfContract();
  // Words of fields and expansions are names too, and each part of a path of names is one.
  const allNames = new Set([...words.names, ...[...words.values].flatMap((value) => [value, ...value.split('.')])]);
  const issues: DialectIssue[] = [
    ...checkTable('names', names, allNames, 'name'),
    ...checkTable('values', values, words.values, 'value'),
    ...checkTable('accepted', accepted, allNames, 'name', true),
  ];
  const templates = [...words.templates];
  for (const [index, { version, below = [] }] of versions.entries()) {
    if (!templates.some((path) => path.startsWith(`/${version}/`))) {
      issues.push({ path: ['versions', index, 'version'], message: `the interface has no version ${version}` });
    }
    for (const [at, start] of below.entries()) {
      if (templates.some((path) => `${path}/`.startsWith(`/${version}${start}/`))) continue;
      issues.push({
        path: ['versions', index, 'below', at],
        message: `no path of the interface begins with /${version}${start}`,
      });
    }
  }
  for (const [theirs, ours] of Object.entries(paths)) {
    if (!words.templates.has(ours)) {
      issues.push({
        path: ['paths', theirs],
        message: `the interface has no path ${ours}${meant(ours, words.templates)}`,
      });
      continue;
    }
    if (parametersOf(theirs) === parametersOf(ours)) continue;
    issues.push({ path: ['paths', theirs], message: `expected the parameters of ${ours}, in their order` });
  }
  return issues;
}

function checkTable(
  table: 'names' | 'values' | 'accepted',
  entries: Readonly<Record<string, string>>,
  known: ReadonlySet<string>,
  noun: string,
  manyToOne = false,
): DialectIssue[] {
  const taken = new Map<string, string>();
  return Object.entries(entries).flatMap(([theirs, ours]): DialectIssue[] => {
    const path = [table, theirs];
    if (!known.has(ours)) return [{ path, message: `"${ours}" is no ${noun} of the interface${meant(ours, known)}` }];
    if (theirs === ours) return [{ path, message: `the ${noun} is the same in the interface; leave it out` }];
    if (!manyToOne && known.has(theirs))
      return [{ path, message: `"${theirs}" is a ${noun} of the interface itself; leave it out` }];
    const other = taken.get(ours);
    taken.set(ours, theirs);
    if (manyToOne || other === undefined) return [];
    return [{ path, message: `"${ours}" has the form "${other}" already; move one of them to "accepted"` }];
  });
}

function meant(word: string, known: ReadonlySet<string>): string {
  const near = nearestName(word, known);
  return near === undefined ? '' : `; did you mean "${near}"?`;
}

function parametersOf(template: string): string {
  return template
    .split('/')
    .filter((segment) => segment.startsWith(':'))
    .join('/');
}

/**
 * The names that an entry of a package exports, read off its sources: `export *` is followed, and what is exported as a value
 * and as a type under one name is both.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, type StaticExportEntry } from 'oxc-parser';

/** Kind of an exported name. A class is a value. */
export type Kind = 'type' | 'value';

type Names = Map<string, Set<Kind>>;

function add(names: Names, name: string, kinds: Iterable<Kind>): void {
  const known = names.get(name) ?? new Set();
  for (const kind of kinds) known.add(kind);
  names.set(name, known);
}

const cache = new Map<string, ReadonlyMap<string, ReadonlySet<Kind>>>();

/**
 * Reads the exports of a module.
 * @param file a TypeScript source
 */
export function exportedNames(file: string): ReadonlyMap<string, ReadonlySet<Kind>> {
  const known = cache.get(file);
  if (known) return known;
  const names: Names = new Map();
  cache.set(file, names);
  const { module, errors } = parseSync(file, readFileSync(file, 'utf8'));
  if (errors.length > 0) throw new SyntaxError(`${file}: ${errors[0]?.message}`);
  for (const { entries } of module.staticExports) {
    for (const entry of entries) readEntry(entry, file, names);
  }
  return names;
}

function readEntry(entry: StaticExportEntry, file: string, names: Names): void {
  const { exportName, importName, moduleRequest, isType } = entry;
  const isRelative = moduleRequest?.value.startsWith('.') ?? false;
  const source = isRelative && moduleRequest ? path.resolve(path.dirname(file), moduleRequest.value) : undefined;
  if (importName.kind === 'AllButDefault') {
    if (source === undefined) throw new TypeError(`${file}: export * from another package hides what is exported`);
    for (const [name, kinds] of exportedNames(source)) {
      if (name !== 'default') add(names, name, isType ? ['type'] : kinds);
    }
    return;
  }
  const name = exportName.kind === 'Default' ? 'default' : (exportName.name ?? '');
  const original = importName.kind === 'Name' && source !== undefined ? exportedNames(source) : undefined;
  const kinds = original?.get(importName.name ?? '') ?? ['value'];
  add(names, name, isType ? ['type'] : kinds);
}

/** The dialect that the server ships, for tests, and one that changes nothing. */
import { readFileSync } from 'node:fs';
import { Dialect } from '../dialect.ts';
import { DialectFile } from '../format.ts';

const SHIPPED = new URL('../../../../../apps/server/dialects/twitter.yaml', import.meta.url);

/** Reads the tables of the shipped file, whose lines are `theirs: ours` below the name of a table. */
export function shippedWords(): Pick<DialectFile, 'names' | 'values' | 'accepted'> {
  const tables: Record<string, Record<string, string>> = {};
  let table: Record<string, string> = {};
  for (const line of readFileSync(SHIPPED, 'utf8').split('\n')) {
    const [, name] = /^(\w+):$/.exec(line) ?? [];
    const [, theirs, ours] = /^ {2}([\w.]+): ([\w.]+)$/.exec(line) ?? [];
    if (name !== undefined) tables[name] = table = {};
    else if (theirs !== undefined && ours !== undefined) table[theirs] = ours;
  }
  const { names = {}, values = {}, accepted = {} } = tables;
  return { names, values, accepted };
}

export const twitter: Dialect = new Dialect(
  DialectFile.parse({ name: 'twitter', description: 'For tests.', ...shippedWords() }),
);

/** A dialect that has the words of the interface. */
export const same: Dialect = new Dialect(DialectFile.parse({ name: 'same', description: 'For tests.' }));

/** What a statement changes besides the table that it names: the tables that triggers write, as the schema of the store has them. */
import { LibsqlError } from '@libsql/client/sqlite3';
import type { Outcome, Step } from './steps.ts';

/** Reads the version of the schema, within a batch. */
export const VERSION_STEP: Step = { sql: 'SELECT schema_version FROM pragma_schema_version', args: [] };

/** Reads what {@link effectsOf} takes, within a batch. */
export const EFFECT_STEPS: readonly Step[] = [
  VERSION_STEP,
  { sql: `SELECT tbl_name, sql FROM sqlite_schema WHERE type = 'trigger'`, args: [] },
];

/** What follows on a verb that writes; of `DO UPDATE SET` a word that is no table. */
const WRITTEN =
  /\b(?:INSERT\s+(?:OR\s+\w+\s+)?INTO|REPLACE\s+INTO|UPDATE(?:\s+OR\s+\w+)?|DELETE\s+FROM)\s+(?:"([^"]+)"|(\w+))/gi;

/** The effects of triggers at one version of a schema. */
export interface TriggerEffects {
  readonly version: bigint;
  /** Returns the tables that a statement may change which writes a table, with that one; in lower case. */
  readonly of: (table: string) => ReadonlySet<string>;
}

/** @returns the version that {@link VERSION_STEP} has read */
export function versionOf(outcome: Outcome): bigint | undefined {
  if (outcome === undefined || outcome instanceof LibsqlError) return undefined;
  const version = outcome.rows[0]?.[0];
  return typeof version === 'bigint' ? version : undefined;
}

/** @param outcomes those of {@link EFFECT_STEPS} @returns `undefined` where they were not run */
export function effectsOf([versioned, found]: readonly Outcome[]): TriggerEffects | undefined {
  const version = versionOf(versioned);
  if (version === undefined || found === undefined || found instanceof LibsqlError) return undefined;
  const direct = new Map<string, Set<string>>();
  for (const [name, sql] of found.rows) {
    const table = String(name).toLowerCase();
    const own = direct.get(table) ?? new Set();
    direct.set(table, own);
    const text = String(sql);
    // What stands before it are the event and the condition.
    const body = text.slice(Math.max(0, text.search(/\bBEGIN\b/i)));
    for (const [, quoted, plain] of body.matchAll(WRITTEN)) own.add((quoted ?? plain ?? '').toLowerCase());
  }
  const all = new Map<string, ReadonlySet<string>>();
  const of = (table: string): ReadonlySet<string> => {
    const known = all.get(table);
    if (known !== undefined) return known;
    const reached = new Set([table]);
    // A set that grows is gone through to its new end.
    for (const one of reached) for (const next of direct.get(one) ?? []) reached.add(next);
    all.set(table, reached);
    return reached;
  };
  return { version, of };
}

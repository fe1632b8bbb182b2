/**
 * The batch of statements that plays drafts together: without savepoints, a read once for all that ask for it before it can have
 * changed, and rows for the same table in one statement. A server compiles each statement anew, with all triggers of its table, which takes
 * most of the time of a small write. Where a statement fails, the batch says nothing of the others, and the drafts are played one by one.
 */
import { LibsqlError } from '@libsql/client/sqlite3';
import type { BoundValue } from '../arguments.ts';
import { statementKey } from '../draft.ts';
import type { Draft, DraftedStatement } from '../session.ts';
import { sqlFacts } from '../sql-text.ts';
import { inTransaction } from './draft-script.ts';
import type { Done, Outcome, Step } from './steps.ts';
import { type TriggerEffects, VERSION_STEP } from './trigger-effects.ts';

/** A read of one table and of no other. What is not of this form may read anything. */
const READ =
  /^SELECT\b(?:(?!\bFROM\b)[\s\S])*\bFROM\s+"(\w+)"(?:\s+(?:WHERE|ORDER|GROUP|LIMIT)\b(?:(?!\b(?:FROM|JOIN|UNION|INTERSECT|EXCEPT)\b)[\s\S])*)?$/i;

/** A row for a table, with a parameter for each value. */
const ROW = /^(INSERT(?: OR FAIL)? INTO "\w+" \([^()]*\) VALUES )(\((?:\?, )*\?\))$/;

/** SQLite takes 32,766 parameters. */
const MOST_VALUES = 30_000;

/** What is sent once. */
interface Piece {
  readonly sql: string;
  /** The arguments; for rows that are inserted together, those of each. */
  readonly args: (readonly BoundValue[])[];
}

/** Where a statement is: the place of its piece, and of its row there. */
type Place = readonly [piece: number, row: number];

/** A batch that plays drafts together. */
export interface JointScript {
  readonly steps: readonly Step[];
  /** Where the version of the schema is read. What the batch gave counts only if that is the one of the effects. */
  readonly versioned: number;
  /** @returns what the statements of each draft gave; `undefined` where one has failed */
  readonly read: (outcomes: readonly Outcome[]) => readonly (readonly Done[])[] | undefined;
}

/**
 * Joins the statements of drafts.
 * @param isAgain others were played in a transaction of the same stream, which is undone
 * @returns `undefined` where nothing can be joined
 */
export function jointScript(
  drafts: readonly Draft[],
  effects: TriggerEffects,
  isAgain: boolean,
): JointScript | undefined {
  const pieces = new Pieces(effects);
  const places: (readonly Place[])[] = [];
  for (const { statements, threw } of drafts) {
    // What it wrote would have to be undone.
    if (threw && statements.some(({ writes }) => writes)) return undefined;
    const own: Place[] = [];
    for (const statement of statements) {
      const place = pieces.add(statement);
      if (place === undefined) return undefined;
      own.push(place);
    }
    places.push(own);
  }
  const isAny = drafts.length > 1 || pieces.all.length < (drafts[0]?.statements.length ?? 0);
  return isAny ? scriptOf(pieces.all, places, isAgain) : undefined;
}

class Pieces {
  readonly all: Piece[] = [];
  readonly #effects: TriggerEffects;
  readonly #reads = new Map<string, number>();
  readonly #rows = new Map<string, number>();
  /** The last piece that may change a table, and the last that reads it. */
  readonly #changed = new Map<string, number>();
  readonly #read = new Map<string, number>();
  /** The last piece that may read any table. */
  #readAny = -1;

  constructor(effects: TriggerEffects) {
    this.#effects = effects;
  }

  add({ sql, args, writes }: DraftedStatement): Place | undefined {
    return writes ? this.#addWrite(sql, args) : this.#addRead(sql, args);
  }

  #addRead(sql: string, args: readonly BoundValue[]): Place {
    const reads = READ.exec(sql)?.[1]?.toLowerCase();
    const key = statementKey(sql, args);
    const known = this.#reads.get(key);
    if (known !== undefined && reads !== undefined && !this.#isChanged(reads, known)) return [known, 0];
    const place = this.all.push({ sql, args: [args] }) - 1;
    this.#reads.set(key, place);
    if (reads === undefined) this.#readAny = place;
    else this.#read.set(reads, place);
    return [place, 0];
  }

  #addWrite(sql: string, args: readonly BoundValue[]): Place | undefined {
    const { kind, table } = sqlFacts(sql);
    if (kind !== 'write' || table === undefined) return undefined;
    const changes = this.#effects.of(table);
    const isRow = ROW.test(sql);
    const known = isRow ? this.#rows.get(sql) : undefined;
    const piece = known === undefined ? undefined : this.all[known];
    if (known !== undefined && piece !== undefined && this.#takes(piece, known, changes, args)) {
      return [known, piece.args.push(args) - 1];
    }
    const place = this.all.push({ sql, args: [args] }) - 1;
    for (const one of changes) this.#changed.set(one, place);
    if (isRow) this.#rows.set(sql, place);
    return [place, 0];
  }

  /** Returns whether a table may have been changed after a read. */
  #isChanged(table: string, place: number): boolean {
    return (this.#changed.get(table) ?? -1) > place;
  }

  /** Returns whether a row may be inserted with those of an earlier piece: nothing in between sees that, or changes the same. */
  #takes({ args: rows }: Piece, place: number, changes: ReadonlySet<string>, args: readonly BoundValue[]): boolean {
    if (args.length * (rows.length + 1) > MOST_VALUES || args.length !== rows[0]?.length) return false;
    const isSeen = this.#readAny > place || [...changes].some((table) => (this.#read.get(table) ?? -1) > place);
    return !isSeen && ![...changes].some((table) => this.#isChanged(table, place));
  }
}

function scriptOf(pieces: readonly Piece[], places: readonly (readonly Place[])[], isAgain: boolean): JointScript {
  const steps: Step[] = isAgain ? [{ sql: 'ROLLBACK', args: [], condition: inTransaction }] : [];
  steps.push({ sql: 'BEGIN IMMEDIATE', args: [] });
  const add = ({ sql, args }: Step): number =>
    steps.push({
      sql,
      args,
      condition: { type: 'and', conds: [{ type: 'ok', step: steps.length - 1 }, inTransaction] },
    }) - 1;
  const versioned = add(VERSION_STEP);
  // For each piece, the steps that its rows are in, with the number of rows of each.
  const sent = pieces.map(({ sql, args }) =>
    chunks(args).map((rows) => ({
      step: add({ sql: textOf(sql, rows.length), args: rows.flat() }),
      rows: rows.length,
    })),
  );
  const read = (outcomes: readonly Outcome[]) => {
    const given: Done[][] = [];
    for (const [i, parts] of sent.entries()) {
      const own: Done[] = [];
      for (const { step, rows } of parts) {
        const outcome = outcomes[step];
        if (outcome === undefined || outcome instanceof LibsqlError) return undefined;
        if (rows === 1) own.push(outcome);
        else if (outcome.changed !== rows) return undefined;
        else for (let row = 0; row < rows; row += 1) own.push({ rows: [], changed: 1 });
      }
      given[i] = own;
    }
    return places.map((own) => own.flatMap(([piece, row]) => given[piece]?.[row] ?? []));
  };
  return { steps, versioned, read };
}

/** Parts of a power of two each, the largest first: a server keeps the texts that it is sent, and there are few of them then. */
function chunks<Item>(items: readonly Item[]): Item[][] {
  const parts: Item[][] = [];
  for (let at = 0; at < items.length; ) {
    const size = 2 ** Math.floor(Math.log2(items.length - at));
    parts.push(items.slice(at, at + size));
    at += size;
  }
  return parts;
}

function textOf(sql: string, rows: number): string {
  if (rows === 1) return sql;
  const [, head, row] = ROW.exec(sql) ?? [];
  return `${head}${Array.from({ length: rows }, () => row).join(', ')}`;
}

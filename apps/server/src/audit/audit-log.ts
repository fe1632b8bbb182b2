/**
 * Reads the change logs of a world as one list. Each page costs the same however long a log is: a filter by entity, user, account or by what
 * a change was made with has an index, times are found by halving, and of what is compared row by row a bounded number is read for a page.
 */
import { decodeCursor, encodeCursor, type Page, parseJson } from '@broadside/core';
import { type AuditEntry, type AuditLogName, auditLogs } from '@broadside/core/resources/operator';
import { type Awaitable, chain } from '../awaitable.ts';
import type { Database } from '../db/database.ts';
import { findSeqAt, ways } from './log-statements.ts';

/** What is asked of the logs. */
export interface AuditQuery {
  readonly log?: AuditLogName | undefined;
  readonly user_id?: string | undefined;
  readonly platform?: AuditEntry['change_by_platform'] | undefined;
  readonly account_id?: string | undefined;
  readonly entity?: string | undefined;
  /** Beside `entity`. */
  readonly entity_id?: string | undefined;
  readonly change_type?: AuditEntry['change_type'] | undefined;
  readonly start_time?: string | undefined;
  readonly end_time?: string | undefined;
  readonly count: number;
  readonly cursor?: string | undefined;
}

/** Changes of an index that are compared for a page: it may have many more than are asked for. */
const MOST_READ = 20_000;
/** Changes that were made at once can be numbered in another order than that of their times, by no more than this. */
const APART_MS = 60_000;
const ORDER = 'audit';
const LATEST = 2n ** 63n - 1n;

/** A part of a log: changes that were found, and where the next read begins, if there is more. */
interface Part {
  readonly log: AuditLogName;
  readonly entries: readonly AuditEntry[];
  readonly next: bigint | undefined;
}

type Positions = Readonly<Record<AuditLogName, bigint>>;

export class AuditLog {
  readonly #databases: Readonly<Record<AuditLogName, Database>>;

  constructor(databases: Readonly<Record<AuditLogName, Database>>) {
    this.#databases = databases;
  }

  /**
   * Returns a page, the newest first; it can have fewer changes than fit, and others follow all the same.
   * @returns `undefined` when the cursor is not one of such a list
   */
  async list(asked: AuditQuery): Promise<Page<AuditEntry> | undefined> {
    const positions = asked.cursor === undefined ? beginning : readCursor(asked.cursor);
    if (!positions) return undefined;
    const logs = auditLogs.filter((log) => (asked.log ?? log) === log && positions[log] > 0n);
    const parts = await Promise.all(logs.map((log) => this.#read(log, asked, positions[log])));
    return merged(parts, asked.count, positions);
  }

  async #read(log: AuditLogName, asked: AuditQuery, before: bigint): Promise<Part> {
    const database = this.#databases[log];
    const from = asked.start_time === undefined ? 0n : await seqAt(database, asked.start_time, -APART_MS);
    const until = asked.end_time === undefined ? LATEST : await seqAt(database, asked.end_time, APART_MS);
    const span = { from, before: until < before ? until : before };
    const way = wayOf(asked);
    const end = await way.end(database, { ...span, scan: MOST_READ });
    const args = { ...span, from: end?.seq ?? from, ...comparedOf(asked), limit: asked.count + 1 };
    const found = await way.list(database, args);
    const entries = found.map(({ seq, ...row }) => ({
      ...row,
      id: `${log}-${seq}`,
      log,
      changes: fieldsOf(row.changes),
      entity_data: fieldsOf(row.entity_data),
    }));
    return { log, entries, next: (found.length > asked.count ? found.at(-1) : end)?.seq };
  }
}

const beginning: Positions = { platform: LATEST, production: LATEST, sandbox: LATEST };

async function seqAt(database: Database, time: string, apart_ms: number): Promise<bigint> {
  const shifted = new Date(Date.parse(time) + apart_ms).toISOString().replace(/\.\d+Z$/, 'Z');
  return (await findSeqAt.first(database, { time: shifted }))?.seq ?? 0n;
}

type ListArgs = Parameters<typeof ways.all.list.all>[1];
type EndArgs = Parameters<typeof ways.all.end.all>[1];
type Row = Awaited<ReturnType<typeof ways.all.list.all>>[number];

interface Way {
  list(database: Database, args: ListArgs): Awaitable<Row[]>;
  end(database: Database, args: EndArgs): Awaitable<{ readonly seq: bigint } | undefined>;
}

/** The index that has the fewest changes that are not asked for. */
function wayOf({ entity, entity_id, user_id, account_id, platform }: AuditQuery): Way {
  if (entity !== undefined && entity_id !== undefined) return wayBy(ways.entity, { entity, entity_id });
  if (user_id !== undefined) return wayBy(ways.user, { user_id });
  // Only what no user has made is found by this.
  if (platform === 'OPERATOR' || platform === 'SERVER') return wayBy(ways.platform, { by_platform: platform });
  if (account_id !== undefined) return wayBy(ways.account, { of_account: account_id });
  return wayBy(ways.all, {});
}

interface Statements<Key> {
  readonly list: { all(database: Database, args: ListArgs & Key): Awaitable<Row[]> };
  readonly end: { all(database: Database, args: EndArgs & Key): Awaitable<{ readonly seq: bigint }[]> };
}

function wayBy<Key extends object>({ list, end }: Statements<Key>, key: Key): Way {
  return {
    list: (database, args) => list.all(database, { ...args, ...key }),
    end: (database, args) => chain(end.all(database, { ...args, ...key }), ([last]) => last),
  };
}

function comparedOf(asked: AuditQuery) {
  return {
    log_account: asked.account_id ?? null,
    log_entity: asked.entity ?? null,
    log_user: asked.user_id ?? null,
    log_platform: asked.platform ?? null,
    log_type: asked.change_type ?? null,
    start_time: asked.start_time ?? null,
    end_time: asked.end_time ?? null,
  };
}

/** Joins parts of logs by the times of their changes; within a log their order stays. */
function merged(parts: readonly Part[], count: number, positions: Positions): Page<AuditEntry> {
  const heads = parts.map((part) => ({ ...part, taken: 0 }));
  const data: AuditEntry[] = [];
  while (data.length < count) {
    // A log that was not read to its end, and gives nothing more, may have newer changes than the others.
    if (heads.some(({ entries, taken, next }) => taken === entries.length && next !== undefined)) break;
    const open = heads.filter(({ entries, taken }) => taken < entries.length);
    const first = open.reduce<(typeof heads)[number] | undefined>(
      (best, head) => (best && timeOf(best) >= timeOf(head) ? best : head),
      undefined,
    );
    const entry = first?.entries[first.taken];
    if (!first || !entry) break;
    data.push(entry);
    first.taken++;
  }
  const after: Record<AuditLogName, bigint> = { platform: 0n, production: 0n, sandbox: 0n };
  for (const head of heads) after[head.log] = positionOf(head, positions[head.log]);
  const isOver = Object.values(after).every((position) => position === 0n);
  return {
    data,
    next_cursor: isOver ? null : encodeCursor({ order: ORDER, after: auditLogs.map((log) => after[log]) }),
  };
}

function timeOf({ entries, taken }: { readonly entries: readonly AuditEntry[]; readonly taken: number }): string {
  return entries[taken]?.change_time ?? '';
}

/** Where the next page begins in a log: 0 where the log is over. */
function positionOf({ entries, taken, next }: Part & { readonly taken: number }, before: bigint): bigint {
  if (taken === entries.length) return next ?? 0n;
  const last = entries[taken - 1];
  return last === undefined ? before : BigInt(last.id.slice(last.log.length + 1));
}

function readCursor(text: string): Positions | undefined {
  const cursor = decodeCursor(text);
  const [platform, production, sandbox, ...more] = cursor?.order === ORDER ? cursor.after : [];
  const isOurs = [platform, production, sandbox].every((position) => typeof position === 'bigint');
  if (!isOurs || more.length > 0) return undefined;
  return { platform: toLong(platform), production: toLong(production), sandbox: toLong(sandbox) };
}

function toLong(position: string | bigint | undefined): bigint {
  return typeof position === 'bigint' ? position : 0n;
}

function fieldsOf(json: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(Object(parseJson(json))));
}

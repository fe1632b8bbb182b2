/**
 * Reads the change logs of a world as one list. Each page costs the same however long a log is: a filter by entity, user, account or by what
 * a change was made with has an index, times are found by halving, and of what is compared row by row a bounded number is read for a page.
 */
import { decodeCursor, encodeCursor, type Page, parseJson } from '@broadside/core';
import { type AuditEntry, type AuditLogName, auditLogs } from '@broadside/core/resources/operator';
import { type Awaitable, chain } from '../awaitable.ts';
import type { Database } from '../db/database.ts';
import { unorderedUntil } from '../db/moved-log.ts';
import { inPlace } from '../world/shards/in-place.ts';
import { DIRECTORY } from '../world/shards/places.ts';
import { readOfShard } from '../world/shards/shard-away.ts';
import type { Shards } from '../world/shards/shards.ts';
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
  /** Ids of changes: of their sources, only later ones. */
  readonly after?: readonly string[] | undefined;
  readonly count: number;
  readonly cursor?: string | undefined;
}

/** Changes of an index that are compared for a page: it may have many more than are asked for. */
const MOST_READ = 20_000;
/** Changes that were made at once can be numbered in another order than that of their times, by no more than this. */
const APART_MS = 60_000;
const ORDER = 'audit';
const LATEST = 2n ** 63n - 1n;

/** A store with a change log. The log of an environment is in several, where its accounts are spread over shards. */
interface Source {
  /** Distinguishes it from others: the log, and the shard where it is on one. */
  readonly name: string;
  readonly log: AuditLogName;
  /** Where accounts can be in other stores too: the shard, empty for the store of the directory. */
  readonly shard: string | undefined;
  /** @throws StoreUnreachableError */
  readonly database: () => Database;
}

/** A part of a log: changes that were found, and where the next read begins, if there is more. */
interface Part {
  readonly name: string;
  readonly entries: readonly AuditEntry[];
  readonly next: bigint | undefined;
}

/** The changes before which the next page begins, by the names of sources; 0 where nothing is left. */
type Positions = ReadonlyMap<string, bigint>;

/** The shards of logs whose accounts are spread over some. */
type LogShards = { readonly [Log in AuditLogName]?: Shards };

export class AuditLog {
  readonly #sources: readonly Source[];
  readonly #shards: LogShards;

  /** @param shards of environments whose accounts are spread over some */
  constructor(databases: Readonly<Record<AuditLogName, Database>>, shards: LogShards = {}) {
    this.#shards = shards;
    this.#sources = auditLogs.flatMap((log): Source[] => {
      const spread = shards[log];
      const own = { name: log, log, shard: spread && DIRECTORY, database: () => databases[log] };
      if (spread === undefined) return [own];
      const others = spread.names.map((shard) => ({
        name: `${log}/${shard}`,
        log,
        shard,
        database: () => spread.database(shard),
      }));
      return [own, ...others];
    });
  }

  /**
   * Returns a page, the newest first; it can have fewer changes than fit, and others follow all the same.
   * @returns `undefined` when the cursor is not one of such a list
   * @throws ShardAwayError when a shard is away that can have such changes
   */
  async list(asked: AuditQuery): Promise<Page<AuditEntry> | undefined> {
    const names = this.#sources.map(({ name }) => name);
    const positions = asked.cursor === undefined ? beginningOf(names) : readCursor(asked.cursor, names);
    if (!positions) return undefined;
    const sources = await this.#sourcesOf(asked);
    const left = sources.filter(({ name }) => before(positions, name) > 0n);
    const known = new Map((asked.after ?? []).map(placeOf));
    const parts = await Promise.all(
      left.map((source) => {
        const first = (known.get(source.name) ?? -1n) + 1n;
        return readOfShard(source.shard ?? DIRECTORY, () =>
          this.#read(source, asked, first, before(positions, source.name)),
        );
      }),
    );
    return merged(parts, asked.count, positions);
  }

  /** The sources that can have what is asked for: of an account, those of the directory, which says who may use it, and of its shard. */
  async #sourcesOf({ log: only, account_id }: AuditQuery): Promise<Source[]> {
    const asked = this.#sources.filter(({ log }) => (only ?? log) === log);
    if (account_id === undefined) return asked;
    const places = new Map<AuditLogName, string>();
    for (const log of new Set(asked.map((source) => source.log))) {
      const place = await this.#shards[log]?.places.ask(account_id);
      if (place !== undefined) places.set(log, place.shard);
    }
    return asked.filter(({ log, shard }) => shard === undefined || shard === DIRECTORY || shard === places.get(log));
  }

  async #read(source: Source, asked: AuditQuery, first: bigint, before: bigint): Promise<Part> {
    const { name, log, shard } = source;
    const database = source.database();
    // Up to there changes have come with accounts from other stores, and are in no order of time.
    const above = shard === undefined ? 0n : await unorderedUntil(database);
    const at = async (time: string, apart_ms: number) => {
      const found = await seqAt(database, time, apart_ms, above);
      return found > above ? found : undefined;
    };
    const started = (asked.start_time !== undefined && (await at(asked.start_time, -APART_MS))) || 0n;
    const from = started > first ? started : first;
    const until = asked.end_time === undefined ? LATEST : ((await at(asked.end_time, APART_MS)) ?? above + 1n);
    const span = { from, before: until < before ? until : before };
    const way = wayOf(asked);
    const end = await way.end(database, { ...span, scan: MOST_READ });
    const args = { ...span, from: end?.seq ?? from, ...comparedOf(asked), limit: asked.count + 1 };
    const found = await way.list(database, args);
    const placed = shard === undefined ? found : await inPlace(database, shard, found);
    const entries = placed.map(({ seq, ...row }) => ({
      ...row,
      id: `${name}-${seq}`,
      log,
      changes: fieldsOf(row.changes),
      entity_data: fieldsOf(row.entity_data),
    }));
    return { name, entries, next: (found.length > asked.count ? found.at(-1) : end)?.seq };
  }
}

function beginningOf(names: readonly string[]): Positions {
  return new Map(names.map((name) => [name, LATEST]));
}

function before(positions: Positions, name: string): bigint {
  return positions.get(name) ?? 0n;
}

async function seqAt(database: Database, time: string, apart_ms: number, above: bigint): Promise<bigint> {
  const shifted = new Date(Date.parse(time) + apart_ms).toISOString().replace(/\.\d+Z$/, 'Z');
  return (await findSeqAt.first(database, { time: shifted, above }))?.seq ?? above;
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
  const after = new Map([...positions.keys()].map((name) => [name, 0n]));
  for (const head of heads) after.set(head.name, positionOf(head, before(positions, head.name)));
  const left = [...after.values()];
  const isOver = left.every((position) => position === 0n);
  return { data, next_cursor: isOver ? null : encodeCursor({ order: ORDER, after: left }) };
}

function timeOf({ entries, taken }: { readonly entries: readonly AuditEntry[]; readonly taken: number }): string {
  return entries[taken]?.change_time ?? '';
}

/** Where the next page begins in a log: 0 where the log is over. */
function positionOf({ entries, taken, next }: Part & { readonly taken: number }, before: bigint): bigint {
  if (taken === entries.length) return next ?? 0n;
  const last = entries[taken - 1];
  return last === undefined ? before : placeOf(last.id)[1];
}

/** The source of a change, and its number there. */
function placeOf(id: string): [string, bigint] {
  const end = id.lastIndexOf('-');
  return [id.slice(0, end), BigInt(id.slice(end + 1))];
}

function readCursor(text: string, names: readonly string[]): Positions | undefined {
  const cursor = decodeCursor(text);
  const positions = cursor?.order === ORDER ? cursor.after : [];
  if (positions.length !== names.length) return undefined;
  const found = new Map<string, bigint>();
  for (const [i, name] of names.entries()) {
    const position = positions[i];
    if (typeof position !== 'bigint') return undefined;
    found.set(name, position);
  }
  return found;
}

function fieldsOf(json: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(Object(parseJson(json))));
}

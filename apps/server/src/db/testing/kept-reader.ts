/** A thread of a test that reads rows and pages from memory while another thread writes them, and reports what it must not see. */
import { parentPort, workerData } from 'node:worker_threads';
import { Generations } from '../generations.ts';
import { KeptTable } from '../kept-rows.ts';
import { openDatabase } from '../open-database.ts';

/** The options of a reading thread. */
export interface KeptReaderStart {
  readonly path: string;
  readonly generations: SharedArrayBuffer;
  /** The version of each pair of rows that was last acknowledged; the word behind them ends the test. */
  readonly acknowledged: SharedArrayBuffer;
  readonly pairs: number;
}

/** The observations of a reading thread. */
export interface KeptReaderReport {
  readonly reads: number;
  /** Reads without the database. */
  readonly kept: number;
  /** Reads that gave what had been outdated by an acknowledged write. */
  readonly stale: number;
  /** Reads that gave an older state than one before. */
  readonly back: number;
  /** Pages on which only one of two rows was as a transaction had written both. */
  readonly torn: number;
}

interface Versioned {
  readonly id: string;
  readonly version: number;
}

const { path, generations, acknowledged, pairs }: KeptReaderStart = workerData;
const words = new Int32Array(acknowledged);
const reading = { generations: new Generations(generations) };
const database = await openDatabase(path, { reading, keep: {} });
if (!database.kept) throw new TypeError('nothing is kept');
const scope = new KeptTable<Versioned>(database.kept, { table: 'birds', keyOf: ({ id }) => id }).scope('s');

let asked = 0;
function read(sql: string, args: string[] = []): Versioned[] {
  asked++;
  const rows = database.read(sql, args);
  if (rows instanceof Promise) throw new TypeError('the store is not embedded');
  return rows.map(([id, version]) => ({ id: String(id), version: Number(version) }));
}

const seen = new Map<string, number>();
const report = { reads: 0, kept: 0, stale: 0, back: 0, torn: 0 };

function check(row: Versioned | undefined, before: number): void {
  const version = row?.version ?? -1;
  const id = row?.id ?? '';
  if (version < before) report.stale++;
  if (version < (seen.get(id) ?? 0)) report.back++;
  seen.set(id, Math.max(version, seen.get(id) ?? 0));
}

let hasBoth = false;
parentPort?.postMessage('ready');
for (let n = 0; Atomics.load(words, pairs) === 0; n++) {
  const pair = n % pairs;
  const askedBefore = asked;
  if (n % 3 === 0) {
    const before = Array.from({ length: pairs }, (_, one) => Atomics.load(words, one));
    const whole = () => ({ data: read('SELECT id, version FROM birds ORDER BY id'), next_cursor: null });
    const page = await scope.page({ count: 100 }, whole, () => ({
      ids: () => ({ ids: read('SELECT id, 0 FROM birds ORDER BY id').map(({ id }) => id), isLast: true }),
      rows: (missing) =>
        read('SELECT id, version FROM birds WHERE id IN (SELECT value FROM json_each(?))', [JSON.stringify(missing)]),
      cursorAfter: () => '',
    }));
    const versions = new Map(page?.data.map((row) => [row.id, row.version]));
    for (let one = 0; one < pairs; one++) {
      for (const half of ['a', 'b']) {
        const id = `${one}${half}`;
        check({ id, version: versions.get(id) ?? -1 }, before[one] ?? 0);
      }
      if (versions.get(`${one}a`) !== versions.get(`${one}b`)) report.torn++;
    }
  } else {
    const before = Atomics.load(words, pair);
    const id = `${pair}${n % 2 === 0 ? 'a' : 'b'}`;
    const one = () => read('SELECT id, version FROM birds WHERE id = ? LIMIT 1', [id])[0];
    check(await scope.row(id, one), before);
  }
  report.reads++;
  if (asked === askedBefore) report.kept++;
  // Enough of both kinds, however little of the processor this thread has had.
  if (!hasBoth && report.kept > 0 && report.reads - report.kept > 10) {
    hasBoth = true;
    parentPort?.postMessage('both');
  }
}
await database.close();
parentPort?.postMessage(report satisfies KeptReaderReport);

/** A writer that keeps what it was asked to change, so that it can be done again. */
import type { Awaitable } from '../awaitable.ts';
import type { Arg, Touched, Writer } from './access.ts';
import type { Insertion } from './insertion.ts';
import type { Row } from './native-connection.ts';
import { sqlFacts } from './sql-text.ts';

/** A statement that changes something, with its arguments. */
export type Change = readonly [sql: string, args: readonly Arg[]];

export class RecordingWriter implements Writer {
  readonly writer = true;
  readonly changes: Change[] = [];
  readonly insertSoon?: NonNullable<Writer['insertSoon']>;
  readonly #writer: Writer;

  constructor(writer: Writer) {
    this.#writer = writer;
    if (writer.insertSoon) {
      this.insertSoon = (insertion: Insertion, row: readonly Arg[], touched?: Touched) => {
        this.changes.push([insertion.text(1), [...row]]);
        writer.insertSoon?.(insertion, row, touched);
      };
    }
  }

  get touched() {
    return this.#writer.touched;
  }

  query(sql: string, args?: readonly Arg[]): Promise<readonly Row[]> {
    this.#note(sql, args);
    return this.#writer.query(sql, args);
  }

  read(sql: string, args?: readonly Arg[]): Awaitable<readonly Row[]> {
    this.#note(sql, args);
    return this.#writer.read(sql, args);
  }

  run(sql: string, args?: readonly Arg[], touched?: Touched): Promise<number> {
    this.#note(sql, args);
    return this.#writer.run(sql, args, touched);
  }

  change(sql: string, args?: readonly Arg[], touched?: Touched): Awaitable<number> {
    this.#note(sql, args);
    return this.#writer.change(sql, args, touched);
  }

  #note(sql: string, args: readonly Arg[] = []): void {
    if (sqlFacts(sql).kind !== 'read') this.changes.push([sql, [...args]]);
  }
}

/** Changes as text. */
export function writeChanges(changes: readonly Change[]): string {
  return JSON.stringify(changes.map(([sql, args]) => [sql, args.map(shownArg)]));
}

function shownArg(value: Arg): unknown {
  if (typeof value === 'bigint') return { integer: `${value}` };
  return value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('base64') } : value;
}

/** Reads what {@link writeChanges} wrote. @throws TypeError */
export function readChanges(text: string): Change[] {
  const changes: unknown = JSON.parse(text);
  if (!Array.isArray(changes)) throw new TypeError('changes are a list');
  return changes.map((change: unknown): Change => {
    const [sql, args]: readonly unknown[] = Array.isArray(change) ? change : [];
    if (typeof sql !== 'string' || !Array.isArray(args)) throw new TypeError('a change is a statement with arguments');
    return [sql, args.map(argOf)];
  });
}

function argOf(value: unknown): Arg {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  if (typeof value === 'object' && 'integer' in value) return BigInt(String(value.integer));
  if (typeof value === 'object' && 'bytes' in value) return Buffer.from(String(value.bytes), 'base64');
  throw new TypeError('an argument is a text, a number or bytes');
}

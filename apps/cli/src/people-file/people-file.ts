/** A file of people: its rows for the client, and the line and column of each that is not valid. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { AudienceRow, RowProblem } from '@broadside/client';
import { messageOf, UsageError } from '../errors.ts';
import type { Io } from '../io.ts';
import { type Bytes, peek, textOf } from './bytes.ts';
import { type Columns, columnsOfHeader, isHeader, unusedColumns } from './identifier-columns.ts';
import { hasExtraCells, LineNumbers, personOf } from './people.ts';
import { recordsOf } from './table-reader.ts';
import { type Fingerprint, fingerprintOf, HEAD_BYTES } from './upload-state.ts';

/** The format of a file. */
export interface FileFormat {
  /** Found from the header when left out. */
  readonly columns: Columns | undefined;
  readonly delimiter: string | undefined;
  readonly separator: string;
}

/** A problem by its place in the file. */
export interface FileProblem {
  readonly line: number;
  /** Name or number of the column; absent where the line as a whole is not valid. */
  readonly column: string | undefined;
  readonly message: string;
}

/** A file whose beginning is read. */
export class PeopleFile {
  readonly name: string;
  /** In bytes; `undefined` for a pipe. */
  readonly size: number | undefined;
  readonly fingerprint: Fingerprint;
  /** Bytes that were read. */
  read = 0;
  readonly #bytes: Bytes;
  readonly #lines = new LineNumbers();
  /** The problems of rows whose cells may be in the wrong columns, by the number of the row. */
  readonly #misaligned = new Map<number, string>();
  #columns: Columns = { uses: [], names: [] };

  private constructor(name: string, size: number | undefined, head: Uint8Array, bytes: Bytes) {
    this.name = name;
    this.size = size;
    this.fingerprint = fingerprintOf(head, size);
    this.#bytes = bytes;
  }

  /** Opens a file, or stdin for `-`. @throws UsageError when it cannot be read */
  static async open(io: Io, word: string): Promise<PeopleFile> {
    if (word === '-') {
      if (io.stdin.isTTY) throw new UsageError('- is stdin, and nothing is piped into it');
      const { head, all } = await peek(io.stdin.bytes(), HEAD_BYTES);
      return new PeopleFile('stdin', undefined, head, all);
    }
    const file = path.resolve(io.cwd, word);
    try {
      const facts = await stat(file);
      if (facts.isDirectory()) throw new TypeError('it is a directory');
      const { head, all } = await peek(createReadStream(file), HEAD_BYTES);
      return new PeopleFile(word, facts.isFile() ? facts.size : undefined, head, all);
    } catch (error) {
      throw new UsageError(`${word} cannot be read: ${messageOf(error)}`);
    }
  }

  /**
   * The rows, once.
   * @param onColumns called with the names of the columns that are left out, when they are known
   * @throws UsageError when the file is not CSV, or has no column of identifiers
   */
  async *rows(
    { columns, delimiter, separator }: FileFormat,
    onColumns: (unused: readonly string[]) => void,
  ): AsyncGenerator<AudienceRow> {
    let row = 0;
    let known = false;
    for await (const record of recordsOf(textOf(this.#counted()), this.name, delimiter)) {
      if (!known) {
        known = true;
        this.#columns = columns ?? columnsOfHeader(record.cells, this.name);
        onColumns(unusedColumns(this.#columns));
        if (!columns || isHeader(record.cells, columns)) continue;
      }
      row += 1;
      this.#lines.add(row, record.line);
      if (hasExtraCells(record, this.#columns)) {
        const { cells } = record;
        this.#misaligned.set(
          row,
          `Expected ${this.#columns.uses.length} cells, not ${cells.length}: a cell that contains the delimiter stands in quotes`,
        );
        yield {};
      } else yield personOf(record, this.#columns, separator);
    }
    if (!known) throw new UsageError(`${this.name} is empty`);
  }

  /** Finds the place of a problem in the file. */
  placeOf({ row, field, message }: RowProblem): FileProblem {
    const line = this.#lines.of(row);
    const misaligned = this.#misaligned.get(row);
    if (misaligned !== undefined) {
      this.#misaligned.delete(row);
      return { line, column: undefined, message: misaligned };
    }
    return { line, column: field === undefined ? undefined : this.#columnOf(field), message };
  }

  /** Forgets the lines of rows that no problem can be about any more. */
  forgetBefore(row: number): void {
    this.#lines.forgetBefore(row);
  }

  #columnOf(field: string): string {
    const { uses, names } = this.#columns;
    const all = names.filter((_, index) => uses[index] === field);
    return all.length === 0 ? field : [...new Set(all)].join('/');
  }

  async *#counted(): AsyncGenerator<Uint8Array> {
    for await (const piece of this.#bytes) {
      this.read += piece.length;
      yield piece;
    }
  }
}

/** The records of a CSV file, one after the other, with the lines that they begin on. */
import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { messageOf, systemCode, UsageError } from '../errors.ts';
import { joined } from './bytes.ts';
import { delimiters } from './format.ts';

/** A record. */
export interface Line {
  readonly cells: readonly string[];
  /** The line that it begins on, from 1 on. */
  readonly line: number;
}

/** A record longer than this is one whose quotes do not end. */
const LONGEST_RECORD = 1_000_000;
/** Enough to see what separates the cells of the first lines. */
const SAMPLE = 65_536;

/**
 * Reads records. Blank lines, and lines of nothing but delimiters, are passed over.
 * @param name of the file, for messages
 * @param delimiter found from the first line when left out
 * @throws UsageError when the text is no CSV
 */
export async function* recordsOf(
  text: AsyncIterable<string>,
  name: string,
  delimiter?: string,
): AsyncGenerator<Line, void, undefined> {
  const pieces = text[Symbol.asyncIterator]();
  let sample = '';
  while (delimiter === undefined && sample.length < SAMPLE && !/[^\r\n][\r\n]/.test(sample)) {
    const { done, value } = await pieces.next();
    if (done) break;
    sample += value;
  }
  const parser = parse({
    delimiter: delimiter ?? delimiterOf(sample),
    record_delimiter: ['\r\n', '\n', '\r'],
    info: true,
    max_record_size: LONGEST_RECORD,
    relax_column_count: true,
    // A quote in the middle of a cell is one, as in 6" nails.
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
  });
  try {
    const whole = Readable.from(joined(sample === '' ? [] : [sample], pieces));
    for await (const { record, info } of pipeline(whole, parser, () => {})) {
      yield { cells: record, line: info.lines - breaksIn(record) };
    }
  } catch (error) {
    if (error instanceof CsvError) throw new UsageError(`${name} cannot be read as CSV: ${faultOf(error)}`);
    if (systemCode(error) !== undefined) throw new UsageError(`${name} cannot be read: ${messageOf(error)}`);
    throw error;
  }
}

/** The delimiter that the first line has most of, outside of quotes; a comma for a single column. */
function delimiterOf(sample: string): string {
  const [first = ''] = sample
    .replaceAll(/"(?:[^"]|"")*"/g, '')
    .trimStart()
    .split(/[\r\n]/, 1);
  let found: string = delimiters.comma;
  for (const candidate of [delimiters.semicolon, delimiters.tab]) {
    if (first.split(candidate).length > first.split(found).length) found = candidate;
  }
  return found;
}

/** Line breaks inside the cells of a record, whose line is counted at its end. */
function breaksIn(cells: readonly string[]): number {
  let count = 0;
  for (const cell of cells)
    if (cell.includes('\n') || cell.includes('\r')) count += cell.split(/\r\n|\r|\n/).length - 1;
  return count;
}

/** The parser's own messages can quote the file. */
function faultOf({ code, ...facts }: CsvError): string {
  const line = 'lines' in facts && typeof facts['lines'] === 'number' ? ` on line ${facts['lines']}` : '';
  switch (code) {
    case 'CSV_QUOTE_NOT_CLOSED':
    case 'CSV_MAX_RECORD_SIZE':
      return `a quoted cell that begins${line} or before does not end`;
    case 'CSV_INVALID_CLOSING_QUOTE':
      return `something stands between a closing quote and the end of its cell${line}`;
    default:
      return `${code}${line}`;
  }
}

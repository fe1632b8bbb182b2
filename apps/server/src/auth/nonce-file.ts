/** Reads one of the two files of a nonce log. */
import { readIfThere } from '../db/slot-file.ts';

/** One use of a nonce, as logged. */
export type NonceRecord = readonly [timestamp: number, digest: string];

/** `<timestamp> <digest>`; the digest has a fixed length, so a torn line cannot be mistaken for a whole one. */
const RECORD = /^([1-9][0-9]{0,11}) ([A-Za-z0-9_-]{22})$/;
const HEADER = /^broadside-nonces-[12] ([0-9]{1,15})$/;
/** Lines that state facts of the log, from before it had a state: the digits of a time, or the id of a boot. */
const FACT = /^(open|floor|ahead) (\S+)$/;

/** The content of a file. */
export interface NonceFile {
  /** The higher one is the newer file; 0 when the file has no header. */
  readonly sequence: number;
  readonly records: readonly NonceRecord[];
  readonly bytes: number;
  /** Timestamps up to here are rejected; 0 for none. Only in files of the first format, like the following. */
  readonly floor: number;
  /** Timestamps up to here may have been accepted ahead of the clock; 0 for none. */
  readonly aheadLimit: number;
  /** The boot in which the file was last opened. */
  readonly boot: string;
  /** The last line says that the log was closed in an orderly way. */
  readonly closed: boolean;
}

/** Reads a file, which need not exist. Lines that cannot be read are torn ones, and are skipped. */
export function readNonceFile(path: string): NonceFile {
  const text = readIfThere(path) ?? '';
  const records: NonceRecord[] = [];
  let [sequence, floor, aheadLimit, boot, closed] = [0, 0, 0, '', false];
  for (const line of text.split('\n')) {
    const record = RECORD.exec(line);
    if (record !== null) {
      records.push([Number(record[1]), record[2] ?? '']);
      closed = false;
      continue;
    }
    const header = HEADER.exec(line);
    if (header !== null) sequence = Number(header[1]);
    if (line === 'close') closed = true;
    const [, fact, value = ''] = FACT.exec(line) ?? [];
    if (fact === 'open') [boot, closed] = [value, false];
    const time = /^[0-9]{1,12}$/.test(value) ? Number(value) : 0;
    if (fact === 'floor') floor = Math.max(floor, time);
    if (fact === 'ahead') aheadLimit = Math.max(aheadLimit, time);
  }
  return { sequence, records, bytes: text.length, floor, aheadLimit, boot, closed };
}

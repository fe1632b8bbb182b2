/** The on-disk log of nonces: two files written in turn. See `nonces.ts` for its guarantees. */
import {
  closeSync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

const FILES = ['nonces.0.log', 'nonces.1.log'] as const;
const HEADER = 'broadside-nonces-1';
/** `<timestamp> <digest>`; the digest has a fixed length, so a torn line cannot be mistaken for a whole one. */
const RECORD = /^([1-9][0-9]{0,11}) ([A-Za-z0-9_-]{22})$/;

/** One of the two log files. */
interface Segment {
  readonly path: string;
  /** Generation: the higher one is the newer file; 0 when the file has no header. */
  sequence: number;
  /** The latest timestamp in any line: when that has expired, nothing in the file matters. */
  newest: number;
}

/** One use of a nonce, as logged. */
export type NonceRecord = readonly [timestamp: number, digest: string];

/** Contents of a log when it was opened. */
export interface LogContents {
  readonly records: NonceRecord[];
  /** Timestamps up to here were already dropped or rejected. */
  floor: number;
  /** Timestamps up to here may have been accepted ahead of the clock. */
  aheadLimit: number;
  /** Opened in another boot than this one and not closed cleanly. */
  linesMayBeLost: boolean;
}

/** The two files. Lines: a header, then `open <boot>`, `close`, `ahead <t>`, `floor <t>` and records. */
export class NonceLog {
  readonly contents: LogContents = { records: [], floor: 0, aheadLimit: 0, linesMayBeLost: false };
  readonly #directory: string;
  readonly #bootId: string;
  readonly #rotateBytes: number;
  readonly #latest: number;
  #current: Segment;
  #other: Segment;
  /** The open current file; `undefined` before {@link begin} and after {@link close}. */
  #file: number | undefined;
  #size = 0;
  /** The file may end with a partial line, so the next write must start a new one. */
  #torn = false;

  /** `latest` is the latest timestamp that a correct clock can have accepted: see {@link NonceLog.#newer}. */
  constructor(directory: string, bootId: string | undefined, rotateBytes: number, latest: number) {
    this.#directory = directory;
    this.#bootId = bootId ?? 'unknown';
    this.#rotateBytes = rotateBytes;
    this.#latest = latest;
    mkdirSync(directory, { recursive: true });
    const [first, second] = [this.#read(FILES[0]), this.#read(FILES[1])];
    const secondIsNewer = second.segment.sequence > first.segment.sequence;
    const newer = secondIsNewer ? second : first;
    this.#current = newer.segment;
    this.#other = secondIsNewer ? first.segment : second.segment;
    const otherBoot = bootId === undefined || newer.openedIn !== bootId;
    // A file without a header is not a log yet, unless it has content: then its header was lost.
    const used = newer.segment.sequence > 0 || first.bytes > 0 || second.bytes > 0;
    this.contents.linesMayBeLost = used && !newer.closed && otherBoot;
  }

  /** Opens the newer file for writing, and syncs a line that it is open in this boot. */
  begin(floor: number, aheadLimit: number): void {
    if (this.#current.sequence === 0) {
      this.#file = this.#start(this.#current, 1, floor, aheadLimit);
    } else {
      this.#file = openSync(this.#current.path, 'a', 0o600);
      this.#size = statSync(this.#current.path).size;
      this.#torn = true;
      this.#write(`open ${this.#bootId}\n${floorLine(floor)}`);
    }
    fsyncSync(this.#openFile());
    syncDirectory(this.#directory);
  }

  /** Logs nonces, all of them or none. `oldest` is the earliest timestamp inside the window. */
  record(records: readonly NonceRecord[], oldest: number, floor: number, aheadLimit: number): void {
    if (this.#size >= this.#rotateBytes && this.#other.newest < oldest) {
      const before = this.#openFile();
      this.#file = this.#start(this.#other, this.#current.sequence + 1, floor, aheadLimit);
      [this.#current, this.#other] = [this.#other, this.#current];
      closeSync(before);
    }
    let lines = '';
    for (const [timestamp, digest] of records) lines += `${timestamp} ${digest}\n`;
    this.#write(lines);
    for (const [timestamp] of records) if (timestamp > this.#current.newest) this.#current.newest = timestamp;
  }

  /** Syncs to disk that timestamps up to `limit` may be accepted ahead of the clock. */
  limitAhead(limit: number): void {
    this.#write(`ahead ${limit}\n`);
    fdatasyncSync(this.#openFile());
    if (limit > this.#current.newest) this.#current.newest = limit;
  }

  /** Syncs both files, then marks the log as closed. */
  close(): void {
    const file = this.#file;
    if (file === undefined) return;
    if (this.#other.sequence > 0) {
      const other = openSync(this.#other.path, 'r+');
      fsyncSync(other);
      closeSync(other);
    }
    fsyncSync(file);
    this.#write('close\n');
    fsyncSync(file);
    closeSync(file);
    this.#file = undefined;
  }

  #openFile(): number {
    if (this.#file === undefined) throw new Error('The nonce log is closed.');
    return this.#file;
  }

  /** Truncates a file, writes its header, and returns it open. When that fails the present file stays the current one. */
  #start(segment: Segment, sequence: number, floor: number, aheadLimit: number): number {
    const file = openSync(segment.path, 'a', 0o600);
    const head = `${HEADER} ${sequence}\nopen ${this.#bootId}\n${floorLine(floor)}ahead ${aheadLimit}\n`;
    try {
      ftruncateSync(file);
      writeWhole(file, head);
    } catch (error) {
      closeSync(file);
      throw error;
    }
    this.#size = head.length;
    this.#torn = false;
    segment.sequence = sequence;
    segment.newest = aheadLimit;
    return file;
  }

  #write(text: string): void {
    const file = this.#openFile();
    const line = this.#torn ? `\n${text}` : text;
    // Until the call is known to have written everything, the file may end with a partial line.
    this.#torn = true;
    writeWhole(file, line);
    this.#torn = false;
    this.#size += line.length;
  }

  /**
   * The newest timestamp of a file, when it also contains this one. One that no correct clock can have accepted was written while
   * the clock was far ahead; if it counted, the file could not be emptied until that time comes.
   */
  #newer(newest: number, timestamp: number): number {
    return timestamp > newest && timestamp <= this.#latest ? timestamp : newest;
  }

  /** Reads one file into the contents. Unreadable lines are torn ones, and are skipped. */
  #read(name: string): { segment: Segment; openedIn: string | undefined; closed: boolean; bytes: number } {
    const path = join(this.#directory, name);
    const segment: Segment = { path, sequence: 0, newest: 0 };
    const text = readIfThere(path);
    let openedIn: string | undefined;
    let closed = false;
    for (const line of text.split('\n')) {
      const record = RECORD.exec(line);
      if (record !== null) {
        const [, timestamp = '', digest = ''] = record;
        this.contents.records.push([Number(timestamp), digest]);
        segment.newest = this.#newer(segment.newest, Number(timestamp));
        closed = false;
        continue;
      }
      const [word = '', value = '', ...more] = line.split(' ');
      if (more.length > 0) continue;
      if (word === HEADER && /^[0-9]{1,15}$/.test(value)) {
        segment.sequence = Number(value);
      } else if (word === 'open' && value !== '') {
        openedIn = value;
        closed = false;
      } else if (line === 'close') {
        closed = true;
      } else if ((word === 'floor' || word === 'ahead') && /^[0-9]{1,12}$/.test(value)) {
        const which = word === 'floor' ? 'floor' : 'aheadLimit';
        this.contents[which] = Math.max(this.contents[which], Number(value));
        if (word === 'ahead') segment.newest = this.#newer(segment.newest, Number(value));
      }
    }
    return { segment, openedIn, closed, bytes: text.length };
  }
}

/** One `write()`: all of the text or an error. */
function writeWhole(file: number, text: string): void {
  const written = writeSync(file, text, null, 'latin1');
  if (written !== text.length) {
    throw new Error(`The nonce log took ${written} of ${text.length} bytes: is the disk full?`);
  }
}

function floorLine(floor: number): string {
  return `floor ${floor}\n`;
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}

/** Syncs the directory entries of new files. Some systems cannot open a directory for that, and do not need to. */
function syncDirectory(directory: string): void {
  let folder: number;
  try {
    folder = openSync(directory, 'r');
  } catch {
    return;
  }
  try {
    fsyncSync(folder);
  } catch (error) {
    if (process.platform === 'linux') throw error;
  } finally {
    closeSync(folder);
  }
}

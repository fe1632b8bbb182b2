/**
 * Remembers the nonces of accepted requests, so that a copied request is refused (RFC 5849 section 3.3), also after a
 * restart, a crash of the process or a loss of power, without waiting for the disk on each read.
 *
 * In memory nonces lie in buckets by timestamp, and a bucket whose timestamps have all left the window is dropped whole.
 * On disk each accepted nonce is one line, written with `write()` and no sync: once written it is the kernel's, and
 * the death of this process does not touch it. Those that are accepted in one turn of the event loop share a call. Two files take turns, so the log holds minutes and not months.
 *
 * Only a loss of power can take written lines back. The log therefore says, synced to disk, in which boot of the kernel it
 * was opened and whether it was closed in order. When it finds another boot and no orderly close, lines may be missing, and
 * every timestamp that could have been accepted before is refused: those up to the instant of opening, and those ahead of
 * the clock up to a limit that is put on disk before the first of them is accepted.
 *
 * One process owns a log. Replays between several processes need a registry that they share.
 */
import { hash } from 'node:crypto';
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
import { TIMESTAMP_WINDOW_SECONDS } from '@broadside/core/auth';

/** Whose nonce it is: nonces are unique for a consumer and token together (RFC 5849 section 3.3). */
export interface NonceOwner {
  readonly consumerKey: string;
  readonly token: string | undefined;
}

/** What a {@link NonceRegistry} is made of. */
export interface NonceRegistryOptions {
  /** The clock by which timestamps are judged: wall time in seconds, since clients sign with theirs. */
  readonly nowSeconds: () => number;
  /** Folder of the log, made when it is missing. Without one nothing outlives the registry. */
  readonly directory?: string | undefined;
  /** How far a timestamp may lie from the clock. Default 300. */
  readonly windowSeconds?: number | undefined;
  /** Names the kernel's present boot; `undefined` where that cannot be known, which counts as another boot each time. */
  readonly bootId?: (() => string | undefined) | undefined;
  /** A log file of this size is left for the other one, as soon as all that the other one holds has expired. */
  readonly rotateBytes?: number | undefined;
}

const BUCKET_SECONDS = 60;
const ROTATE_BYTES = 256 * 1024;
/** How much room a synced limit on timestamps ahead of the clock gives: at most one sync in so many seconds. */
const AHEAD_SECONDS = 30;
const FILES = ['nonces.0.log', 'nonces.1.log'] as const;
const HEADER = 'broadside-nonces-1';
/** `<timestamp> <digest>`; the digest has a fixed length, so a torn line cannot pass for a whole one. */
const RECORD = /^([1-9][0-9]{0,11}) ([A-Za-z0-9_-]{22})$/;

/** The boot id of a Linux kernel; `undefined` on other systems. */
function linuxBootId(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim() || undefined;
  } catch {
    return undefined;
  }
}

/** One of the two log files. */
interface Segment {
  readonly path: string;
  /** Which of the two is newer; 0 when the file has no header. */
  sequence: number;
  /** The latest timestamp that a line speaks of: when that has expired, nothing in the file matters. */
  newest: number;
}

/** See the top of this file. Make one with {@link NonceRegistry.open}. */
export class NonceRegistry {
  readonly #now: () => number;
  readonly #window: number;
  readonly #buckets = new Map<number, Set<string>>();
  /** Timestamps up to here are refused: their bucket has been dropped, or lines about them may have been lost. */
  #notBefore = 0;
  /** Buckets below this one have been dropped. */
  #firstBucket = 0;
  /** If power is lost, timestamps up to here will be refused: on disk before any ahead of the clock is accepted. */
  #aheadLimit = 0;
  readonly #log: NonceLog | undefined;
  /** What was accepted in this turn of the event loop and is not written yet. */
  #turn: Turn | undefined;

  /**
   * Opens the registry, and reads its log if it has one.
   *
   * @throws the file system's error when the folder or a file cannot be made, read or written
   */
  static open(options: NonceRegistryOptions): NonceRegistry {
    return new NonceRegistry(options);
  }

  private constructor(options: NonceRegistryOptions) {
    this.#now = options.nowSeconds;
    this.#window = options.windowSeconds ?? TIMESTAMP_WINDOW_SECONDS;
    if (options.directory === undefined) return;
    const bootId = (options.bootId ?? linuxBootId)();
    const now = Math.floor(this.#now());
    const latest = now + this.#window + AHEAD_SECONDS;
    const log = new NonceLog(options.directory, bootId, options.rotateBytes ?? ROTATE_BYTES, latest);
    this.#log = log;
    const oldest = now - this.#window;
    this.#aheadLimit = log.contents.aheadLimit;
    this.#notBefore = log.contents.floor;
    if (log.contents.linesMayBeLost) this.#notBefore = Math.max(this.#notBefore, now, this.#aheadLimit);
    for (const [timestamp, digest] of log.contents.records) {
      if (timestamp >= oldest) this.#bucket(timestamp).add(digest);
    }
    this.#forgetExpired(now);
    // The lines were read; what matters of them is in the buckets now.
    log.contents.records.length = 0;
    log.begin(this.#notBefore, this.#aheadLimit);
  }

  /** How many nonces are remembered. */
  get size(): number {
    let size = 0;
    for (const bucket of this.#buckets.values()) size += bucket.size;
    return size;
  }

  /** The latest timestamp that is refused whatever its nonce. */
  get notBefore(): number {
    return this.#notBefore;
  }

  /**
   * Uses up a nonce. Synchronous, so that of copies of a request that arrive together one wins. Call it only after the
   * signature was verified, or strangers could use up the nonces of others.
   *
   * @param owner consumer key and token, decoded
   * @param timestamp `oauth_timestamp`
   * @param nonce `oauth_nonce`, decoded
   * @returns true once; false when it was used before, and when that can no longer be known because the timestamp lies
   *   outside the window or not after {@link notBefore}
   * @throws the file system's error when the nonce cannot be written down (disk full): then it is not used up, and the
   *   request must not be served
   */
  consume(owner: NonceOwner, timestamp: number, nonce: string): boolean {
    const now = Math.floor(this.#now());
    const digest = this.#unused(owner, timestamp, nonce, now);
    if (digest === undefined) return false;
    this.#log?.record([[timestamp, digest]], now - this.#window, this.#notBefore, this.#aheadLimit);
    this.#bucket(timestamp).add(digest);
    return true;
  }

  /**
   * Uses up a nonce like {@link consume}, for servers that answer many requests at once: what arrives in one turn of the event
   * loop is written down together. Of copies one wins, whether they arrive in one turn or in several.
   *
   * @returns resolves once the nonce is written down; until then the request must not be served
   */
  accept(owner: NonceOwner, timestamp: number, nonce: string): boolean | Promise<boolean> {
    const log = this.#log;
    if (log === undefined) return this.consume(owner, timestamp, nonce);
    const now = Math.floor(this.#now());
    const digest = this.#unused(owner, timestamp, nonce, now);
    if (digest === undefined) return false;
    this.#bucket(timestamp).add(digest);
    this.#turn ??= this.#beginTurn();
    this.#turn.records.push([timestamp, digest]);
    return this.#turn.written;
  }

  #beginTurn(): Turn {
    const records: NonceRecord[] = [];
    const written = new Promise<boolean>((resolve, reject) => {
      // After the sockets that are ready have been read, before anything waits again.
      setImmediate(() => {
        try {
          this.#writeTurn();
          resolve(true);
        } catch (error) {
          reject(error);
        }
      });
    });
    return { records, written };
  }

  #writeTurn(): void {
    const records = this.#turn?.records ?? [];
    this.#turn = undefined;
    if (records.length === 0) return;
    const oldest = Math.floor(this.#now()) - this.#window;
    try {
      this.#log?.record(records, oldest, this.#notBefore, this.#aheadLimit);
    } catch (error) {
      // None of them is served, so each may come again.
      for (const [timestamp, digest] of records) this.#bucket(timestamp).delete(digest);
      throw error;
    }
  }

  /** The name of a use that is still possible, room ahead of the clock made for it; `undefined` when it is not. */
  #unused(owner: NonceOwner, timestamp: number, nonce: string, now: number): string | undefined {
    this.#forgetExpired(now);
    if (Math.abs(timestamp - now) > this.#window || timestamp <= this.#notBefore) return undefined;
    const digest = nonceDigest(owner, timestamp, nonce);
    if (this.#bucket(timestamp).has(digest)) return undefined;
    if (this.#log !== undefined && timestamp > now && timestamp > this.#aheadLimit) {
      const limit = timestamp + AHEAD_SECONDS;
      this.#log.limitAhead(limit);
      this.#aheadLimit = limit;
    }
    return digest;
  }

  /**
   * Marks the log as complete and closes it; nothing may be consumed afterwards. Does nothing when called again.
   *
   * @throws the file system's error when the log cannot be brought to disk
   */
  close(): void {
    this.#writeTurn();
    this.#log?.close();
  }

  #bucket(timestamp: number): Set<string> {
    const index = Math.floor(timestamp / BUCKET_SECONDS);
    let bucket = this.#buckets.get(index);
    if (bucket === undefined) {
      bucket = new Set();
      this.#buckets.set(index, bucket);
    }
    return bucket;
  }

  /**
   * Drops buckets that have left the window. What is dropped stays refused, also if the clock is set back; but when it is
   * set back so far that nothing could be accepted any more, the refused range is cut to what could have been accepted
   * before under the clock as it is now.
   */
  #forgetExpired(now: number): void {
    const first = Math.floor((now - this.#window) / BUCKET_SECONDS);
    if (first > this.#firstBucket) {
      this.#firstBucket = first;
      for (const index of this.#buckets.keys()) if (index < first) this.#buckets.delete(index);
      this.#notBefore = Math.max(this.#notBefore, first * BUCKET_SECONDS - 1);
    } else if (this.#notBefore > now + this.#window) {
      this.#notBefore = now + this.#window;
      this.#firstBucket = first;
    }
  }
}

/**
 * Names a use of a nonce by 128 bits of SHA-256. Each part goes in with its length, so that no choice of consumer key,
 * token and nonce gives the text of another.
 */
function nonceDigest(owner: NonceOwner, timestamp: number, nonce: string): string {
  const { consumerKey, token = '' } = owner;
  const use = `${timestamp} ${consumerKey.length} ${consumerKey} ${token.length} ${token} ${nonce}`;
  return hash('sha256', use, 'base64url').slice(0, 22);
}

/** One use of a nonce, as it is written down. */
type NonceRecord = readonly [timestamp: number, digest: string];

/** The uses of one turn of the event loop. */
interface Turn {
  readonly records: NonceRecord[];
  readonly written: Promise<boolean>;
}

/** What a log held when it was opened. */
interface LogContents {
  readonly records: NonceRecord[];
  /** Timestamps up to here were already forgotten or refused. */
  floor: number;
  /** Timestamps up to here may have been accepted ahead of the clock. */
  aheadLimit: number;
  /** Opened in another boot than this one and not closed in order. */
  linesMayBeLost: boolean;
}

/** The two files. Lines: a header, then `open <boot>`, `close`, `ahead <t>`, `floor <t>` and records. */
class NonceLog {
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
  /** The file may end in the middle of a line, so the next write must start a new one. */
  #torn = false;

  /** `latest` is the latest timestamp that a right clock can have let in: see {@link NonceLog.#newer}. */
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
    // A file without a header is none yet, unless something stands in it: then its head has been lost.
    const used = newer.segment.sequence > 0 || first.bytes > 0 || second.bytes > 0;
    this.contents.linesMayBeLost = used && !newer.closed && otherBoot;
  }

  /** Opens the newer file for writing, and puts on disk that it is open in this boot. */
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

  /** Writes down nonces, all of them or none. `oldest` is the earliest timestamp inside the window. */
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

  /** Puts on disk that timestamps up to `limit` may be accepted ahead of the clock. */
  limitAhead(limit: number): void {
    this.#write(`ahead ${limit}\n`);
    fdatasyncSync(this.#openFile());
    if (limit > this.#current.newest) this.#current.newest = limit;
  }

  /** Brings both files to disk, then says so. */
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

  /** Empties a file, writes its head, and gives it back open. When that fails the present file stays the current one. */
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
    // Until the call is known to have written everything, the file may end anywhere.
    this.#torn = true;
    writeWhole(file, line);
    this.#torn = false;
    this.#size += line.length;
  }

  /**
   * The newest timestamp of a file, when it also holds this one. One that no right clock can have let in was written while
   * the clock was far ahead; if it counted, the file could not be emptied until that time comes.
   */
  #newer(newest: number, timestamp: number): number {
    return timestamp > newest && timestamp <= this.#latest ? timestamp : newest;
  }

  /** Reads one file into the contents. Lines that cannot be read are torn ones, and are skipped. */
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

/** Brings the names of new files to disk. Some systems cannot open a folder for that, and do not need to. */
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

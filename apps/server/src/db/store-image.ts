/**
 * Keeps the files of an open store still while they are copied: what is committed goes on into the WAL, and nothing from there into the
 * file. A read transaction of the instant does that for checkpoints of other processes, such as Litestream: none goes beyond it, and what
 * goes into the file until there is in the copied part of the WAL too.
 */
import { statSync } from 'node:fs';
import type { NativeConnection } from './native-connection.ts';
import { StoreFiles, type StoreParts } from './store-files.ts';

/** A store as it was at an instant. Its files stay as they are until it is released. */
export interface StoreImage extends StoreParts {
  /** Has the store go on as before. Once. */
  release(): void;
}

/** Pages in the WAL from which a commit checkpoints, as usual. */
const CHECKPOINT_PAGES = 1000;
/** A WAL that has grown beyond this is checkpointed by another thread: a commit that did it would hold everybody up. */
const LARGE_WAL_BYTES = 12 << 20;

/** The images of one store. */
export class StoreImages {
  readonly #path: string;
  readonly #setAutoCheckpoint: (pages: number) => void;
  readonly #openReader: () => NativeConnection;
  /** Opened with the first image, and in a read transaction while there is one. */
  #reader: NativeConnection | undefined;
  #files: StoreFiles | undefined;
  #count = 0;
  #settling: Promise<void> | undefined;
  #whenQuiet: (() => void)[] = [];

  /**
   * @param setAutoCheckpoint sets the number of pages from which the writing connection checkpoints; 0 for never
   * @param openReader opens a connection that only reads
   */
  constructor(path: string, setAutoCheckpoint: (pages: number) => void, openReader: () => NativeConnection) {
    this.#path = path;
    this.#setAutoCheckpoint = setAutoCheckpoint;
    this.#openReader = openReader;
  }

  /** Pages from which a connection that is opened now has to checkpoint. */
  get autoCheckpoint(): number {
    return this.#isStill ? 0 : CHECKPOINT_PAGES;
  }

  /** Returns what is committed at this moment, to be called while a write transaction is open. */
  take(): StoreImage {
    this.#files ??= new StoreFiles(this.#path);
    this.#count += 1;
    try {
      this.#setAutoCheckpoint(0);
      // That of an earlier image holds for a later one too.
      if (this.#count === 1) this.#read();
      return { ...this.#files.parts(), release: () => this.#release() };
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  /** Resolves when there is no image any more. */
  async quiet(): Promise<void> {
    if (this.#isStill) await new Promise<void>((resolve) => this.#whenQuiet.push(resolve));
  }

  /** To be called after the connections are closed. */
  close(): void {
    this.#reader?.close();
    this.#reader = undefined;
    this.#files?.close();
    this.#files = undefined;
  }

  get #isStill(): boolean {
    return this.#count > 0 || this.#settling !== undefined;
  }

  /** Begins the read transaction: SQLite does with the first statement that reads. */
  #read(): void {
    this.#reader ??= this.#openReader();
    this.#reader.script('BEGIN; SELECT 1 FROM sqlite_master LIMIT 1');
  }

  #release(): void {
    this.#count -= 1;
    if (this.#count === 0 && this.#reader?.inTransaction) this.#reader.script('COMMIT');
    if (this.#count > 0 || this.#settling !== undefined) return;
    if (!this.#isLarge()) {
      this.#goOn();
      return;
    }
    // If it fails, a commit will do it.
    this.#settling = checkpointBeside(this.#path)
      .catch(() => {})
      .finally(() => {
        this.#settling = undefined;
        if (this.#count === 0) this.#goOn();
      });
  }

  #goOn(): void {
    this.#setAutoCheckpoint(CHECKPOINT_PAGES);
    for (const resolve of this.#whenQuiet.splice(0)) resolve();
  }

  #isLarge(): boolean {
    return (statSync(`${this.#path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > LARGE_WAL_BYTES;
  }
}

/** Brings what is in the WAL of an open store into its file. Nothing waits for it; what is written meanwhile may stay in the WAL. */
async function checkpointBeside(path: string): Promise<void> {
  // Loaded when it is used: a start needs none of it.
  const { default: Database } = await import('libsql/promise');
  const connection = new Database(path, { timeout: 5 });
  try {
    await connection.exec('PRAGMA synchronous = FULL; PRAGMA wal_checkpoint(PASSIVE)');
  } finally {
    connection.close();
  }
}

/**
 * Holds the stores of a platform together. Each store has the id of the platform, its own name and, in a file of this
 * directory, the number of its commits. A small file beside them has the same id and, for each store, the number of commits that
 * it has had. A store that is missing, that belongs elsewhere, or that has had more commits than it knows of, is rejected.
 *
 * The number of a store is counted in the transaction that it counts, so it is exactly as durable. The file is written after the
 * commit is on disk, in place and without a sync of its own, so what it says is never more than what the store has, whatever
 * became of the process or the power: it may be behind, so a start never rejects stores that are as they were left. After
 * a loss of power it may be behind by what the kernel had not written yet, after a crash of the process by a few milliseconds.
 */
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { dataNames } from '../data-names.ts';
import type { Database } from '../db/database.ts';
import { type ReadRecord, SlotFile } from '../db/slot-file.ts';
import { adoptStore, countCommits, isUsed, type StoreIdentity, storeIdentity } from '../db/store-identity.ts';

/** A store is not the one that was there. The message is one line that says how to go on. */
export class StoreLossError extends Error {
  override readonly name = 'StoreLossError';
  constructor(what: string) {
    super(
      `${what} Nothing was changed. Restore the stores from one backup, or set BROADSIDE_ACCEPT_LOSS=1 for one start to go on with what is there.`,
    );
  }
}

/** A store as the marks know it: the path of its file, unless it is on a server. */
export interface MarkedStore {
  readonly name: string;
  readonly file: string | undefined;
}

interface Marks {
  readonly platform: string;
  /** Commits by store; null for a store on a server, which does not count. */
  readonly stores: Readonly<Record<string, number | null>>;
}

const KIND = 'broadside-stores-1';
/** Commits within this time share one write of the marks. */
const WRITE_MS = 10;

const readMarks: ReadRecord<Marks> = (value) =>
  isRecord(value) && typeof value['platform'] === 'string' && isRecord(value['stores'])
    ? { platform: value['platform'], stores: Object.fromEntries(Object.entries(value['stores']).map(readCommits)) }
    : undefined;

function readCommits([name, commits]: [string, unknown]): [string, number | null] {
  return [name, typeof commits === 'number' ? commits : null];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** The marks of a data directory. */
export class StoreMarks {
  readonly #path: string;
  readonly #stores: readonly MarkedStore[];
  readonly #acceptLoss: boolean;
  readonly #known: Marks | undefined;
  readonly #isDamaged: boolean;
  readonly #identities = new Map<string, StoreIdentity | undefined>();
  readonly #missing: readonly MarkedStore[];
  #platform: string | undefined;
  #commits: Record<string, number | null> = {};
  #file: SlotFile<Marks> | undefined;
  #timer: NodeJS.Timeout | undefined;

  /**
   * Reads the marks, before any store is opened: opening would make a missing one anew.
   * @param acceptLoss goes on with what is there
   * @throws StoreLossError when the file of a store is missing that was there
   */
  constructor(dataDirectory: string, stores: readonly MarkedStore[], acceptLoss: boolean) {
    this.#path = path.join(dataDirectory, dataNames.storeMarks);
    this.#stores = stores;
    this.#acceptLoss = acceptLoss;
    const known = SlotFile.read(this.#path, KIND, readMarks);
    this.#isDamaged = known === 'damaged';
    this.#known = known === 'damaged' ? undefined : known;
    this.#missing = stores.filter(({ file }) => file !== undefined && !isThere(file));
    const [lost] = this.#missing.filter(({ name }) => typeof this.#known?.stores[name] === 'number');
    if (lost !== undefined) this.#reject(`The file of the store ${lost.name} is missing: ${lost.file}.`);
  }

  /** Returns whether stores were here before. */
  get isUsed(): boolean {
    return this.#known !== undefined;
  }

  /** A sentence about stores of a platform that nothing marked, once they have been checked; `undefined` where there are none. */
  get notice(): string | undefined {
    const isUsed = this.#stores.some(
      ({ name, file }) => file !== undefined && this.#identities.get(name) !== undefined,
    );
    if (this.#known !== undefined || !isUsed) return undefined;
    const what = this.#isDamaged ? `${this.#path} is damaged` : `There is no ${this.#path}, as after a restore`;
    return `${what}: nothing tells whether the stores have all of their commits. It was written anew for what they have.`;
  }

  /** The stores that can be opened before it is known whether one is missing; the others are to be opened after them. */
  order<Store extends { readonly name: string }>(stores: readonly Store[]): readonly Store[] {
    const isMissing = ({ name }: Store) => this.#missing.some((store) => store.name === name);
    return [...stores.filter((store) => !isMissing(store)), ...stores.filter(isMissing)];
  }

  /** Checks a store that is open and not migrated yet. @throws StoreLossError */
  async check({ name, file }: MarkedStore, database: Database): Promise<void> {
    const identity = await storeIdentity(database);
    this.#identities.set(name, identity);
    const where = file ?? 'on its server';
    if (identity !== undefined && identity.store !== name) {
      throw new StoreLossError(`The store ${name} (${where}) holds the data of the store ${identity.store}.`);
    }
    const platform = this.#known?.platform ?? this.#platform;
    if (identity !== undefined && platform !== undefined && identity.platform !== platform) {
      this.#reject(elsewhere(name, file));
    }
    this.#platform ??= identity?.platform;
    const marked = this.#known?.stores[name];
    if (marked !== undefined && identity === undefined && !this.#missing.some((store) => store.name === name)) {
      this.#reject(`The store ${name} (${where}) is empty or older than it was: it does not know its platform.`);
    }
    if (typeof marked === 'number' && identity !== undefined && identity.commits < marked) {
      const lacking = marked - identity.commits;
      const what = lacking === 1 ? 'its last commit' : `its last ${lacking} commits`;
      this.#reject(`The store ${name} (${where}) is older than it was: it lacks ${what}.`);
    }
    // Without marks, a store that holds something had siblings; a first start that was cut off has stored nothing.
    const [lost] = this.#missing;
    if (lost !== undefined && lost.name !== name && (identity !== undefined || (await isUsed(database)))) {
      this.#reject(`The file of the store ${lost.name} is missing beside that of ${name}: ${lost.file}.`);
    }
  }

  /**
   * Makes the stores those of one platform, once all have been checked and migrated, and counts their commits from then on.
   * @param newId an id for a platform that has none yet
   * @returns the id of the platform
   * @throws the error of the file system or of a store
   */
  async adopt(databases: ReadonlyMap<string, Database>, newId: string): Promise<string> {
    let platform = this.#known?.platform ?? this.#platform ?? newId;
    for (const [i, { name, file }] of this.#stores.entries()) {
      const database = databases.get(name);
      if (database === undefined) throw new TypeError(`the store ${name} is not open`);
      let identity = this.#identities.get(name);
      if (identity?.platform !== platform) {
        const commits = identity?.commits ?? 0;
        await adoptStore(database, { platform, store: name, commits }, identity !== undefined);
        identity = await storeIdentity(database);
        // Of servers that start for the first time at the same moment, the one that was first in the first store has decided.
        if (i === 0) platform = identity?.platform ?? platform;
        else if (identity?.platform !== platform) throw new StoreLossError(elsewhere(name, file));
      }
      this.#commits[name] = file === undefined ? null : (identity?.commits ?? 0);
      if (file === undefined) continue;
      countCommits(database, identity?.commits ?? 0, (commits) => this.#mark(name, commits));
    }
    this.#platform = platform;
    this.#file = SlotFile.begin(this.#path, KIND, { platform, stores: this.#commits });
    return platform;
  }

  /** Writes the marks a last time. */
  close(): void {
    this.#write();
    this.#file?.close();
    this.#file = undefined;
  }

  #mark(name: string, commits: number): void {
    this.#commits[name] = commits;
    this.#timer ??= setTimeout(() => this.#write(), WRITE_MS).unref();
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    try {
      this.#file?.write({ platform: this.#platform ?? '', stores: this.#commits });
    } catch {
      // Behind is what the marks may be.
    }
  }

  #reject(what: string): void {
    if (!this.#acceptLoss) throw new StoreLossError(what);
  }
}

function elsewhere(name: string, file: string | undefined): string {
  return `The store ${name} (${file ?? 'on its server'}) belongs to another platform than the rest of the data directory.`;
}

/** An empty file is what SQLite makes of one that is not there. */
function isThere(file: string): boolean {
  return existsSync(file) && statSync(file).size > 0;
}

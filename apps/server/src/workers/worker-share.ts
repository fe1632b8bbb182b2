/**
 * The ranges of people that a worker has. It looks every few seconds at who else there is. What nobody answers for and is to be its own it takes at
 * once; what another one answers for it first reads into an index, takes it then, and the other one gives it away when it sees that. See ADR 0033.
 */
import type { AudienceStore } from '../audience/audience-store.ts';
import { ALL_RANGES, covers, type Ranges } from '../audience/ranges.ts';
import { shareOut } from '../audience/share-out.ts';
import type { WorkerAddress } from './worker-address.ts';
import type { WorkerList } from './worker-list.ts';

/** Milliseconds between two looks. */
const LOOK_MS = 2_000;

interface Started {
  readonly address: WorkerAddress;
  readonly index: Pick<AudienceStore, 'builtRanges' | 'adopt' | 'prepare'>;
  readonly onError: (error: unknown) => void;
}

export class WorkerShare {
  readonly #list: Pick<WorkerList, 'id' | 'live' | 'put'>;
  #started: Started | undefined;
  #takes: Ranges = 0n;
  #share: Ranges = 0n;
  #reading: Promise<void> | undefined;
  #looking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(list: Pick<WorkerList, 'id' | 'live' | 'put'>) {
    this.#list = list;
  }

  /** The ranges that this process answers for. */
  get takes(): Ranges {
    return this.#takes;
  }

  /** And those that an index that is built anew is to have. */
  get reads(): Ranges {
    return this.#takes | this.#share;
  }

  /** Begins to answer: by the time that it resolves, for what nobody else answers for. */
  async start(started: Started): Promise<void> {
    this.#started = started;
    await this.look();
    this.#schedule();
  }

  /** Changes nothing any more. */
  async stop(): Promise<void> {
    this.#started = undefined;
    clearTimeout(this.#timer);
    await this.#looking?.catch(() => {});
  }

  /** Looks at who there is, and does what follows from it. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** Resolves when what the last look has begun to read is there. */
  async settled(): Promise<void> {
    await this.#reading;
  }

  async #look(): Promise<void> {
    const started = this.#started;
    if (!started) return;
    const workers = await this.#list.live();
    const { id } = this.#list;
    const others = workers.filter((worker) => worker.id !== id);
    const taken = others.reduce((all, { takes }) => all | takes, 0n);
    const { index } = started;
    this.#share = shareOut([...others, { id, takes: this.#takes }]).get(id) ?? 0n;
    // What this process alone answers for it keeps until another one does, also where it is to be another's.
    const takes = (this.#share & (~taken | index.builtRanges)) | (this.#takes & ~taken);
    const known = workers.find((worker) => worker.id === id);
    const isNew = takes !== this.#takes || known?.takes !== takes;
    this.#takes = takes;
    if (isNew) await this.#list.put(started.address, takes);
    this.#read(started);
  }

  /** Has the index read what it lacks, and forget what others have by now. */
  #read({ index }: Started): void {
    // Not once it was stopped.
    const onError = (error: unknown) => this.#started?.onError(error);
    const { builtRanges } = index;
    if (this.#reading || builtRanges === this.reads) return;
    // As on a platform with one worker, which reads when it is first asked.
    if (builtRanges === 0n && this.#takes === ALL_RANGES) return;
    const work = covers(builtRanges, this.#takes) ? index.adopt(this.reads) : index.prepare();
    this.#reading = work
      .then(() => {}, onError)
      .finally(() => {
        this.#reading = undefined;
      });
    // What it has read it can take at once.
    void this.#reading.then(() => this.look()).catch(onError);
  }

  #schedule(): void {
    if (!this.#started) return;
    this.#timer = setTimeout(() => {
      void this.look()
        .catch((error: unknown) => this.#started?.onError(error))
        .finally(() => this.#schedule());
    }, LOOK_MS).unref();
  }
}

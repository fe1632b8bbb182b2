/**
 * Blobs that nothing owns yet. Before bytes are stored, a job is added that will remove them; taking them into use cancels
 * that job in the same write. So whatever ends a request or the process, no blob is leaked, and none that is in use
 * is removed.
 */
import type { Database, Writer } from '../db/database.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Clock } from '../world/clock.ts';
import { type Random, randomText } from '../world/random.ts';
import type { BlobContent, BlobStore } from './blobs/blob-store.ts';
import type { HeldBlobs } from './held-blobs.ts';
import { stillKey } from './stills/still-key.ts';
import { isBlobUsed } from './store.ts';

/** Received bytes. */
export interface IncomingBlob {
  readonly blob_key: string;
  readonly size: number;
  /** The job that will remove them. */
  readonly job_id: number;
}

interface Services {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly random: Random;
}

/** The kind of job that removes blobs which nobody refers to: its subject is their names, with blanks between. */
export const REMOVE = 'media.remove_blobs';
/** Longer than any request. */
const KEPT_MS = 86_400_000;
/** Blobs that are held are tried again so much later. */
const HELD_MS = 60_000;
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';
/** The name of a blob, and of the still of one. */
const NAME = /^[a-z0-9]{32}(?:-[a-z0-9]+)?$/;

/** Returns whether a name is one that blobs of media are given. */
export function isBlobName(name: string): boolean {
  return NAME.test(name);
}

export class IncomingBlobs {
  readonly #services: Services;
  readonly #held: HeldBlobs;

  constructor(services: Services, held: HeldBlobs) {
    this.#services = services;
    this.#held = held;
    services.jobs.handle(REMOVE, (keys) => this.#remove(keys), { unseen: true });
  }

  /** Stores a stream of bytes. When the content throws, its error is thrown, and nothing is stored. */
  receive(content: BlobContent): Promise<IncomingBlob> {
    // The address of media cannot be guessed.
    return this.#store(randomText(this.#services.random, 32, ALPHABET), content);
  }

  /** Stores the still of a blob, under a unique name, so that leftovers of an earlier attempt do not block this one. */
  receiveStill(blob_key: string, content: BlobContent): Promise<IncomingBlob> {
    return this.#store(stillKey(blob_key, randomText(this.#services.random, 8, ALPHABET)), content);
  }

  async #store(blob_key: string, content: BlobContent): Promise<IncomingBlob> {
    const { database, blobs, jobs, clock } = this.#services;
    const job_id = await database.write((writer) =>
      jobs.add(writer, { kind: REMOVE, subject: blob_key, due_ms: clock.now() + KEPT_MS }),
    );
    try {
      const { size } = await blobs.put(blob_key, content);
      return { blob_key, size, job_id };
    } catch (error) {
      // A store that failed may still have the bytes, so the job stays if the store cannot be queried.
      await this.discard({ blob_key, size: 0, job_id }).catch(() => {});
      throw error;
    }
  }

  /** Takes a blob into use. @throws Error when it is gone */
  async claim(writer: Writer, { job_id, blob_key }: IncomingBlob): Promise<void> {
    if (!(await this.#services.jobs.cancel(writer, job_id))) throw new Error(`the blob ${blob_key} came too late`);
  }

  /** Removes a blob unless it is in use. */
  async discard({ job_id }: IncomingBlob): Promise<void> {
    const { database, jobs, clock } = this.#services;
    await database.write((writer) => jobs.reschedule(writer, job_id, clock.now()));
    jobs.wake();
  }

  /** Schedules the removal of blobs that the write takes out of use. */
  async release(writer: Writer, keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    const { jobs, clock } = this.#services;
    await jobs.add(writer, { kind: REMOVE, subject: keys.join(' '), due_ms: clock.now() });
  }

  async #remove(keys: string): Promise<((writer: Writer) => Promise<void>) | undefined> {
    const { database, blobs, jobs, clock } = this.#services;
    if (await this.#held.areHeld()) {
      return async (writer) => {
        await jobs.add(writer, { kind: REMOVE, subject: keys, due_ms: clock.now() + HELD_MS });
      };
    }
    for (const key of keys.split(' ')) {
      if (!(await isBlobUsed(database, key))) await blobs.delete(key);
    }
    return undefined;
  }
}

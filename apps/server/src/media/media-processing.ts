/** Inspects the bytes of uploads, and stores the result: at once for images, in a job for videos and animations. */
import { defaultMediaCategories, type MediaCategory } from '@broadside/core/resources/media';
import type { Database, Writer } from '../db/database.ts';
import type { LaterFaults } from '../faults/later-faults.ts';
import type { JobHandler } from '../jobs/job-queue.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Clock } from '../world/clock.ts';
import type { BlobStore } from './blobs/blob-store.ts';
import { blobSource } from './byte-source.ts';
import type { IncomingBlob, IncomingBlobs } from './incoming.ts';
import { inspectMedia } from './inspect.ts';
import type { MediaFacts } from './inspection.ts';
import { checkCategory } from './limits.ts';
import { makeStill } from './stills/still.ts';
import {
  deleteSegments,
  type MediaFailure,
  readSegments,
  readUpload,
  type SegmentRow,
  setFacts,
  setFailure,
  setState,
  type UploadRow,
} from './store.ts';
import type { UploadFacts } from './upload.ts';

const PROCESS = 'media.process';
/** Processing that a fault has delayed. */
const DELAYED = 'media.delayed';
/** In the subject of such a job: the media fail then. */
const FAILS = 'fails';
type Report = Parameters<JobHandler>[2];
type JobWrite = ReturnType<JobHandler>;

const UNPROCESSED: MediaFailure = {
  code: 3,
  name: 'InternalError',
  message: 'The media could not be processed. Upload them again.',
};

/** Maximum attempts of processing: what fails then is the store, for about half an hour. */
const MAX_FAILURES = 11;

/** The result of an inspection. */
export type Inspected =
  | { readonly facts: MediaFacts; readonly category: MediaCategory; readonly failure?: undefined }
  | { readonly failure: MediaFailure };

interface Services {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly incoming: IncomingBlobs;
  readonly faults: LaterFaults;
}

export class MediaProcessing {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
    services.jobs.handle(PROCESS, (id, failures, report) => this.#begin(BigInt(id), failures, report));
    services.jobs.handle(DELAYED, (subject, failures, report) => {
      const [id = '', outcome] = subject.split('/');
      return outcome === FAILS ? this.#fail(BigInt(id), report) : this.#process(BigInt(id), failures, report);
    });
  }

  /** Schedules processing, in the write that makes the media ready for it. */
  async queue(writer: Writer, id: bigint): Promise<void> {
    const { jobs, clock } = this.#services;
    await jobs.add(writer, { kind: PROCESS, subject: `${id}`, due_ms: clock.now() });
  }

  /** Inspects bytes. */
  async inspect(
    blob_key: string,
    size: number,
    { category, declared }: Pick<UploadFacts, 'category' | 'declared'>,
  ): Promise<Inspected> {
    const found = await inspectMedia(blobSource(this.#services.blobs, blob_key, size), { declared });
    if ('reason' in found) return { failure: failureOf(found) };
    const held = category ?? defaultMediaCategories[found.kind];
    const rejection = checkCategory(found, held);
    return rejection ? { failure: failureOf(rejection) } : { facts: found, category: held };
  }

  /** Makes the still of a video or animation. */
  async makeStill(
    facts: MediaFacts,
    { blob_key, size }: Pick<IncomingBlob, 'blob_key' | 'size'>,
  ): Promise<IncomingBlob | undefined> {
    const still = await makeStill(facts, blobSource(this.#services.blobs, blob_key, size));
    return still && this.#services.incoming.receiveStill(blob_key, still);
  }

  /** Writes the result: usable media, or the failure. Bytes that are no longer needed are removed. */
  async storeResult(
    writer: Writer,
    row: UploadRow,
    inspected: Inspected,
    { joined, still }: { readonly joined?: IncomingBlob | undefined; readonly still?: IncomingBlob | undefined } = {},
  ): Promise<void> {
    const blob_key = joined?.blob_key ?? row.blob_key;
    const released = await deleteSegments(writer, row.id);
    if (joined) await this.#services.incoming.claim(writer, joined);
    if (inspected.failure) {
      await setFailure(writer, row.id, inspected.failure);
      if (blob_key !== null) released.push(blob_key);
    } else if (blob_key !== null) {
      await this.setFacts(writer, row.id, { ...inspected, blob_key }, still);
    }
    await this.#services.incoming.release(writer, released);
  }

  /** Writes the result, and takes the still into use. */
  async setFacts(
    writer: Writer,
    id: bigint,
    found: Omit<Parameters<typeof setFacts>[2], 'preview_blob_key'>,
    still: IncomingBlob | undefined,
  ): Promise<void> {
    if (still) await this.#services.incoming.claim(writer, still);
    await setFacts(writer, id, { ...found, preview_blob_key: still?.blob_key ?? null });
  }

  /** Concatenates the bytes of segments. */
  async *join(segments: readonly SegmentRow[]): AsyncGenerator<Uint8Array> {
    for (const { blob_key } of segments) {
      const { body } = await this.#services.blobs.open(blob_key);
      yield* body;
    }
  }

  /**
   * Ends processing that has not ended, at once.
   * @param failure why it fails; left out, the bytes decide
   */
  async end(row: UploadRow, failure?: MediaFailure): Promise<void> {
    const { database } = this.#services;
    const { write } = failure
      ? { write: (writer: Writer) => this.#store(writer, row, { failure }) }
      : await this.#inspected(row);
    await database.write(write);
  }

  /** Processes media, unless a fault has it done later, or has it fail. */
  async #begin(id: bigint, failures: number, report: Report): JobWrite {
    const { database, faults, jobs, clock } = this.#services;
    const row = faults.armed && failures === 0 ? await readUpload(database, id) : undefined;
    if (row?.state !== 'in_progress') return this.#process(id, failures, report);
    const fault = await faults.later('media_processing', { user_id: `${row.owner_user_id}` });
    if (!fault) return this.#process(id, failures, report);
    // No job is left; `end` ends it.
    if (fault.holds) return undefined;
    if (fault.fails && fault.delay_ms === 0) return this.#fail(id, report);
    const subject = fault.fails ? `${id}/${FAILS}` : `${id}`;
    return async (writer) => {
      await jobs.add(writer, { kind: DELAYED, subject, due_ms: clock.now() + fault.delay_ms });
    };
  }

  /** Has media fail as those do that cannot be processed. */
  async #fail(id: bigint, report: Report): JobWrite {
    const row = await readUpload(this.#services.database, id);
    if (row?.state !== 'in_progress') return undefined;
    report({ what: 'MEDIA_FAILED', id: row.media_key });
    return (writer) => this.storeResult(writer, row, { failure: UNPROCESSED });
  }

  async #process(id: bigint, failures: number, report: Report): JobWrite {
    const row = await readUpload(this.#services.database, id);
    if (row?.state === 'pending') {
      return async (writer) => {
        await setState(writer, id, 'in_progress');
        await this.queue(writer, id);
      };
    }
    if (row?.state !== 'in_progress') return undefined;
    if (failures >= MAX_FAILURES) return this.#fail(id, report);
    const { what, write } = await this.#inspected(row);
    report({ what, id: row.media_key });
    return write;
  }

  /** Inspects the bytes of media that are to be processed. @returns what came of it, and what writes that */
  async #inspected(row: UploadRow): Promise<{
    readonly what: 'MEDIA_FAILED' | 'MEDIA_PROCESSED';
    readonly write: (writer: Writer) => Promise<void>;
  }> {
    const joined =
      row.blob_key === null
        ? await this.#services.incoming.receive(this.join(await readSegments(this.#services.database, row.id)))
        : undefined;
    const blob = { blob_key: joined?.blob_key ?? row.blob_key ?? '', size: row.total_bytes };
    const inspected = await this.inspect(blob.blob_key, blob.size, asDeclared(row));
    const still = inspected.failure ? undefined : await this.makeStill(inspected.facts, blob);
    return {
      what: inspected.failure ? 'MEDIA_FAILED' : 'MEDIA_PROCESSED',
      write: (writer) => this.#store(writer, row, inspected, { joined, still }),
    };
  }

  /** Writes the result, unless there is one by now. */
  async #store(
    writer: Writer,
    row: UploadRow,
    inspected: Inspected,
    made?: Parameters<MediaProcessing['storeResult']>[3],
  ): Promise<void> {
    const now = await readUpload(writer, row.id);
    if (now && isUnderway(now)) await this.storeResult(writer, row, inspected, made);
  }
}

/** Returns whether media are being processed, or wait for that. */
export function isUnderway({ state }: Pick<UploadRow, 'state'>): boolean {
  return state === 'pending' || state === 'in_progress';
}

function failureOf({ reason, message }: { readonly reason: string; readonly message: string }): MediaFailure {
  const isUnsupported = reason === 'unknown_type' || reason === 'unsupported';
  return isUnsupported ? { code: 2, name: 'UnsupportedMedia', message } : { code: 1, name: 'InvalidMedia', message };
}

/** Returns the declared type of an upload. */
export function asDeclared(row: UploadRow): Pick<UploadFacts, 'category' | 'declared'> {
  return { category: row.category_given ? row.category : undefined, declared: row.content_type };
}

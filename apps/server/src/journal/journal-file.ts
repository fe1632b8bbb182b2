/**
 * The file in which the journal of a world waits while the world is closed. It holds what the journal shows of its calls, so without
 * their secrets, and is sealed all the same: addresses and texts of clients can have secrets that nobody has named so.
 */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { JournalCall } from '@broadside/core/resources/control/journal';
import * as z from 'zod';
import { dataNames } from '../data-names.ts';
import type { SecretBox } from '../world/secrets.ts';

/** The file, in the data directory. Copies of a world do not have it. */
const JOURNAL_FILE = dataNames.journal;

/** A journal as the file has it. */
export interface StoredJournal {
  readonly began_ms: number;
  /** The number of requests that were pushed out. */
  readonly forgotten: number;
  /** When the last of them arrived; `undefined` where that is not known. */
  readonly forgotten_until_ms: number | undefined;
  /** In the order in which they were answered. */
  readonly requests: readonly StoredRequest[];
}

/** A request with its calls in words. */
interface StoredRequest {
  readonly elapsed_ms: number;
  readonly seq: number;
  readonly told: number;
  readonly bytes: number;
  readonly calls: z.infer<typeof JournalCall>[];
}

const header = z.object({
  version: z.literal(1),
  began_ms: z.number(),
  forgotten: z.number(),
  forgotten_until_ms: z.number().optional(),
});

const storedRequest: z.ZodType<StoredRequest> = z.object({
  elapsed_ms: z.number(),
  seq: z.number(),
  told: z.number(),
  bytes: z.number(),
  calls: z.array(JournalCall),
});

const zip = promisify(gzip);
const unzip = promisify(gunzip);

/** Fast rather than small. */
const LEVEL = 1;
/** Requests that are read or written without letting others run. */
const SLICE = 50;

/** The file of a world, which has to be open. */
export class JournalFile {
  readonly #file: string;
  readonly #secrets: SecretBox;

  constructor(dataDirectory: string, secrets: SecretBox) {
    this.#file = path.join(dataDirectory, JOURNAL_FILE);
    this.#secrets = secrets;
  }

  /**
   * Takes the file out of the directory: after a crash there is none, since one without the last calls would be wrong.
   * @returns opens what it held; `undefined` where there was none
   */
  take(): (() => Promise<StoredJournal | undefined>) | undefined {
    if (!existsSync(this.#file)) return undefined;
    const sealed = readFileSync(this.#file);
    rmSync(this.#file);
    return () => this.#open(sealed).catch(() => undefined);
  }

  async write({ requests, ...facts }: StoredJournal): Promise<void> {
    const lines = [JSON.stringify({ version: 1, ...facts } satisfies z.infer<typeof header>)];
    for (const request of requests) {
      lines.push(JSON.stringify(request));
      if (lines.length % SLICE === 0) await turn();
    }
    const sealed = this.#secrets.sealBytes(await zip(lines.join('\n'), { level: LEVEL }));
    writeFileSync(`${this.#file}.new`, sealed, { mode: 0o600 });
    renameSync(`${this.#file}.new`, this.#file);
  }

  /** Calls that another version has written in another form are counted as forgotten. */
  async #open(sealed: Buffer): Promise<StoredJournal> {
    const [first = '', ...lines] = (await unzip(this.#secrets.openBytes(sealed))).toString().split('\n');
    const { began_ms, forgotten, forgotten_until_ms } = header.parse(JSON.parse(first));
    const requests: StoredRequest[] = [];
    for (const [at, line] of lines.entries()) {
      const read = storedRequest.safeParse(JSON.parse(line));
      if (read.success) requests.push(read.data);
      if (at % SLICE === 0) await turn();
    }
    const unread = lines.length - requests.length;
    return {
      began_ms,
      forgotten: forgotten + unread,
      forgotten_until_ms: unread === 0 ? forgotten_until_ms : undefined,
      requests,
    };
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

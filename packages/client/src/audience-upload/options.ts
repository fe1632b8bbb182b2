/** What callers can say of an upload of people. */
import type { CallOptions } from '../transport.ts';
import type { AudienceUploadProgress } from './report.ts';
import type { OperationType, RowProblem } from './rows.ts';

/** Options of an upload of people. Those of calls apply to each of its requests. */
export interface AudienceUploadOptions extends CallOptions {
  /** `Update`, which adds people or what is known of them, when left out. */
  readonly operation_type?: OperationType | undefined;
  /** The identifiers are SHA-256 hashes already. When left out, they are normalized and hashed before they are sent. */
  readonly hashed?: boolean | undefined;
  /** From when on the people are members; the beginning of the upload when left out. A row can have its own. */
  readonly effective_at?: Date | string | undefined;
  /** Until when; 13 months after the beginning of the upload when left out. A row can have its own. */
  readonly expires_at?: Date | string | undefined;
  /** Requests at a time, from 1 to 16; 2 when left out. */
  readonly concurrency?: number | undefined;
  /** A `token` of an upload that was cut off. The rows must be the same, from the first on. */
  readonly resume?: string | undefined;
  /** Reads and packs all rows and sends nothing. */
  readonly dryRun?: boolean | undefined;
  /** Called after each acknowledged request, now and then while rows are read, and in the end. */
  readonly onProgress?: ((progress: AudienceUploadProgress) => void) | undefined;
  /** Called for each problem of a row that is not sent. The report has the first 1,000. */
  readonly onProblem?: ((problem: RowProblem) => void) | undefined;
  /** In place of WebCrypto: SHA-256 of the UTF-8 form as hex digits. `node:crypto` has a faster one. */
  readonly sha256?: ((normalized: string) => string | Promise<string>) | undefined;
}

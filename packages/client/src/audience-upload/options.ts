/** Options of an upload of people. */
import type { CallOptions } from '../transport.ts';
import type { AudienceUploadProgress, AudienceUploadReport } from './report.ts';
import type { AudienceRows, OperationType, RowProblem } from './rows.ts';

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

/** Options of an upload of people to a custom audience. */
export interface CustomAudienceUploadOptions extends AudienceUploadOptions {
  readonly account_id: string;
  readonly custom_audience_id: string;
}

/**
 * Options of an upload of people to a do-not-reach list. Its people count from the moment of each request, and for 13 months
 * from then when `expires_at` is left out: where a request is sent again after an hour, they count until later.
 */
export interface DoNotReachListUploadOptions extends Omit<AudienceUploadOptions, 'effective_at'> {
  readonly account_id: string;
  readonly do_not_reach_list_id: string;
}

/** The upload of people to a list. */
export interface PeopleUpload<Options> {
  /**
   * Adds people to a list, or removes them: normalizes and hashes their identifiers, and sends them in as few requests as its
   * limits allow, at the pace that the rate limit allows. Rows that are not valid are reported and left out. Memory does not grow
   * with the rows: an iterable is read as fast as requests are acknowledged. A request that is sent again changes nothing, so all
   * are repeated by the policy for reads.
   *
   * @throws AudienceUploadError (as a rejection), whose `token` an upload of the same rows goes on with; CallError for options
   * that make no sense; the reason of the signal
   * @example
   * const rows = [{ email: 'Ann@Example.com', phone_number: '+1 500 555 0100' }];
   * const { sent, refused } = await client.custom_audiences.upload(rows, { account_id, custom_audience_id });
   */
  upload(rows: AudienceRows, options: Options): Promise<AudienceUploadReport>;
}

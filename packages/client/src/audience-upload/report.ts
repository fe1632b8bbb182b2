/** The progress of an upload of people, and its result. */
import type { Counts } from './acknowledged.ts';
import type { RowProblem } from './rows.ts';

/** The progress of an upload. */
export interface AudienceUploadProgress {
  /** Rows that were read, those of the upload that is resumed included. */
  readonly rows: number;
  /** Rows among them that are not valid and not sent. */
  readonly refused: number;
  /** Counts up to the last row before which everything is acknowledged; a resumed upload begins after it. */
  readonly acknowledged: Counts;
  /** With it as `resume` another upload of the same rows goes on after the acknowledged ones. It holds no identifiers. */
  readonly token: string;
}

/** The outcome of an upload. Counts include those of the upload that it resumed. */
export interface AudienceUploadReport extends Counts {
  /** Rows that were skipped, since an earlier upload had them acknowledged. */
  readonly resumedRows: number;
  /** Why rows were not sent; the first 1,000 reasons of this run, and those with which the server rejected a request. */
  readonly problems: readonly RowProblem[];
  readonly durationMs: number;
}

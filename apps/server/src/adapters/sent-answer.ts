/** What each way of answering a request leads to. */
import type { BrokenOff } from '../faults/delivery.ts';
import type { Body } from './rest/encode.ts';
import type { LoggedAnswer } from './rest/request-log.ts';

/** An answer as it is sent and logged. */
export interface SentAnswer extends LoggedAnswer {
  /** Names in lower case, each followed by its value. Length and date are left to the server. */
  readonly headers: readonly string[];
  readonly body: Body;
  /** The connection ends before the answer does. */
  readonly ends?: BrokenOff | undefined;
}

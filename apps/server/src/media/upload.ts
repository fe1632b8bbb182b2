/** Uploads as callers describe them, and why one is rejected. */
import type { MediaCategory } from '@broadside/core/resources/media';

/** What is said of media when their upload begins. */
export interface UploadFacts {
  readonly owner_user_id: string;
  readonly additional_owners: readonly string[];
  readonly category: MediaCategory | undefined;
  /** What the bytes are said to be. */
  readonly declared: string | undefined;
}

/** Why an upload does not go on. The message is for the person who uploads. */
export class UploadRefusedError extends Error {
  override readonly name = 'UploadRefusedError';
  readonly reason: 'not_found' | 'invalid';
  readonly parameter: string;

  constructor(reason: UploadRefusedError['reason'], parameter: string, message: string) {
    super(message);
    this.reason = reason;
    this.parameter = parameter;
  }
}

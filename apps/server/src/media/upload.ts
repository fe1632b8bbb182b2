/** Uploads as described by callers, and the reasons to reject one. */
import type { MediaCategory } from '@broadside/core/resources/media';

/** Description of media when their upload starts. */
export interface UploadFacts {
  readonly owner_user_id: string;
  readonly additional_owners: readonly string[];
  readonly category: MediaCategory | undefined;
  /** Declared type of the bytes. */
  readonly declared: string | undefined;
}

/** Reason why an upload is rejected. The message is for the person who uploads. */
export class UploadRejectedError extends Error {
  override readonly name = 'UploadRejectedError';
  readonly reason: 'not_found' | 'invalid';
  readonly parameter: string;

  constructor(reason: UploadRejectedError['reason'], parameter: string, message: string) {
    super(message);
    this.reason = reason;
    this.parameter = parameter;
  }
}

/** Result of inspecting the bytes of an upload. */
import type { MediaKind } from '@broadside/core/resources/media';

/** An accepted media type. */
export type MediaType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'video/mp4' | 'video/quicktime';

/** Properties of the media, all read from the bytes. */
export interface MediaFacts {
  readonly media_type: MediaType;
  readonly kind: MediaKind;
  readonly size_bytes: number;
  /** Pixels as displayed: after the rotation that the file requests. */
  readonly width: number;
  readonly height: number;
  /** Duration of a video or of one loop of an animation. */
  readonly duration_ms?: number;
  /** Number of frames of an animation or video. */
  readonly frames?: number;
  /** Frames per second of a video. */
  readonly frame_rate?: number;
  /** Bits per second of a video, all tracks together. */
  readonly bit_rate?: number;
  /** Codecs of a video's tracks, the video track first. */
  readonly codecs?: readonly string[];
  readonly has_audio?: boolean;
}

/**
 * Reason for rejecting bytes. `unknown_type`: none of the accepted types. `truncated`: the end is missing. `broken`: violates
 * the format. `lying`: a claim of the bytes or of the caller is false. `unsupported`: valid, but a variant that
 * cannot be shown. `too_large`: more than any category allows.
 */
export type RejectionReason = 'unknown_type' | 'truncated' | 'broken' | 'lying' | 'unsupported' | 'too_large';

/** A rejection, with a message for the person who uploads. */
export interface MediaRejection {
  readonly reason: RejectionReason;
  readonly message: string;
}

/** Thrown to end the inspection of rejected bytes. Does not leave `inspectMedia`. */
export class MediaRejectedError extends Error {
  override readonly name = 'MediaRejectedError';
  readonly reason: RejectionReason;

  constructor(reason: RejectionReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

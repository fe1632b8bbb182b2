/** What inspecting the bytes of an upload finds. */
import type { MediaKind } from '@broadside/core/resources/media';

/** A type of bytes that is accepted. */
export type MediaType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'video/mp4' | 'video/quicktime';

/** What the bytes are, all of it read from the bytes. */
export interface MediaFacts {
  readonly media_type: MediaType;
  readonly kind: MediaKind;
  readonly size_bytes: number;
  /** Pixels as shown: after the turn that the file asks for. */
  readonly width: number;
  readonly height: number;
  /** How long a video or one round of an animation takes. */
  readonly duration_ms?: number;
  /** Pictures in an animation or video. */
  readonly frames?: number;
  /** Frames per second of a video. */
  readonly frame_rate?: number;
  /** Bits per second of a video, all tracks together. */
  readonly bit_rate?: number;
  /** Codecs of a video's tracks, the picture first. */
  readonly codecs?: readonly string[];
  readonly has_audio?: boolean;
}

/**
 * Why bytes are refused. `unknown_type`: none of the accepted types. `truncated`: the end is missing. `broken`: against
 * the rules of the format. `lying`: what the bytes or the caller say of them is not so. `unsupported`: sound, but a variant
 * that is not shown. `too_large`: more than any category takes.
 */
export type RefusalReason = 'unknown_type' | 'truncated' | 'broken' | 'lying' | 'unsupported' | 'too_large';

/** A refusal, with a sentence for the person who uploads. */
export interface MediaRefusal {
  readonly reason: RefusalReason;
  readonly message: string;
}

/** Ends the inspection of bytes that are refused. Does not leave `inspectMedia`. */
export class MediaFault extends Error {
  override readonly name = 'MediaFault';
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

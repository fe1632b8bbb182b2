/** Uploads media of any size: announces them, sends the segments, and waits until they can be used. */
import type { InputOf, UploadContract } from '@broadside/core';
import type { UploadedMedia } from '@broadside/core/resources/media';
import { thin } from '@broadside/core/thin';
import { CallError, MediaProcessingError } from './errors.ts';
import { blobOf, type MediaBytes, type MediaType, mediaTypeOf } from './media-bytes.ts';
import type { CallOptions } from './transport.ts';

/** Progress of an upload. */
export interface UploadProgress {
  /** Bytes are sent first; videos and animated GIFs are processed then. */
  readonly phase: 'sending' | 'processing';
  readonly sentBytes: number;
  readonly totalBytes: number;
  /** Share of the processing that is done, where the server reports it. */
  readonly percent?: number | undefined;
}

type Announcement = InputOf<UploadContract['media']['initialize']>;

/** Options of an upload. Those of calls apply to each of its requests. */
export interface UploadOptions extends CallOptions {
  /** The purpose of the media; derived from the bytes when left out. */
  readonly media_category?: Announcement['media_category'];
  /** The type of the bytes; derived from the first ones when left out. */
  readonly media_type?: MediaType | undefined;
  /** Users who may use the media too. */
  readonly additional_owners?: Announcement['additional_owners'];
  /** Called after each segment, and after each request for the progress of processing. */
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
  /** Longest wait for processing. 15 minutes when left out. */
  readonly maxProcessingMs?: number | undefined;
}

/** The steps of an upload, and the pauses between them. */
export interface UploadSteps {
  readonly initialize: (params: Announcement, options: CallOptions) => Promise<UploadedMedia>;
  readonly append: (
    params: { readonly id: string; readonly segment_index: number; readonly media: Blob },
    options: CallOptions,
  ) => Promise<unknown>;
  readonly finalize: (params: { readonly id: string }, options: CallOptions) => Promise<UploadedMedia>;
  readonly status: (params: { readonly media_id: string }, options: CallOptions) => Promise<UploadedMedia>;
  readonly pause: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

const DEFAULT_PROCESSING_MS = 15 * 60_000;

/**
 * Uploads bytes and gives the media once they can be used.
 * @throws CallError, ApiResponseError, NetworkError, MediaProcessingError, or the reason of the signal
 */
export async function uploadMedia(
  steps: UploadSteps,
  bytes: MediaBytes,
  options: UploadOptions = {},
): Promise<UploadedMedia> {
  const { media_category, media_type, additional_owners, onProgress, maxProcessingMs, ...call } = options;
  const patience = maxProcessingMs ?? DEFAULT_PROCESSING_MS;
  if (!(patience >= 0)) throw new CallError('maxProcessingMs must be a number of milliseconds, 0 or more');
  const blob = blobOf(bytes);
  const totalBytes = blob.size;
  const { segment_bytes, segments } = thin.uploads;
  const most = segment_bytes * segments;
  if (totalBytes > most) throw new CallError(`An upload has up to ${most} bytes; these are ${totalBytes}.`, 'media');
  const announced = await steps.initialize(
    {
      total_bytes: totalBytes,
      media_type: media_type ?? (await mediaTypeOf(blob)),
      ...(media_category === undefined ? {} : { media_category }),
      ...(additional_owners === undefined ? {} : { additional_owners }),
    },
    call,
  );
  const { id } = announced;
  for (let sentBytes = 0, segment_index = 0; sentBytes < totalBytes; segment_index++) {
    onProgress?.({ phase: 'sending', sentBytes, totalBytes });
    const media = blob.slice(sentBytes, sentBytes + segment_bytes);
    await steps.append({ id, segment_index, media }, call);
    sentBytes += media.size;
  }
  onProgress?.({ phase: 'sending', sentBytes: totalBytes, totalBytes });
  const reportProgress = ({ processing_info }: UploadedMedia) => {
    if (!processing_info) return;
    const percent = processing_info.state === 'succeeded' ? 100 : processing_info.progress_percent;
    onProgress?.({ phase: 'processing', sentBytes: totalBytes, totalBytes, percent });
  };
  let media = await steps.finalize({ id }, call);
  reportProgress(media);
  for (let waited = 0; isProcessing(media); ) {
    const ms = (media.processing_info?.check_after_secs ?? 1) * 1000;
    if (waited + ms > patience) throw new MediaProcessingError(media);
    await steps.pause(ms, call.signal);
    waited += ms;
    media = await steps.status({ media_id: id }, call);
    reportProgress(media);
  }
  if (media.processing_info?.state === 'failed') throw new MediaProcessingError(media);
  return media;
}

function isProcessing({ processing_info }: UploadedMedia): boolean {
  return processing_info?.state === 'pending' || processing_info?.state === 'in_progress';
}

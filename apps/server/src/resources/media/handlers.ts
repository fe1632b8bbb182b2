import { type Reject, type UploadContract, uploadContract } from '@broadside/core';
import type { UploadedMedia, UploadedMediaV1 } from '@broadside/core/resources/media';
import { isProcessed, type MediaStore } from '../../media/media-store.ts';
import type { UploadRow } from '../../media/store.ts';
import { UploadRejectedError } from '../../media/upload.ts';
import type { ReceivedBytes } from '../../pipeline/caller.ts';
import type { HandlersOf, Rejecting, UploadContext } from '../../pipeline/context.ts';

/** The operations, for the errors that they list. */
const listed = uploadContract;

type MediaError = 'MEDIA_INVALID' | 'UPLOAD_NOT_FOUND';

type Common = Pick<UploadedMedia, 'size' | 'expires_after_secs' | 'processing_info' | 'image' | 'video'>;

interface Given {
  readonly media_category?: UploadRow['category'] | undefined;
  readonly media_type?: string | undefined;
  readonly additional_owners?: readonly string[] | undefined;
}

export const media: HandlersOf<UploadContract['media']> = {
  upload: (context, params) => answer(context, listed.media.upload.errors, upload(context, params), second, 'unready'),
  initialize: (context, params) => answer(context, listed.media.initialize.errors, initialize(context, params), second),
  append: async (context, { id, segment_index }) => {
    const row = await withCatalogueError(
      context.reject,
      listed.media.append.errors,
      'id',
      append(context, id, segment_index),
    );
    return { expires_at: Math.floor((row.expires_ms ?? 0) / 1000) };
  },
  finalize: (context, { id }) =>
    answer(
      context,
      listed.media.finalize.errors,
      withCatalogueError(context.reject, listed.media.finalize.errors, 'id', finalize(context, id)),
      second,
    ),
  status: (context, { media_id }) =>
    answer(context, listed.media.status.errors, status(context, media_id), second, 'always'),
};

export const media_v1: HandlersOf<UploadContract['media_v1']> = {
  upload: (context, params) =>
    answer(context, listed.media_v1.upload.errors, upload(context, params), first, 'unready'),
  init: (context, params) => answer(context, listed.media_v1.init.errors, initialize(context, params), first),
  append: async (context, { media_id, segment_index }) => {
    await withCatalogueError(
      context.reject,
      listed.media_v1.append.errors,
      'media_id',
      append(context, media_id, segment_index),
    );
    return {};
  },
  finalize: (context, { media_id }) =>
    answer(context, listed.media_v1.finalize.errors, finalize(context, media_id), first),
  status: (context, { media_id }) =>
    answer(context, listed.media_v1.status.errors, status(context, media_id), first, 'always'),
};

function upload(
  { world, caller, bytes, reject }: UploadContext & Rejecting<'MEDIA_INVALID' | 'MISSING_PARAMETER'>,
  params: Given,
): Promise<UploadRow> {
  const { blob, content_type } = given(reject, bytes);
  const { media_category: category, additional_owners = [], media_type } = params;
  rejectSubtitles(reject, category);
  const declared = media_type ?? content_type;
  return world.media.create({ owner_user_id: caller.user_id, additional_owners, category, declared }, blob);
}

function initialize(
  { world, caller, reject }: UploadContext & Rejecting<'MEDIA_INVALID'>,
  {
    media_category: category,
    media_type: declared,
    additional_owners = [],
    total_bytes,
  }: Given & {
    readonly media_type: string;
    readonly total_bytes: number;
  },
): Promise<UploadRow> {
  rejectSubtitles(reject, category);
  const facts = { owner_user_id: caller.user_id, additional_owners, category, declared };
  return world.media.initialize(facts, total_bytes);
}

/** The reference does not describe the use of subtitles, so they are rejected before they are sent (our choice). */
function rejectSubtitles(reject: Reject<'MEDIA_INVALID'>, category: Given['media_category']): void {
  if (category !== 'subtitles') return;
  const message = 'Subtitles are not taken: nothing on this platform shows them';
  throw reject.error({ error: 'MEDIA_INVALID', parameter: 'media_category', value: category, message });
}

function append(
  { world, caller, bytes, reject }: UploadContext & Rejecting<'MISSING_PARAMETER'>,
  media_id: string,
  index: number,
): Promise<UploadRow> {
  return world.media.append(caller.user_id, media_id, index, given(reject, bytes).blob);
}

function finalize({ world, caller }: UploadContext, media_id: string): Promise<UploadRow> {
  return world.media.finalize(caller.user_id, media_id);
}

function status({ world, caller }: UploadContext, media_id: string): Promise<UploadRow> {
  return world.media.status(caller.user_id, media_id);
}

function given(reject: Reject<'MISSING_PARAMETER'>, bytes: ReceivedBytes | undefined): ReceivedBytes {
  if (bytes) return bytes;
  throw reject.error({
    error: 'MISSING_PARAMETER',
    parameter: 'media',
    message: '"media" is a required parameter: send the bytes as a part of multipart/form-data, or in base64',
  });
}

async function answer<Name extends MediaError, Answer>(
  { world, reject }: UploadContext & Rejecting<NoInfer<Name>>,
  listed: readonly Name[],
  row: Promise<UploadRow>,
  show: (row: UploadRow, common: Common) => Answer,
  report_when: ProcessingReport = 'processed',
): Promise<Answer> {
  const uploaded = await withCatalogueError(reject, listed, 'media_id', row);
  return show(uploaded, common(world.media, uploaded, report_when));
}

/** Converts the rejection of an upload to an error of the catalogue. */
async function withCatalogueError<Name extends MediaError, Result>(
  reject: Reject<NoInfer<Name>>,
  listed: readonly Name[],
  idName: string,
  result: Promise<Result>,
): Promise<Result> {
  try {
    return await result;
  } catch (error) {
    if (!(error instanceof UploadRejectedError)) throw error;
    const { reason, message } = error;
    const parameter = error.parameter === 'media_id' ? idName : error.parameter;
    const name = listed.find((other) => other === (reason === 'not_found' ? 'UPLOAD_NOT_FOUND' : 'MEDIA_INVALID'));
    if (name === undefined) throw error;
    throw reject.error({ error: name, parameter, message });
  }
}

function first(row: UploadRow, shown: Common): UploadedMediaV1 {
  const { id, media_key, category_given } = row;
  return { media_id: id, media_id_string: `${id}`, ...(category_given ? { media_key } : {}), ...shown };
}

function second({ id, media_key }: UploadRow, shown: Common): UploadedMedia {
  return { id: `${id}`, media_key, ...shown };
}

function common(store: MediaStore, row: UploadRow, report_when: ProcessingReport): Common {
  const remaining = store.remaining(row);
  const { state, content_type, kind, width, height } = row;
  const isImage = kind === 'photo' || kind === 'animated_gif';
  return {
    ...(state === 'receiving' ? {} : { size: row.total_bytes }),
    ...(remaining === undefined ? {} : { expires_after_secs: Math.ceil(remaining / 1000) }),
    ...(!reportsProcessing(row, report_when) ? {} : { processing_info: processingInfo(row) }),
    ...(isImage && width !== null && height !== null
      ? { image: { image_type: content_type, w: width, h: height } }
      : {}),
    ...(kind === 'video' ? { video: { video_type: content_type } } : {}),
  };
}

/** When a response reports processing: always, for media that are processed, or for those that are not ready. */
type ProcessingReport = 'always' | 'processed' | 'unready';

function reportsProcessing(row: UploadRow, report_when: ProcessingReport): boolean {
  if (row.state === 'receiving') return false;
  if (report_when === 'always') return true;
  return report_when === 'processed' ? isProcessed(row) : row.state !== 'succeeded';
}

const PACE_BYTES = 50_000_000;

function processingInfo({ state, failure, total_bytes }: UploadRow): Common['processing_info'] {
  switch (state) {
    case 'failed':
      return { state, progress_percent: 100, ...(failure ? { error: failure } : {}) };
    case 'succeeded':
      return { state, progress_percent: 100 };
    case 'in_progress':
      return { state, check_after_secs: 1 + Math.floor(total_bytes / PACE_BYTES), progress_percent: 0 };
    default:
      return { state: 'pending', check_after_secs: 1 + Math.floor(total_bytes / PACE_BYTES) };
  }
}

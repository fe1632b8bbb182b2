/** Reads and writes rows of media and of their segments. */
import type { MediaCategory } from '@broadside/core/resources/media';
import { and, eq, getTableColumns, gte, lt, not, sql } from 'drizzle-orm';
import type { Awaitable } from '../awaitable.ts';
import type { Reader, Writer } from '../db/database.ts';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { orNull, types } from '../db/value-types.ts';
import { blobOfMedia, isErased, stateOfMedia } from './erased.ts';
import type { MediaFacts } from './inspection.ts';
import { mediaIdOf } from './media-id.ts';
import type { MediaState } from './media-state.ts';
import { media, mediaSegments } from './platform-table.ts';
import { shortCode } from './short-link.ts';
import { blobOfStill } from './stills/still-key.ts';

/** Reason why processing failed. */
export interface MediaFailure {
  readonly code: number;
  readonly name: string;
  readonly message: string;
}

/** Media in terms of an upload. */
export interface UploadRow {
  readonly id: bigint;
  readonly media_key: string;
  readonly owner_user_id: bigint;
  readonly additional_owners: readonly string[];
  readonly category: MediaCategory;
  readonly category_given: boolean;
  readonly state: MediaState;
  readonly failure: MediaFailure | undefined;
  /** As declared until the bytes were inspected. */
  readonly content_type: string;
  readonly kind: string | null;
  readonly total_bytes: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly blob_key: string | null;
  /** Blob of its still. */
  readonly preview_blob_key: string | null;
  readonly expires_ms: number | null;
}

const { id, blob_key, preview_blob_key, state } = media;

const findUpload = statement({ id }, (args) =>
  query
    .select({
      id,
      media_key: media.media_key,
      owner_user_id: media.owner_user_id,
      additional_owners: media.additional_owners,
      category: media.category,
      category_given: media.category_given,
      state: stateOfMedia,
      error: media.error,
      content_type: media.content_type,
      kind: media.kind,
      total_bytes: media.total_bytes,
      width: media.width,
      height: media.height,
      blob_key: blobOfMedia,
      preview_blob_key,
      expires_ms: media.expires_ms,
    })
    .from(media)
    .where(eq(id, args.id))
    .limit(1),
);

/** Returns an upload by its id. */
export async function readUpload(reader: Reader, upload_id: bigint): Promise<UploadRow | undefined> {
  const found = await findUpload.first(reader, { id: upload_id });
  if (!found) return undefined;
  const { error, ...row } = found;
  return { ...row, failure: failureOf(error) };
}

/** Initial values of a new row. */
export interface NewUpload {
  readonly id: bigint;
  readonly media_key: string;
  readonly owner_user_id: bigint;
  readonly additional_owners: readonly string[];
  readonly category: MediaCategory;
  readonly category_given: boolean;
  readonly state: MediaState;
  readonly content_type: string;
  readonly total_bytes: number;
  readonly blob_key: string | null;
  readonly created_ms: number;
  readonly expires_ms: number;
}

const insertMedia = statement(
  {
    id,
    media_key: media.media_key,
    owner_user_id: media.owner_user_id,
    additional_owners: media.additional_owners,
    category: media.category,
    category_given: media.category_given,
    state,
    content_type: media.content_type,
    total_bytes: media.total_bytes,
    blob_key,
    created_ms: media.created_ms,
    expires_ms: media.expires_ms,
  },
  (row) => query.insert(media).values(row),
  (row) => `${row.id}`,
);

/** Adds a row. */
export async function insertUpload(writer: Writer, row: NewUpload): Promise<void> {
  await insertMedia.run(writer, { ...row, additional_owners: [...row.additional_owners] });
}

const updateState = statement(
  { id, state, expires_ms: orNull(types.int) },
  (args) =>
    query
      .update(media)
      .set({ state: args.state, expires_ms: sql`coalesce(${args.expires_ms}, ${media.expires_ms})` })
      .where(eq(id, args.id)),
  (row) => `${row.id}`,
);

/** Sets the state of media, and when they expire. */
export async function setState(writer: Writer, id: bigint, state: MediaState, expires_ms?: number): Promise<void> {
  await updateState.run(writer, { id, state, expires_ms: expires_ms ?? null });
}

const updateFacts = statement(
  {
    id,
    category: media.category,
    content_type: media.content_type,
    kind: media.kind,
    total_bytes: media.total_bytes,
    width: media.width,
    height: media.height,
    duration_ms: media.duration_ms,
    bit_rate: media.bit_rate,
    blob_key,
    preview_blob_key,
  },
  ({ id: media_id, ...found }) =>
    query
      .update(media)
      .set({ ...found, state: 'succeeded' })
      .where(eq(id, media_id)),
  (row) => `${row.id}`,
);

/** Writes the inspection result: the media are usable. */
export async function setFacts(
  writer: Writer,
  id: bigint,
  found: {
    readonly facts: MediaFacts;
    readonly category: MediaCategory;
    readonly blob_key: string;
    readonly preview_blob_key: string | null;
  },
): Promise<void> {
  const { facts, ...where } = found;
  await updateFacts.run(writer, { id, ...where, ...factColumns(facts) });
}

/** Columns of the inspection result. */
export function factColumns(facts: MediaFacts) {
  return {
    content_type: facts.media_type,
    kind: facts.kind,
    total_bytes: facts.size_bytes,
    width: facts.width,
    height: facts.height,
    duration_ms: facts.duration_ms === undefined ? null : Math.round(facts.duration_ms),
    bit_rate: facts.bit_rate === undefined ? null : Math.round(facts.bit_rate),
  };
}

const updateFailure = statement(
  { id, error: media.error },
  (args) => query.update(media).set({ state: 'failed', error: args.error, blob_key: null }).where(eq(id, args.id)),
  (row) => `${row.id}`,
);

/** Marks the media as unusable. */
export async function setFailure(writer: Writer, id: bigint, failure: MediaFailure): Promise<void> {
  await updateFailure.run(writer, { id, error: JSON.stringify(failure) });
}

const clearExpiry = statement(
  { media_key: media.media_key },
  ({ media_key }) =>
    query
      .update(media)
      .set({ expires_ms: null })
      .where(and(eq(media.media_key, media_key), not(isErased))),
  ({ media_key }) => mediaIdOf(media_key),
);

/** Prevents media from expiring. @returns whether they still exist, with their bytes */
export async function keepMedia(writer: Writer, media_key: string): Promise<boolean> {
  return (await clearExpiry.run(writer, { media_key })) > 0;
}

const setPosted = statement(
  { media_key: media.media_key },
  ({ media_key }) => query.update(media).set({ expires_ms: null, posted: true }).where(eq(media.media_key, media_key)),
  ({ media_key }) => mediaIdOf(media_key),
);

/** Marks media as shown by a post, which prevents them from expiring. */
export async function markPosted(writer: Writer, media_key: string): Promise<void> {
  await setPosted.run(writer, { media_key });
}

const deleteMedia = statement(
  { id },
  (args) => query.delete(media).where(eq(id, args.id)),
  (row) => `${row.id}`,
);

/** Removes a row. */
export async function deleteUpload(writer: Writer, id: bigint): Promise<void> {
  await deleteMedia.run(writer, { id });
}

const emptyMedia = statement(
  { id },
  (args) =>
    query
      .update(media)
      .set({ state: 'erased', blob_key: null, preview_blob_key: null, alt_text: null })
      .where(eq(media.id, args.id)),
  (row) => `${row.id}`,
);

/** Leaves of media that they were there: cards may show them. */
export async function emptyUpload(writer: Writer, upload_id: bigint): Promise<void> {
  await emptyMedia.run(writer, { id: upload_id });
}

/** A received segment. */
export interface SegmentRow {
  readonly index: number;
  readonly size: number;
  readonly blob_key: string;
}

const { media_id, segment_index } = mediaSegments;

const listSegments = statement({ media_id }, (args) =>
  query
    .select({ index: segment_index, size: mediaSegments.size, blob_key: mediaSegments.blob_key })
    .from(mediaSegments)
    .where(eq(media_id, args.media_id))
    .orderBy(segment_index),
);
const upsertSegment = statement(getTableColumns(mediaSegments), (segment) =>
  query
    .insert(mediaSegments)
    .values(segment)
    .onConflictDoUpdate({
      target: [media_id, segment_index],
      set: { size: segment.size, blob_key: segment.blob_key },
    }),
);
const deleteSegmentsOf = statement({ media_id }, (args) =>
  query.delete(mediaSegments).where(eq(media_id, args.media_id)),
);

/** Returns the segments of an upload, in order. */
export function readSegments(reader: Reader, media_id: bigint): Awaitable<SegmentRow[]> {
  return listSegments.all(reader, { media_id });
}

/** Writes a segment, replacing one with the same index. */
export async function putSegment(writer: Writer, media_id: bigint, segment: SegmentRow): Promise<void> {
  const { index, size, blob_key } = segment;
  await upsertSegment.run(writer, { media_id, segment_index: index, size, blob_key });
}

/** Removes the segments of an upload. @returns their blobs */
export async function deleteSegments(writer: Writer, media_id: bigint): Promise<string[]> {
  const segments = await readSegments(writer, media_id);
  await deleteSegmentsOf.run(writer, { media_id });
  return segments.map(({ blob_key }) => blob_key);
}

/** Returns the file served under the name of a blob. */
export interface ServedRow {
  readonly media_key: string;
  readonly content_type: string;
  readonly total_bytes: number;
}

const findServed = statement({ blob_key }, (args) =>
  query
    .select({ media_key: media.media_key, content_type: media.content_type, total_bytes: media.total_bytes })
    .from(media)
    .where(and(eq(blob_key, args.blob_key), eq(state, 'succeeded')))
    .limit(1),
);
const findStill = statement({ blob_key, preview_blob_key }, (args) =>
  query
    .select({ media_key: media.media_key, state })
    .from(media)
    .where(and(eq(blob_key, args.blob_key), eq(preview_blob_key, args.preview_blob_key)))
    .limit(1),
);
const findBlobUser = statement({ blob_key }, (args) =>
  query.select({ id }).from(media).where(eq(blob_key, args.blob_key)).limit(1),
);
const findByPrefix = statement({ from: types.text, to: types.text }, ({ from, to }) =>
  query
    .select({ blob_key })
    .from(media)
    .where(and(gte(blob_key, from), lt(blob_key, to), eq(state, 'succeeded')))
    .limit(1),
);

/** Returns the media whose bytes are in a blob, if they can be shown. */
export function readServed(reader: Reader, key: string): Awaitable<ServedRow | undefined> {
  return findServed.first(reader, { blob_key: key });
}

/** Returns the media of a still, if they can be shown. */
export async function readStill(reader: Reader, key: string): Promise<{ readonly media_key: string } | undefined> {
  const whole = blobOfStill(key);
  if (whole === undefined) return undefined;
  const found = await findStill.first(reader, { blob_key: whole, preview_blob_key: key });
  return found?.state === 'succeeded' ? { media_key: found.media_key } : undefined;
}

/** Returns whether media have their bytes, or their still, in a blob. Media can share blobs. */
export async function isBlobUsed(reader: Reader, key: string): Promise<boolean> {
  const whole = blobOfStill(key);
  const user =
    whole === undefined
      ? await findBlobUser.first(reader, { blob_key: key })
      : await findStill.first(reader, { blob_key: whole, preview_blob_key: key });
  return user !== undefined;
}

/** Returns the blob of a short link, if it can be shown. */
export async function readLinked(reader: Reader, code: string): Promise<string | undefined> {
  const found = await findByPrefix.first(reader, { from: code, to: `${code}~` });
  const key = found?.blob_key ?? undefined;
  // The prefix of a code is not a code.
  return key !== undefined && shortCode(key) === code ? key : undefined;
}

function failureOf(json: string | null): MediaFailure | undefined {
  if (json === null) return undefined;
  const failure: MediaFailure = JSON.parse(json);
  return failure;
}

/** Reads and writes rows of media and of their segments. */
import { type MediaCategory, mediaCategories } from '@broadside/core';
import { isSet, numberOrNull, textOrNull } from '../db/cells.ts';
import type { Reader, Row, Value, Writer } from '../db/database.ts';
import type { MediaFacts } from './inspection.ts';
import { shortCode } from './short-link.ts';
import { blobOfStill } from './stills/still-key.ts';

/** How far media are. */
export type MediaState = 'receiving' | 'pending' | 'in_progress' | 'succeeded' | 'failed';

/** Why processing failed. */
export interface MediaFailure {
  readonly code: number;
  readonly name: string;
  readonly message: string;
}

/** Media as uploading sees them. */
export interface UploadRow {
  readonly id: bigint;
  readonly media_key: string;
  readonly owner_user_id: bigint;
  readonly category: MediaCategory;
  readonly category_given: boolean;
  readonly state: MediaState;
  readonly failure: MediaFailure | undefined;
  /** As declared until the bytes have been looked at. */
  readonly content_type: string;
  readonly kind: string | null;
  readonly total_bytes: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly blob_key: string | null;
  /** Of a picture that stands for it. */
  readonly preview_blob_key: string | null;
  readonly expires_ms: number | null;
}

const COLUMNS = `"id", "media_key", "owner_user_id", "category", "category_given", "state", "error", "content_type", "kind",
  "total_bytes", "width", "height", "blob_key", "preview_blob_key", "expires_ms"`;
const UPLOAD = `SELECT ${COLUMNS} FROM "media" WHERE "id" = ? LIMIT 1`;

/** An upload by its id. */
export async function readUpload(reader: Reader, id: bigint): Promise<UploadRow | undefined> {
  const [row] = await reader.query(UPLOAD, [id]);
  return row && uploadOf(row);
}

function uploadOf(row: Row): UploadRow {
  return {
    id: BigInt(String(row[0])),
    media_key: String(row[1]),
    owner_user_id: BigInt(String(row[2])),
    category: categoryOf(row[3]),
    category_given: isSet(row[4]),
    state: stateOf(row[5]),
    failure: failureOf(row[6]),
    content_type: String(row[7]),
    kind: textOrNull(row[8]),
    total_bytes: Number(row[9]),
    width: numberOrNull(row[10]),
    height: numberOrNull(row[11]),
    blob_key: textOrNull(row[12]),
    preview_blob_key: textOrNull(row[13]),
    expires_ms: numberOrNull(row[14]),
  };
}

/** What a new row begins with. */
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

/** Adds a row. */
export async function insertUpload(writer: Writer, row: NewUpload): Promise<void> {
  await writer.run(
    `INSERT INTO "media" ("id", "media_key", "owner_user_id", "additional_owners", "category", "category_given", "state",
       "content_type", "total_bytes", "blob_key", "created_ms", "expires_ms") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      row.id,
      row.media_key,
      row.owner_user_id,
      JSON.stringify(row.additional_owners),
      row.category,
      row.category_given,
      row.state,
      row.content_type,
      row.total_bytes,
      row.blob_key,
      row.created_ms,
      row.expires_ms,
    ],
  );
}

/** Says how far media are, and when they go. */
export async function setState(writer: Writer, id: bigint, state: MediaState, expires_ms?: number): Promise<void> {
  await writer.run('UPDATE "media" SET "state" = ?, "expires_ms" = coalesce(?, "expires_ms") WHERE "id" = ?', [
    state,
    expires_ms ?? null,
    id,
  ]);
}

/** Writes what was found in the bytes: the media can be used. */
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
  const { facts, category, blob_key, preview_blob_key } = found;
  await writer.run(
    `UPDATE "media" SET "state" = 'succeeded', "category" = ?, "content_type" = ?, "kind" = ?, "total_bytes" = ?, "width" = ?,
       "height" = ?, "duration_ms" = ?, "bit_rate" = ?, "blob_key" = ?, "preview_blob_key" = ? WHERE "id" = ?`,
    [
      category,
      facts.media_type,
      facts.kind,
      facts.size_bytes,
      facts.width,
      facts.height,
      facts.duration_ms === undefined ? null : Math.round(facts.duration_ms),
      facts.bit_rate === undefined ? null : Math.round(facts.bit_rate),
      blob_key,
      preview_blob_key,
      id,
    ],
  );
}

/** Writes that the media cannot be used. */
export async function setFailure(writer: Writer, id: bigint, failure: MediaFailure): Promise<void> {
  await writer.run(`UPDATE "media" SET "state" = 'failed', "error" = ?, "blob_key" = NULL WHERE "id" = ?`, [
    JSON.stringify(failure),
    id,
  ]);
}

/** Removes a row. */
export async function deleteUpload(writer: Writer, id: bigint): Promise<void> {
  await writer.run('DELETE FROM "media" WHERE "id" = ?', [id]);
}

/** A segment that has arrived. */
export interface SegmentRow {
  readonly index: number;
  readonly size: number;
  readonly blob_key: string;
}

/** The segments of an upload, in order. */
export async function readSegments(reader: Reader, media_id: bigint): Promise<SegmentRow[]> {
  const rows = await reader.query(
    'SELECT "segment_index", "size", "blob_key" FROM "media_segments" WHERE "media_id" = ? ORDER BY "segment_index"',
    [media_id],
  );
  return rows.map((row) => ({ index: Number(row[0]), size: Number(row[1]), blob_key: String(row[2]) }));
}

/** Writes a segment, in place of one with the same index. */
export async function putSegment(writer: Writer, media_id: bigint, segment: SegmentRow): Promise<void> {
  await writer.run(
    `INSERT INTO "media_segments" ("media_id", "segment_index", "size", "blob_key") VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET "size" = excluded."size", "blob_key" = excluded."blob_key"`,
    [media_id, segment.index, segment.size, segment.blob_key],
  );
}

/** Removes the segments of an upload. @returns their blobs */
export async function deleteSegments(writer: Writer, media_id: bigint): Promise<string[]> {
  const segments = await readSegments(writer, media_id);
  await writer.run('DELETE FROM "media_segments" WHERE "media_id" = ?', [media_id]);
  return segments.map(({ blob_key }) => blob_key);
}

/** What is served under the name of a blob. */
export interface ServedRow {
  readonly media_key: string;
  readonly content_type: string;
  readonly total_bytes: number;
}

/** The media whose bytes are in a blob, if they can be shown. */
export async function readServed(reader: Reader, blob_key: string): Promise<ServedRow | undefined> {
  const [row] = await reader.query(
    `SELECT "media_key", "content_type", "total_bytes" FROM "media" WHERE "blob_key" = ? AND "state" = 'succeeded' LIMIT 1`,
    [blob_key],
  );
  return row && { media_key: String(row[0]), content_type: String(row[1]), total_bytes: Number(row[2]) };
}

/** The media that a still stands for, if they can be shown. */
export async function readStill(reader: Reader, key: string): Promise<{ readonly media_key: string } | undefined> {
  const blob_key = blobOfStill(key);
  if (blob_key === undefined) return undefined;
  const [row] = await reader.query(
    `SELECT "media_key" FROM "media" WHERE "blob_key" = ? AND "preview_blob_key" = ? AND "state" = 'succeeded' LIMIT 1`,
    [blob_key, key],
  );
  return row && { media_key: String(row[0]) };
}

/** Whether media have their bytes, or their still, in a blob. Media can share blobs. */
export async function isBlobUsed(reader: Reader, key: string): Promise<boolean> {
  const blob_key = blobOfStill(key);
  const [user] =
    blob_key === undefined
      ? await reader.query('SELECT 1 FROM "media" WHERE "blob_key" = ? LIMIT 1', [key])
      : await reader.query('SELECT 1 FROM "media" WHERE "blob_key" = ? AND "preview_blob_key" = ? LIMIT 1', [
          blob_key,
          key,
        ]);
  return user !== undefined;
}

/** The blob that a short link stands for, if it can be shown. */
export async function readLinked(reader: Reader, code: string): Promise<string | undefined> {
  const [row] = await reader.query(
    `SELECT "blob_key" FROM "media" WHERE "blob_key" >= ? AND "blob_key" < ? AND "state" = 'succeeded' LIMIT 1`,
    [code, `${code}~`],
  );
  const blob_key = row && String(row[0]);
  // The beginning of a code is none.
  return blob_key !== undefined && shortCode(blob_key) === code ? blob_key : undefined;
}

function categoryOf(value: Value | undefined): MediaCategory {
  const isCategory = (name: string): name is MediaCategory => Object.hasOwn(mediaCategories, name);
  const name = String(value);
  return isCategory(name) ? name : 'post_image';
}

const states: readonly MediaState[] = ['receiving', 'pending', 'in_progress', 'succeeded'];

function stateOf(value: Value | undefined): MediaState {
  return states.find((state) => state === value) ?? 'failed';
}

function failureOf(value: Value | undefined): MediaFailure | undefined {
  if (typeof value !== 'string') return undefined;
  const failure: MediaFailure = JSON.parse(value);
  return failure;
}

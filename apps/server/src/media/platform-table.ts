import type { MediaCategory } from '@broadside/core/resources/media';
import { sql } from 'drizzle-orm';
import { index, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { flag, int, long, words } from '../db/columns.ts';
import type { MediaState } from './media-state.ts';

/** Media from the start of their upload. The bytes are in the blob store. */
export const media = sqliteTable(
  'media',
  {
    id: long('id').primaryKey(),
    /** Prefix of the category and the id (reference, conventions section 3). */
    media_key: text('media_key').notNull(),
    owner_user_id: long('owner_user_id').notNull(),
    /** Ids of additional users who may use it. */
    additional_owners: words<string>('additional_owners').notNull(),
    category: text('category').$type<MediaCategory>().notNull(),
    /** True where the uploader named a category: only then do the upload's responses contain the media key. */
    category_given: flag('category_given').notNull(),
    state: text('state').$type<MediaState>().notNull(),
    /** Description of a failure, as JSON. */
    error: text('error'),
    content_type: text('content_type').notNull(),
    kind: text('kind').$type<'photo' | 'video' | 'animated_gif'>(),
    total_bytes: int('total_bytes').notNull(),
    width: int('width'),
    height: int('height'),
    duration_ms: int('duration_ms'),
    bit_rate: int('bit_rate'),
    /** Blob of the bytes, once they are complete. */
    blob_key: text('blob_key'),
    preview_blob_key: text('preview_blob_key'),
    alt_text: text('alt_text'),
    view_count: int('view_count').notNull().default(0),
    /** True once a post has shown it. */
    posted: flag('posted').notNull().default(false),
    created_ms: int('created_ms').notNull(),
    /** Time of expiry unless something uses it; null once something does. */
    expires_ms: int('expires_ms'),
  },
  (table) => [
    uniqueIndex('media_by_key').on(table.media_key),
    index('media_by_expiry').on(table.expires_ms),
    index('media_by_blob').on(table.blob_key),
    index('media_by_owner').on(table.owner_user_id, table.expires_ms).where(sql`${table.expires_ms} is not null`),
  ],
);

/** Received parts of an upload. */
export const mediaSegments = sqliteTable(
  'media_segments',
  {
    media_id: long('media_id').notNull(),
    segment_index: int('segment_index').notNull(),
    size: int('size').notNull(),
    blob_key: text('blob_key').notNull(),
  },
  (table) => [primaryKey({ columns: [table.media_id, table.segment_index] })],
);

import type { LibraryMediaType } from '@broadside/core/resources/media-library';
import { sql } from 'drizzle-orm';
import { index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { accountKey, long, systemColumns, words } from '../../db/columns.ts';

/** Media in the libraries of accounts. The id is the media key; what the media are is in the platform store. */
export const libraryMediaTable = sqliteTable(
  'library_media',
  {
    ...systemColumns(),
    /** A fact of the media, which never changes. */
    media_type: text('media_type').$type<LibraryMediaType>().notNull(),
    name: text('name'),
    file_name: text('file_name'),
    title: text('title'),
    description: text('description'),
    /** An image of the library; null where the still of the media is shown. */
    poster_media_key: text('poster_media_key'),
    /** Under which lists find it: see `termsOf`. */
    terms: words<string>('terms').notNull(),
  },
  (table) => [
    accountKey(table),
    index('library_media_by_seq').on(table.account_id, table.seq).where(sql`"deleted" = 0`),
  ],
);

/** The index of a library: a row for each term of each record that is not deleted. The migration makes it WITHOUT ROWID. */
export const libraryTerms = sqliteTable(
  'library_terms',
  {
    account_id: text('account_id').notNull(),
    term: text('term').notNull(),
    /** The place of the record in the order of creation. */
    seq: long('seq').notNull(),
  },
  (table) => [primaryKey({ columns: [table.account_id, table.term, table.seq] })],
);

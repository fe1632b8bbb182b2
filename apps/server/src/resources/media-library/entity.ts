import { defineEntity, type RowOf } from '../../db/entity.ts';
import { libraryMediaTable } from './table.ts';
import { termsOf } from './terms.ts';

export const libraryMedia = defineEntity({
  name: 'LIBRARY_MEDIA',
  table: libraryMediaTable,
  quota: 'library_media',
  missing: { error: 'MEDIA_NOT_FOUND', parameter: 'media_key' },
  computed: { terms: termsOf },
});

export type LibraryMediaRow = RowOf<typeof libraryMedia>;

/** Specification B, media library. */
import type { OperationRows } from '../support/operation-row.ts';
import { type Requirements, served, store, typed, wire } from '../support/requirement.ts';

export const requirements: Requirements = {
  'B-LIBRARY-ADD': {
    clause: 'B Media library, POST media_key; B Posts, additional_owners',
    text: 'finished uploads of the caller and of promotable users, or with one of them as additional owner, are added',
    on: 'every adapter',
  },
  'B-LIBRARY-OBJECT': {
    clause: 'R creatives 11, object',
    text: 'each type of media has its members: some are null while unset, some absent for images',
    on: 'every adapter',
  },
  'B-LIBRARY-CATEGORY': {
    clause: 'R creatives 11; R creatives 13, category to library',
    text: 'type and category in the library follow from the category of the upload',
    on: store,
  },
  'B-LIBRARY-UNKNOWN': {
    clause: 'R creatives 11, POST with unknown media_key',
    text: 'media of others, unknown, expired, unfinished, failed and private ones are not found, and the reason is given',
    on: 'every adapter',
  },
  'B-LIBRARY-KEPT': {
    clause: 'R creatives 13, unused media',
    text: 'media in a library do not expire',
    on: store,
  },
  'B-LIBRARY-BOUNDS': {
    clause: 'B Media library, POST and PUT; B Limits',
    text: 'name has up to 100 characters, file_name 255, title 70, description 200',
    on: typed,
  },
  'B-LIBRARY-VIDEO-ONLY': {
    clause: 'B Media library, POST; R creatives 11, rules',
    text: 'an image takes no title, description or poster, an animated GIF no poster of its own',
    on: 'every adapter',
  },
  'B-LIBRARY-POSTER': {
    clause: 'B Media library, poster_media_key; R creatives 11, poster default',
    text: 'the poster is the still unless an image of the library is given',
    on: 'every adapter',
  },
  'B-LIBRARY-AGAIN': {
    clause: 'our choice: R creatives 11, posting media adds it',
    text: 'adding media that are in the library changes what is given and nothing else',
    on: 'every adapter',
  },
  'B-LIBRARY-UPDATE': {
    clause: 'B Media library, PUT; A Shared conventions 6',
    text: 'an update changes what is given, and an empty value removes it',
    on: 'every adapter',
  },
  'B-LIBRARY-ECHO': {
    clause: 'R conventions 2',
    text: 'the echo has the key of the path and the parameters, and what is removed as null',
    on: wire,
  },
  'B-LIBRARY-DELETE': {
    clause: 'B Media library, DELETE; R creatives 11, delete',
    text: 'deleted media can no longer be read, found, changed or deleted, and can be added again as new',
    on: 'every adapter',
  },
  'B-LIBRARY-LIST': {
    clause: 'B Media library, GET count, cursor and media_type',
    text: 'a list has the newest first, 20 on a page unless count says otherwise, of one type if asked for',
    on: 'every adapter',
  },
  'B-LIBRARY-LIST-BOUNDS': {
    clause: 'B Media library, GET',
    text: 'count is 1 to 50, q has 1 to 255 characters, media_type is one of three words, and no other parameter is taken',
    on: typed,
  },
  'B-LIBRARY-QUERY': {
    clause: 'B Media library, GET q',
    text: 'q finds media by words in name, title, file_name and description, in any case of letters',
    on: 'every adapter',
  },
  'B-LIBRARY-QUERY-WRITES': {
    clause: 'B Media library, GET q',
    text: 'what q finds follows each change, deletion and restoration',
    on: served,
  },
  'B-LIBRARY-POSTED': {
    clause: 'R creatives 11, posted; B Media library, title and description',
    text: 'media that a post shows are posted; their title and description are not part of the post',
    on: 'every adapter',
  },
};

export const operations: OperationRows = {
  'media_library.list': {
    route: 'GET /12/accounts/:account_id/media_library',
    optional: 'count cursor media_type q',
    capability: 'creatives.read',
  },
  'media_library.get': {
    route: 'GET /12/accounts/:account_id/media_library/:media_key',
    capability: 'creatives.read',
  },
  'media_library.create': {
    route: 'POST /12/accounts/:account_id/media_library',
    required: 'media_key',
    optional: 'description file_name name poster_media_key title',
    capability: 'creatives.write',
  },
  'media_library.update': {
    route: 'PUT /12/accounts/:account_id/media_library/:media_key',
    optional: 'description file_name name poster_media_key title',
    capability: 'creatives.write',
  },
  'media_library.delete': {
    route: 'DELETE /12/accounts/:account_id/media_library/:media_key',
    capability: 'creatives.write',
  },
};

/** Specification A, data retrieval: posts, users and media as version 2 returns them. */
import type { OperationRows } from '../support/operation-row.ts';
import { type Requirements, store, wire } from '../support/requirement.ts';

export const requirements: Requirements = {
  'A-POST-MINIMAL': {
    clause: 'A Post (v2); A User (v2); A Media (v2); R data-retrieval 3',
    text: 'without field parameters an object has its default fields only',
    on: 'every adapter',
  },
  'A-POST-FIELDS': {
    clause: 'A Post (v2), post.fields; R data-retrieval 4',
    text: 'each field of a post is returned when it is named, with its type and shape, and only then',
    on: 'every adapter',
  },
  'A-USER-FIELDS': {
    clause: 'A User (v2); R data-retrieval 7',
    text: 'each field of a user is returned when it is named in user.fields, and only then',
    on: 'every adapter',
  },
  'A-MEDIA-FIELDS': {
    clause: 'A Media (v2); R data-retrieval 6',
    text: 'each field of media is returned when it is named in media.fields, and only then',
    on: 'every adapter',
  },
  'A-POST-LATER-FIELDS': {
    clause: 'R data-retrieval 4 and 7',
    text: 'fields of later versions are accepted, and nothing comes of them',
    on: 'every adapter',
  },
  'A-POST-EXPANSIONS': {
    clause: 'A includes; R data-retrieval 5',
    text: 'each expansion fills what it names and adds the member that leads there',
    on: 'every adapter',
  },
  'A-POST-INCLUDES': {
    clause: 'A includes; R data-retrieval 2',
    text: 'an included object stands once; a list that would be empty is absent, and so is includes',
    on: 'every adapter',
  },
  'A-POST-ORDER': {
    clause: 'R data-retrieval 2',
    text: 'posts come in the order of their ids, one whose id is repeated once',
    on: 'every adapter',
  },
  'A-POST-MISSING': {
    clause: 'R conventions 8; R data-retrieval 12',
    text: 'an unknown or deleted post is a problem beside what was found, also where another post refers to it',
    on: 'every adapter',
  },
  'A-POST-NONE': {
    clause: 'R conventions 8; R data-retrieval 12',
    text: 'where nothing was found the answer is 200 with errors only',
    on: 'every adapter',
  },
  'A-POST-PROTECTED': {
    clause: 'R data-retrieval 12; 4 what must work',
    text: 'posts of a protected author are seen by approved followers and the author only',
    on: 'every adapter',
  },
  'A-POST-MEDIA-LINK': {
    clause: 'R data-retrieval 10 and 11',
    text: 'a post with media ends with a short link to them, which stands in entities.urls with its media key',
    on: 'every adapter',
  },
  'A-POST-MEDIA-LINK-LEADS': {
    clause: 'R data-retrieval 11; 4 what must work',
    text: 'the short link of media leads to their bytes, and any other leads nowhere',
    on: wire,
  },
  'A-MEDIA-STILL': {
    clause: 'R data-retrieval 6, preview_image_url',
    text: 'videos and animated GIFs have a still of their size, which is an image that is there',
    on: wire,
  },
  'A-POST-REPOST-TEXT': {
    clause: 'R data-retrieval 11',
    text: 'the text of a repost begins with RT @name:, also where the original shows media',
    on: 'every adapter',
  },
  'A-POST-PROTECTED-UNSEEN': {
    clause: '4 what must work; R data-retrieval 12',
    text: 'nobody answers or likes a post that they may not see, and nobody else quotes or reposts a protected one',
    on: store,
  },
  'A-POST-PROTECTED-REPOST': {
    clause: 'R data-retrieval 2 and 12',
    text: 'a repost is hidden once its author or that of the original is protected, also where another post refers to it',
    on: 'every adapter',
  },
  'A-POST-OWN-METRICS': {
    clause: 'R data-retrieval 2 and 4',
    text: 'private metrics are for the author; others get a problem of the field',
    on: 'every adapter',
  },
  'A-POST-REFUSED': {
    clause: 'R conventions 8; R data-retrieval 2',
    text: 'a parameter that is missing, malformed, too long or unknown is refused in words of its own',
    on: 'every adapter',
  },
  'A-POST-REFUSED-BODY': {
    clause: 'R conventions 8',
    text: 'a refused request is an invalid-request problem that names parameters and values',
    on: wire,
  },
  'A-POST-BEARER': {
    clause: 'A GET /2/posts; A Authentication 2; A States',
    text: 'the bearer token of an app opens data retrieval until it is invalidated',
    on: wire,
  },
  'A-POST-OAUTH': {
    clause: 'R data-retrieval 2; A Errors, 89',
    text: 'a signature of a user opens data retrieval until the token is revoked, then it is 401 with code 89',
    on: wire,
  },
  'A-POST-UNAUTHORIZED': { clause: 'R conventions 8', text: 'no or bad credentials are a 401 problem', on: wire },
  'A-POST-SUSPENDED': {
    clause: 'R conventions 8',
    text: 'a suspended app is a 403 problem of the slug client-forbidden',
    on: wire,
  },
  'A-POST-RATE': {
    clause: 'R conventions 9',
    text: 'an app has 3,500 and a user 5,000 requests in 15 minutes, then it is a 429 problem',
    on: wire,
  },
  'A-POST-METHOD': {
    clause: 'R conventions 8',
    text: 'other methods are a 405 problem that names the right one',
    on: wire,
  },
};

export const operations: OperationRows = {
  'posts.lookup': {
    route: 'GET /2/posts',
    required: 'ids',
    optional: 'post.fields expansions media.fields user.fields poll.fields place.fields',
  },
};

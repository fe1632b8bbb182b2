/** Data retrieval (specification A, GET {base_url}/2/posts; reference, data retrieval). */

import * as z from 'zod';
import { defineDataOperation } from '../../operation/define.ts';
import { object } from '../../wire/object.ts';
import { list, numericId, oneOf } from '../../wire/types.ts';
import { MediaObject } from '../media/media.ts';
import { laterUserFields, UserObject } from '../users/user.ts';
import { advertiserOperations } from './advertiser-operations.ts';
import { postExpansionNames } from './expansions.ts';
import { Place, Poll } from './poll-and-place.ts';
import { laterPostFields, Post } from './post.ts';

export { errors } from './errors.ts';

/** Maximum number of posts in one request. */
export const MAX_LOOKUP_IDS = 100;

/** The objects that expansions include, each once; empty members are left out. */
const PostIncludes = object(() => ({
  media: z.array(MediaObject).optional().describe('Media that posts show.'),
  places: z.array(Place).optional().describe('Places where posts were written.'),
  polls: z.array(Poll).optional().describe('Polls of posts.'),
  posts: z.array(Post).optional().describe('Posts that others answer, repost or quote.'),
  users: z.array(UserObject).optional().describe('Authors, people who are answered, and people who are named.'),
}));

/** A list of words without duplicates. */
function words<const Values extends readonly [string, ...string[]]>(values: Values) {
  return list(oneOf(values), { max: values.length });
}

function membersOf(schema: z.ZodObject, later: readonly string[] = []): readonly [string, ...string[]] {
  const [first, ...others] = [...Object.keys(schema.shape), ...later].sort();
  if (first === undefined) throw new TypeError('an object has members');
  return [first, ...others];
}

const lookup = defineDataOperation({
  id: 'posts.lookup',
  summary: 'Get posts by their ids',
  description:
    'Answers with the posts that can be shown, in the order of the ids. Each id that gives none has an entry in `errors`. Without field parameters an object has its default fields only; what an object does not have is left out.',
  http: { method: 'GET', path: '/2/posts' },
  access: { auth: 'app_or_user' },
  rateLimit: 'data.posts',
  envelope: 'lookup',
  params: object(() => ({
    ids: list(numericId(), { max: MAX_LOOKUP_IDS }).describe(`1 to ${MAX_LOOKUP_IDS} ids of posts.`),
    'post.fields': words(membersOf(Post, laterPostFields)).optional().describe('Fields of posts beside id and text.'),
    expansions: words(postExpansionNames).optional().describe('What to bring along in `includes`.'),
    'media.fields': words(membersOf(MediaObject)).optional().describe('Fields of media beside media_key and type.'),
    'user.fields': words(membersOf(UserObject, laterUserFields))
      .optional()
      .describe('Fields of users beside id, name and username.'),
    'poll.fields': words(membersOf(Poll)).optional().describe('Fields of polls beside id and options.'),
    'place.fields': words(membersOf(Place)).optional().describe('Fields of places beside id and full_name.'),
  })),
  data: Post,
  includes: PostIncludes,
  errors: [],
  example: {
    params: { ids: ['1503831318555086851'], 'post.fields': ['author_id', 'created_at'], expansions: ['author_id'] },
    data: {
      id: '1503831318555086851',
      text: 'Autumn reading is in: https://books.example.com',
      author_id: '1503831318555086849',
      created_at: '2026-01-15T08:00:00.000Z',
    },
    includes: { users: [{ id: '1503831318555086849', name: 'Harbour Books', username: 'harbourbooks' }] },
  },
});

// Named, so that declarations do not repeat the operations of advertisers.
export const operations: { readonly lookup: typeof lookup } & typeof advertiserOperations = {
  lookup,
  ...advertiserOperations,
};

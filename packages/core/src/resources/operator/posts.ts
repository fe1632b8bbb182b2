/** Operations by which the operator acts for users: posts, likes, votes, follows. Advertisers post through their own endpoints. */

import { defineOperatorOperation } from '../../operation/define.ts';
import { object } from '../../wire/object.ts';
import { boolean, int, list, numericId, oneOf, text } from '../../wire/types.ts';
import { replySettings } from '../posts/post.ts';
import { moderation } from './moderation.ts';

const user_id = numericId().describe('The person who does it.');
const post_id = numericId().describe('The post.');
const example = { user_id: '1503831318555086849', post_id: '1503831318555086851' } as const;

const PostId = object(() => ({ id: numericId().describe('The post.') }));
const Changed = object(() => ({ changed: boolean().describe('Whether anything changed.') }));

/** Fields of a new post without its author. */
const newPost = object(() => ({
  text: text({ min: 0, max: 25_000 }).describe('What it says: up to 280 in weighted length, where a link counts 23.'),
  replied_to_id: numericId().optional().describe('The post that it answers.'),
  quoted_id: numericId().optional().describe('The post that it quotes.'),
  media_keys: list(text({ max: 64 }), { min: 0, max: 4 })
    .optional()
    .describe('Up to 4 images, or one animated GIF, or one video, of the author.'),
  possibly_sensitive: boolean().default(false).describe('Whether its links or media may not be for everybody.'),
  reply_settings: oneOf(replySettings).default('everyone').describe('Who may reply.'),
  nullcast: boolean().default(false).describe('Promoted only: in nobody’s timeline.'),
  lang: text({ max: 35 }).optional().describe('BCP 47 language of the text; detected when left out.'),
  source: text({ max: 100 }).optional().describe('The client that it was posted with.'),
}));

const create = defineOperatorOperation({
  id: 'admin.posts.create',
  summary: 'Post something',
  procedure: 'mutation',
  envelope: 'entity',
  params: object(() => ({ user_id, ...newPost.shape })),
  data: PostId,
  errors: ['ACTION_NOT_ALLOWED', 'INVALID_PARAMETER', 'NOT_FOUND', 'USER_NOT_FOUND'],
  example: {
    params: { user_id: example.user_id, text: 'Autumn reading is in: https://books.example.com #books' },
    data: { id: example.post_id },
  },
});

const repost = defineOperatorOperation({
  id: 'admin.posts.repost',
  summary: 'Repost a post',
  procedure: 'mutation',
  envelope: 'entity',
  params: object(() => ({ user_id, post_id, source: newPost.shape.source })),
  data: PostId,
  errors: ['ACTION_NOT_ALLOWED', 'ALREADY_EXISTS', 'NOT_FOUND', 'USER_NOT_FOUND'],
  example: { params: example, data: { id: '1503831318555086852' } },
});

const remove = defineOperatorOperation({
  id: 'admin.posts.delete',
  summary: 'Delete a post and its reposts',
  procedure: 'mutation',
  envelope: 'entity',
  params: object(() => ({ post_id })),
  data: PostId,
  errors: ['NOT_FOUND'],
  example: { params: { post_id: example.post_id }, data: { id: example.post_id } },
});

const liking = {
  procedure: 'mutation',
  envelope: 'entity',
  params: object(() => ({ user_id, post_id })),
  data: Changed,
  errors: ['NOT_FOUND', 'USER_NOT_FOUND'],
  example: { params: example, data: { changed: true } },
} as const;

const like = defineOperatorOperation({
  id: 'admin.posts.like',
  summary: 'Like a post',
  ...liking,
  errors: ['ACTION_NOT_ALLOWED', ...liking.errors],
});
const unlike = defineOperatorOperation({ id: 'admin.posts.unlike', summary: 'Take a like back', ...liking });

const choice = int({ min: 1, max: 4 }).describe('The position of the choice, from 1.');

const vote = defineOperatorOperation({
  id: 'admin.polls.vote',
  summary: 'Vote in the poll of a post',
  description:
    'Everybody has one vote in a poll, which cannot be changed, while the poll is open by the clock of the platform and only on a post that they may see. `GET /2/posts` counts the votes.',
  procedure: 'mutation',
  envelope: 'entity',
  params: object(() => ({ user_id, post_id, choice })),
  data: object(() => ({ poll_id: numericId().describe('The poll.'), choice })),
  errors: ['ACTION_NOT_ALLOWED', 'ALREADY_EXISTS', 'INVALID_PARAMETER', 'NOT_FOUND', 'USER_NOT_FOUND'],
  example: { params: { ...example, choice: 2 }, data: { poll_id: '1503831318555086854', choice: 2 } },
});

const followed_user_id = numericId().describe('The person who is followed.');
const followExample = { user_id: example.user_id, followed_user_id: '1503831318555086853' } as const;

/** Definition shared by the operations on a follow that may not exist. */
const following = {
  procedure: 'mutation',
  envelope: 'entity',
  data: Changed,
  errors: [],
  example: { params: followExample, data: { changed: true } },
} as const;

const follow = defineOperatorOperation({
  id: 'admin.follows.create',
  summary: 'Follow a user',
  description: 'A protected user has to approve it: see admin.follows.approve.',
  procedure: 'mutation',
  envelope: 'entity',
  params: object(() => ({ user_id, followed_user_id })),
  data: object(() => ({ state: oneOf(['requested', 'approved']).describe('What became of it.') })),
  errors: ['ACTION_NOT_ALLOWED', 'USER_NOT_FOUND'],
  example: { params: followExample, data: { state: 'approved' } },
});

const approve = defineOperatorOperation({
  id: 'admin.follows.approve',
  summary: 'Approve a request to follow a protected user',
  params: object(() => ({ user_id: user_id.describe('The person who asked.'), followed_user_id })),
  ...following,
});

const unfollow = defineOperatorOperation({
  id: 'admin.follows.delete',
  summary: 'End a follow, or a request for one',
  params: object(() => ({ user_id, followed_user_id })),
  ...following,
});

export const adminPosts = { create, repost, delete: remove, like, unlike, ...moderation };
export const adminPolls = { vote };
export const adminFollows = { create: follow, approve, delete: unfollow };

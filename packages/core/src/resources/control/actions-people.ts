/** Actions of people: votes, likes, follows and reposts of as many as a test needs. */
import { int, numericId } from '../../wire/types.ts';
import { CrowdOutcome, crowd } from './actions-shared.ts';
import { inWorld } from './on-world.ts';

const post_id = numericId().describe('The post.');
const shared = {
  envelope: 'entity',
  exclusive: [['count', 'user_ids']],
  data: CrowdOutcome,
  errors: ['ACTION_NOT_ALLOWED', 'ALREADY_EXISTS', 'EXCLUSIVE_PARAMETERS', 'INVALID_PARAMETER', 'NOT_FOUND'],
} as const;

const examplePost = { id: '1503831318555086851', like_count: 12 };
const people = { user_ids: ['1503831318555086860', '1503831318555086861'], generated: 1 };
const ofPost = {
  params: { post_id: examplePost.id, count: 2 },
  data: { changed: [{ entity: 'POST' as const, id: examplePost.id, after: examplePost }], ...people },
};

const vote = inWorld('control.actions.vote', 'POST', '/worlds/:world_id/actions/vote', {
  summary: 'Have people vote in the poll of a post',
  description: 'Everybody has one vote in a poll, while it is open by the clock of the world.',
  ...shared,
  params: () => ({
    post_id,
    choice: int({ min: 1, max: 4 }).describe('The position of the choice, from 1.'),
    ...crowd(),
  }),
  example: {
    params: { ...ofPost.params, choice: 1 },
    data: { changed: [{ entity: 'POLL', id: '1503831318555086854', after: { voting_status: 'open' } }], ...people },
  },
});

const like = inWorld('control.actions.like', 'POST', '/worlds/:world_id/actions/like', {
  summary: 'Have people like a post',
  ...shared,
  params: () => ({ post_id, ...crowd() }),
  example: ofPost,
});

const repost = inWorld('control.actions.repost', 'POST', '/worlds/:world_id/actions/repost', {
  summary: 'Have people repost a post',
  ...shared,
  params: () => ({ post_id, ...crowd() }),
  example: ofPost,
});

const follow = inWorld('control.actions.follow', 'POST', '/worlds/:world_id/actions/follow', {
  summary: 'Have people follow a user',
  description: 'Following a protected user is a request, which the user approves.',
  ...shared,
  params: () => ({ followed_user_id: numericId().describe('The user whom they follow.'), ...crowd() }),
  example: {
    params: { followed_user_id: '1503831318555086849', count: 2 },
    data: {
      changed: [{ entity: 'USER', id: '1503831318555086849', after: { followers_count: 12 } }],
      ...people,
    },
  },
});

/** Actions of people. */
export const deeds = { vote, like, repost, follow };

import { createOf, defineFamily, updateOf } from '../../operation/family.ts';
import { account_id } from '../../operation/list.ts';
import { defineAccountRead, defineAccountWrite } from '../../operation/on-account.ts';
import { object } from '../../wire/object.ts';
import { long } from '../../wire/types.ts';
import { scheduleErrors, unpublishedFacts, unpublishedFamily } from '../draft-posts/family.ts';
import { contentChanges, contentOfNew } from '../draft-posts/params.ts';
import { ScheduledPost } from './entity.ts';
import { scheduled_at, scheduled_post_id } from './params.ts';

export { errors } from './errors.ts';

const example = {
  id: '1503831318555086854',
  name: 'Autumn, first day',
  text: 'Books for autumn evenings: https://books.example.com/autumn',
  user_id: '1503831318555086849',
  scheduled_at: '2026-09-22T07:00:00Z',
  scheduled_status: 'SCHEDULED',
  completed_at: null,
  post_id: null,
  nullcast: true,
  card_uri: null,
  media_keys: [],
  created_at: '2026-01-15T08:00:00Z',
  updated_at: '2026-01-15T08:00:00Z',
} as const;

const scheduledPost = defineFamily({ ...unpublishedFamily, data: ScheduledPost, key: { scheduled_post_id }, example });

const { missing } = scheduledPost;
const at = { scheduled_post_id: example.id };
const facts = unpublishedFacts({ scheduled_post_id }, ScheduledPost, at, example, {
  ...example,
  scheduled_status: 'DELETED',
});

export const operations = {
  list: defineAccountRead('scheduled_posts.list', '/12/accounts/:account_id/scheduled_posts', {
    summary: 'List the scheduled posts of an account',
    description: 'Those in the name of one user, the newest first, whatever became of them.',
    ...facts.list,
  }),
  get: defineAccountRead('scheduled_posts.get', '/12/accounts/:account_id/scheduled_posts/:scheduled_post_id', {
    summary: 'Get one scheduled post',
    ...facts.get,
  }),
  create: createOf(scheduledPost, 'scheduled_posts.create', '/12/accounts/:account_id/scheduled_posts', {
    summary: 'Schedule a post',
    description: [
      'The post is published within about a second of its time; `post_id` is filled in then. Media that no post can show together are found out at that time only: the scheduled post is FAILED then, with the reason in `failure`.',
      'An account has up to 30 posts in the 15 minutes around the time of one.',
      'It takes the user of `as_user_id`, or for the FULL promotable user a caller with POST_COMPOSER.',
    ].join(' '),
    params: object(() => ({
      account_id,
      scheduled_at,
      as_user_id: long({ min: 1n }).describe('The promotable user in whose name it is published.'),
      ...contentOfNew.shape,
    })),
    errors: [...scheduleErrors, 'QUOTA_EXCEEDED', 'SCHEDULED_POST_LIMIT_EXCEEDED'],
    example: {
      scheduled_at: example.scheduled_at,
      as_user_id: example.user_id,
      text: example.text,
      name: example.name,
    },
  }),
  update: updateOf(
    scheduledPost,
    'scheduled_posts.update',
    '/12/accounts/:account_id/scheduled_posts/:scheduled_post_id',
    {
      summary: 'Change a scheduled post before its time',
      description: 'Only the parameters given change; what holds for a new one holds for the result.',
      params: object(() => ({
        account_id,
        scheduled_post_id,
        scheduled_at: scheduled_at.optional(),
        ...contentChanges.shape,
      })),
      errors: [missing, ...scheduleErrors, 'SCHEDULED_POST_LIMIT_EXCEEDED'],
      example: { scheduled_at: '2026-09-22T08:30:00Z' },
    },
  ),
  delete: defineAccountWrite(
    'scheduled_posts.delete',
    'DELETE',
    '/12/accounts/:account_id/scheduled_posts/:scheduled_post_id',
    {
      summary: 'Delete a scheduled post',
      description: 'It is gone, and not published. The post that was published already stays.',
      ...facts.delete,
    },
  ),
};

export const position = 88;

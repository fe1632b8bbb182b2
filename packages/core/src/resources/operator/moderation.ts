/** The operator's decisions on posts: reported, taken down, restored. */

import type * as z from 'zod';
import { defineOperatorOperation } from '../../operation/define.ts';
import { count, cursor } from '../../operation/list.ts';
import { object } from '../../wire/object.ts';
import { numericId, oneOf, text, time } from '../../wire/types.ts';
import { reason } from './reason.ts';

/** What can be held against a post. */
const moderationStates = ['REPORTED', 'TAKEN_DOWN'] as const;
export type ModerationState = (typeof moderationStates)[number];

const post_id = numericId().describe('The post.');

/** A post, and what is held against it. */
const ModeratedPost = object(() => ({
  id: numericId().describe('The post.'),
  author_id: numericId().describe('Its author.'),
  text: text().describe('What it says.'),
  state: oneOf(moderationStates).nullable().describe('What is held against it; null for nothing.'),
  reason: text().nullable().describe('Why. Of a post that was taken down, its author sees this.'),
  decided_at: time().nullable().describe('When that was decided, by the clock of the world.'),
}));
export type ModeratedPost = z.output<typeof ModeratedPost>;

const exampleDown: ModeratedPost = {
  id: '1503831318555086851',
  author_id: '1503831318555086849',
  text: 'Autumn reading is in: https://books.example.com #books',
  state: 'TAKEN_DOWN',
  reason: 'Offers counterfeit books',
  decided_at: '2026-01-15T08:00:00Z',
};
const exampleReason = { post_id: exampleDown.id, reason: 'Offers counterfeit books' };

/** Definition shared by the decisions on a post. */
const decision = { procedure: 'mutation', envelope: 'entity', data: ModeratedPost, errors: ['NOT_FOUND'] } as const;

const list = defineOperatorOperation({
  id: 'admin.posts.list',
  summary: 'List the posts that were reported or taken down, the newest post first',
  procedure: 'query',
  envelope: 'list',
  params: object(() => ({
    state: oneOf(moderationStates).optional().describe('Only posts that were reported, or that were taken down.'),
    count,
    cursor,
  })),
  data: ModeratedPost,
  errors: ['INVALID_PARAMETER'],
  example: { params: { state: 'TAKEN_DOWN' }, data: exampleDown },
});

const report = defineOperatorOperation({
  id: 'admin.posts.report',
  summary: 'Note that a post was reported, for a decision later',
  description: 'Nothing else changes. A post that was taken down stays so. Reporting again replaces the reason.',
  ...decision,
  params: object(() => ({ post_id, reason: reason.describe('What it was reported for.') })),
  example: { params: exampleReason, data: { ...exampleDown, state: 'REPORTED' } },
});

const takeDown = defineOperatorOperation({
  id: 'admin.posts.take_down',
  summary: 'Hide a post from everybody but its author',
  description:
    'Its author sees it with the reason, on its page. Nobody else finds it, or a repost of it, in lookups, lists, pages and previews. It cannot be liked, answered, quoted, reposted or promoted. What promotes it, or a repost of it, in any account is REJECTED until it is restored. Taking down again replaces the reason.',
  ...decision,
  params: object(() => ({ post_id, reason: reason.describe('Why, for its author and the change log.') })),
  example: { params: exampleReason, data: exampleDown },
});

const restore = defineOperatorOperation({
  id: 'admin.posts.restore',
  summary: 'Show a post again that was taken down, or dismiss what it was reported for',
  description:
    'Reviews of what promotes it are as before; those that were decided since stay. Of a post that nothing is held against, nothing changes.',
  ...decision,
  params: object(() => ({ post_id })),
  example: {
    params: { post_id: exampleDown.id },
    data: { ...exampleDown, state: null, reason: null, decided_at: null },
  },
});

/** The operator's procedures for the moderation of posts. */
export const moderation = { list, report, take_down: takeDown, restore };

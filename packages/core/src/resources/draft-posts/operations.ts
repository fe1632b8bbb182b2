import { createOf, defineFamily, updateOf } from '../../operation/family.ts';
import { account_id } from '../../operation/list.ts';
import { defineAccountRead, defineAccountWrite } from '../../operation/on-account.ts';
import { object } from '../../wire/object.ts';
import { numericId } from '../../wire/types.ts';
import { DraftPost, DraftPreview } from './entity.ts';
import { draftErrors, unpublishedFacts, unpublishedFamily } from './family.ts';
import { contentChanges, contentOfNew, draft_post_id } from './params.ts';

const example = {
  id: '1503831318555086853',
  name: 'Autumn, first idea',
  text: 'Books for autumn evenings: https://books.example.com/autumn',
  user_id: '1503831318555086849',
  nullcast: true,
  card_uri: null,
  media_keys: [],
  created_at: '2026-01-15T08:00:00Z',
  updated_at: '2026-01-15T08:00:00Z',
} as const;

const draftPost = defineFamily({ ...unpublishedFamily, data: DraftPost, key: { draft_post_id }, example });

const { missing, read } = draftPost;
const at = { draft_post_id: example.id };
const facts = unpublishedFacts({ draft_post_id }, DraftPost, at, example, { ...example, status: 'DELETED' });

export const operations = {
  list: defineAccountRead('draft_posts.list', '/12/accounts/:account_id/draft_posts', {
    summary: 'List the draft posts of an account',
    description: 'Those in the name of one user, the newest first.',
    ...facts.list,
  }),
  get: defineAccountRead('draft_posts.get', '/12/accounts/:account_id/draft_posts/:draft_post_id', {
    summary: 'Get one draft post',
    ...facts.get,
  }),
  create: createOf(draftPost, 'draft_posts.create', '/12/accounts/:account_id/draft_posts', {
    summary: 'Write a draft post',
    description:
      'A draft is shown to nobody but in previews. Who may write it is who may publish it: the user of `as_user_id`, or for the FULL promotable user a caller with POST_COMPOSER too.',
    params: object(() => ({
      account_id,
      as_user_id: numericId().describe('The promotable user in whose name it is written.'),
      ...contentOfNew.shape,
    })),
    errors: [...draftErrors, 'QUOTA_EXCEEDED'],
    example: { as_user_id: example.user_id, text: example.text, name: example.name },
  }),
  update: updateOf(draftPost, 'draft_posts.update', '/12/accounts/:account_id/draft_posts/:draft_post_id', {
    summary: 'Change a draft post',
    description: 'Only the parameters given change; what holds for a new draft holds for the result.',
    params: object(() => ({ account_id, draft_post_id, ...contentChanges.shape })),
    errors: [missing, ...draftErrors],
    example: { text: 'Books for long autumn evenings: https://books.example.com/autumn' },
  }),
  delete: defineAccountWrite('draft_posts.delete', 'DELETE', '/12/accounts/:account_id/draft_posts/:draft_post_id', {
    summary: 'Delete a draft post',
    description: 'This cannot be undone: the draft is gone.',
    ...facts.delete,
  }),
  // Looking at a draft takes no more than reading it (our choice).
  preview: defineAccountWrite(
    'draft_posts.preview',
    'POST',
    '/12/accounts/:account_id/draft_posts/preview/:draft_post_id',
    {
      summary: 'Show a draft post to yourself',
      description:
        'Sends a notification to every browser in which the calling user is signed in. It opens a timeline with the draft on top, which this user alone sees.',
      capability: read,
      envelope: 'message',
      params: object(() => ({ account_id, draft_post_id })),
      data: DraftPreview,
      errors: [missing],
      example: {
        params: { draft_post_id: example.id },
        data: {
          message:
            'The draft is shown in 2 browsers in which you are signed in, and at https://platform.example.com/notifications.',
        },
      },
    },
  ),
};

export const position = 87;

/** The operator's export of all that is held on a person. */

import type * as z from 'zod';
import { defineOperatorOperation } from '../../operation/define.ts';
import { cursor } from '../../operation/list.ts';
import { object } from '../../wire/object.ts';
import { members, numericId, oneOf, text } from '../../wire/types.ts';

/** The parts of an export, in their order. The guide on people and apps has what each holds. */
export const exportParts = [
  'manifest',
  'profile',
  'sessions',
  'access_tokens',
  'apps',
  'accounts',
  'audiences',
  'notifications',
  'posts',
  'likes',
  'votes',
  'following',
  'followers',
  'media',
  'media_bytes',
  'draft_posts',
  'scheduled_posts',
  'changes_of_person',
  'changes_by_person',
  'end',
] as const;

/** A line of an export. */
export const ExportRecord = object(() => ({
  part: oneOf(exportParts).describe('The part that it belongs to.'),
  data: members().describe('What is held. Ids are texts; of bytes, base64.'),
}));
export type ExportRecord = z.output<typeof ExportRecord>;

/** Reads all that is held on a user. */
export const exportUser = defineOperatorOperation({
  id: 'admin.users.export',
  summary: 'Export all that is held on a user',
  description:
    'A list of records, each of one part: first a manifest, last an `end`. A page holds about a megabyte at most. Passwords and secrets are left out, the bytes of media are there.',
  procedure: 'query',
  envelope: 'list',
  params: object(() => ({ user_id: numericId().describe('The user.'), cursor })),
  data: ExportRecord,
  errors: ['INVALID_PARAMETER', 'USER_NOT_FOUND'],
  example: {
    params: { user_id: '1503831318555086849' },
    data: { part: 'likes', data: { post_id: '1503831318555086851', created_at: '2026-01-15T08:00:00.000Z' } },
  },
});

/** The parts of an export of an app, in their order. */
export const appExportParts = ['manifest', 'app', 'access_tokens', 'bearer_tokens', 'changes_of_app', 'end'] as const;

/** A line of an export of an app. */
export const AppExportRecord = object(() => ({
  part: oneOf(appExportParts).describe('The part that it belongs to.'),
  data: members().describe('What is held. Ids are texts.'),
}));
export type AppExportRecord = z.output<typeof AppExportRecord>;

/** Reads all that is held on an app. */
export const exportApp = defineOperatorOperation({
  id: 'admin.apps.export',
  summary: 'Export all that is held on an app',
  description:
    'A list of records, each of one part: first a manifest, last an `end`. Tokens and secrets are left out; whose they are, and when they were issued and revoked, is there.',
  procedure: 'query',
  envelope: 'list',
  params: object(() => ({ consumer_key: text({ max: 200 }).describe('The API key of the app.'), cursor })),
  data: AppExportRecord,
  errors: ['INVALID_PARAMETER', 'NOT_FOUND'],
  example: {
    params: { consumer_key: 'ck_0123456789abcdef' },
    data: { part: 'access_tokens', data: { user_id: '1503831318555086849', access_level: 'write' } },
  },
});

/** Actions that end access: tokens, apps that were approved, and sessions. */
import { numericId, text } from '../../wire/types.ts';
import { ActionOutcome } from './actions-shared.ts';
import { inWorld } from './on-world.ts';

const exampleUserId = '1503831318555086849';

const revoke = inWorld('control.actions.revoke', 'POST', '/worlds/:world_id/actions/revoke', {
  summary: 'Revoke an access token, or the access of an app',
  description:
    'With `consumer_key` alone, all access tokens of the app are revoked and its bearer token; with `user_id` beside it, the access tokens of this user.',
  envelope: 'entity',
  body: 'json',
  params: () => ({
    access_token: text({ secret: true }).optional().describe('The access token.'),
    consumer_key: text().optional().describe('The API key of the app.'),
    user_id: numericId().optional().describe('The user, beside `consumer_key`.'),
  }),
  exclusive: [
    ['access_token', 'consumer_key'],
    ['access_token', 'user_id'],
  ],
  data: ActionOutcome,
  errors: ['EXCLUSIVE_PARAMETERS', 'INCLUSIVE_PARAMETERS', 'MISSING_PARAMETER', 'NOT_FOUND'],
  example: {
    params: { access_token: `${exampleUserId}-AccessTokenValue` },
    data: {
      changed: [
        {
          entity: 'ACCESS_TOKEN',
          id: 'c0ffee',
          after: { user_id: exampleUserId, revoked_at: '2026-01-15T08:00:00Z' },
        },
      ],
    },
  },
});

const expire_sessions = inWorld(
  'control.actions.expire_sessions',
  'POST',
  '/worlds/:world_id/actions/expire_sessions',
  {
    summary: 'End the sessions of a user',
    description: 'The user is signed out in every browser. Access tokens stay valid.',
    envelope: 'entity',
    params: () => ({ user_id: numericId().describe('The user.') }),
    data: ActionOutcome,
    errors: ['NOT_FOUND'],
    example: {
      params: { user_id: exampleUserId },
      data: { changed: [{ entity: 'SESSION', id: exampleUserId, after: { ended: 1 } }] },
    },
  },
);

/** Actions that end access. */
export const access = { revoke, expire_sessions };

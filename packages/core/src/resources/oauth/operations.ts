/**
 * The endpoints of authentication (specification A, Authentication endpoints): OAuth 1.0a in three legs, app-only bearer
 * tokens, and the revocation of both. They are protocol, not data: on REST, in the OpenAPI document and in the client, but
 * neither tRPC procedures nor commands.
 */

import * as z from 'zod';
import { defineAuthOperation } from '../../operation/define.ts';
import { object } from '../../wire/object.ts';
import { boolean, numericId, oneOf, text } from '../../wire/types.ts';
import { accessLevels } from '../apps/entity.ts';
import { exampleToken, token } from './token.ts';

export { errors } from './errors.ts';

const requestToken = defineAuthOperation({
  id: 'oauth.request_token',
  summary: 'Get a request token',
  description:
    'Step 1 of the three-legged flow. The person is then sent to GET /oauth/authorize or GET /oauth/authenticate with the token.',
  http: { method: 'POST', path: '/oauth/request_token' },
  access: { auth: 'app' },
  rateLimit: 'auth.token',
  envelope: 'form',
  params: object(() => ({
    oauth_callback: text({ max: 1000 }).describe(
      'Where the person is sent after approval: exactly one of the callback URLs in the settings of the app, or `oob` for a PIN.',
    ),
    platform_auth_access_type: oneOf(accessLevels)
      .optional()
      .describe('Asks for less than the app may do; a wider request has no effect.'),
  })),
  data: object(() => ({
    oauth_token: text().describe('The request token.'),
    oauth_token_secret: text().describe('Its secret.'),
    oauth_callback_confirmed: boolean().describe('Always true.'),
  })),
  errors: ['APP_SUSPENDED', 'CALLBACK_NOT_APPROVED', 'OOB_NOT_PERMITTED'],
  example: {
    params: { oauth_callback: 'https://app.example.com/callback' },
    data: {
      oauth_token: exampleToken.request,
      oauth_token_secret: 'Kd75W4OQfb2oJTV0vzGzeXftVAwgMnEK9MumzYcMs3',
      oauth_callback_confirmed: true,
    },
  },
});

const accessToken = defineAuthOperation({
  id: 'oauth.access_token',
  summary: 'Exchange an approved request token for an access token',
  description:
    'Step 3 of the three-legged flow. A request token is good for one exchange. The same person and app get the same access token for as long as it is valid.',
  http: { method: 'POST', path: '/oauth/access_token' },
  access: { auth: 'request_token' },
  rateLimit: 'auth.token',
  envelope: 'form',
  params: object(() => ({
    oauth_token: token().describe('The request token.'),
    oauth_verifier: token().describe('The verifier that came with the callback, or the PIN.'),
  })),
  data: object(() => ({
    oauth_token: text().describe('The access token.'),
    oauth_token_secret: text().describe('Its secret.'),
    user_id: numericId().describe('The person who approved.'),
    screen_name: text().describe("That person's name."),
  })),
  errors: ['APP_SUSPENDED', 'INVALID_TOKEN'],
  example: {
    params: {
      oauth_token: exampleToken.request,
      oauth_verifier: 'uw7NjWHT6OJ1MpJOXsHfNxoAhPKpgI8BlYDhxEjIBY',
    },
    data: {
      oauth_token: exampleToken.access,
      oauth_token_secret: 'ts_secretValue',
      user_id: '1503831318555086849',
      screen_name: 'harbourbooks',
    },
  },
});

const invalidateToken = defineAuthOperation({
  id: 'oauth.invalidate_token',
  summary: 'Revoke the access token that signs the request',
  http: {
    method: 'POST',
    path: '/1.1/oauth/invalidate_token',
    aliases: ['/1.1/oauth/invalidate_token.json'],
  },
  access: { auth: 'access_token' },
  rateLimit: 'auth.token',
  envelope: 'object',
  params: z.object({}),
  data: object(() => ({ access_token: text().describe('The token that was revoked.') })),
  errors: ['APP_SUSPENDED', 'INVALID_TOKEN'],
  example: { params: {}, data: { access_token: exampleToken.access } },
});

export const operations = {
  request_token: requestToken,
  access_token: accessToken,
  invalidate_token: invalidateToken,
};

export const position = 10;

/** App-only bearer tokens (specification A, Authentication endpoints). */

import { defineAuthOperation } from '../../operation/define.ts';
import { object } from '../../wire/object.ts';
import { oneOf, text } from '../../wire/types.ts';
import { exampleToken, token } from './token.ts';

const bearerToken = defineAuthOperation({
  id: 'oauth2.token',
  summary: 'Get the bearer token of an app',
  description: 'Calls give the same token until it is invalidated. Keep it: calls are rate-limited.',
  http: { method: 'POST', path: '/oauth2/token' },
  access: { auth: 'basic' },
  rateLimit: 'auth.bearer',
  envelope: 'object',
  rejection: 'UNVERIFIED_CREDENTIALS',
  params: object(() => ({ grant_type: oneOf(['client_credentials']).describe('Always client_credentials.') })),
  data: object(() => ({
    token_type: oneOf(['bearer']).describe('Always bearer.'),
    access_token: text().describe('The bearer token.'),
  })),
  errors: [],
  example: {
    params: { grant_type: 'client_credentials' },
    data: { token_type: 'bearer', access_token: exampleToken.bearer },
  },
});

const invalidateBearerToken = defineAuthOperation({
  id: 'oauth2.invalidate_token',
  summary: 'Invalidate the bearer token of an app',
  http: { method: 'POST', path: '/oauth2/invalidate_token' },
  access: { auth: 'owner' },
  rateLimit: 'auth.token',
  envelope: 'object',
  rejection: 'UNVERIFIED_CREDENTIALS',
  params: object(() => ({ access_token: token().describe('The bearer token to invalidate.') })),
  data: object(() => ({ access_token: text().describe('The bearer token that was invalidated.') })),
  errors: [],
  example: {
    params: { access_token: exampleToken.bearer },
    data: { access_token: exampleToken.bearer },
  },
});

export const operations = { token: bearerToken, invalidate_token: invalidateBearerToken };

export const position = 20;

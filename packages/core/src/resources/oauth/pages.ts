/** The pages of the three-legged flow (specification A, Authentication endpoints). */

import { definePageOperation } from '../../operation/define.ts';
import { object } from '../../wire/object.ts';
import { boolean, text } from '../../wire/types.ts';
import { exampleToken, token } from './token.ts';

/** Definition that the pages share. */
const decision = {
  rateLimit: 'auth.page',
  params: object(() => ({
    oauth_token: token().describe('The request token.'),
    force_login: boolean().default(false).describe('Asks for name and password even of a person who is signed in.'),
    screen_name: text({ max: 50 }).optional().describe('Fills in the name.'),
  })),
  example: { params: { oauth_token: exampleToken.request } },
} as const;

const authorize = definePageOperation({
  id: 'oauth.authorize',
  summary: 'Ask a person to approve an app',
  description:
    'Step 2 of the three-legged flow: a page for the browser. It always asks. Approved, the person is sent to the callback with `oauth_token` and `oauth_verifier`, or reads a PIN; cancelled, to the callback with `denied`.',
  http: { method: 'GET', path: '/oauth/authorize' },
  ...decision,
});

const authenticate = definePageOperation({
  id: 'oauth.authenticate',
  summary: 'Sign a person in to an app',
  description:
    'Like GET /oauth/authorize, but who approved the app before is sent on without being asked, if the app has the sign-in setting.',
  http: { method: 'GET', path: '/oauth/authenticate' },
  ...decision,
});

export const operations = { authorize, authenticate };

/** Client applications: the settings that an operator or the owner edits, and the fields that the OAuth flow reads. */

import type * as z from 'zod';
import { object } from '../../wire/object.ts';
import { boolean, list, numericId, oneOf, text, time } from '../../wire/types.ts';

/** Access levels of a token: read only, or read and write. */
export const accessLevels = ['read', 'write'] as const;
/** One of {@link accessLevels}. */
export type AccessLevel = (typeof accessLevels)[number];

/** Maximum number of callback URLs of an app (reference, auth section 3). */
export const MAX_CALLBACK_URLS = 10;

/** Maximum number of sites that may frame the previews of an app. Our choice: as many as callback URLs. */
export const MAX_FRAME_ORIGINS = 10;

/** The settings of an app. Everyone who may edit an app may edit all of them. */
export const appSettings = object(() => ({
  name: text({ max: 32 }).describe('The unique name of the app: 1 to 32 characters.'),
  description: text({ min: 0, max: 200 }).describe('What the app does, for the people who are asked to approve it.'),
  callback_urls: list(text({ max: 1000 }), { min: 0, max: MAX_CALLBACK_URLS }).describe(
    'Where people may be sent after they approved; matched exactly, trailing slash included.',
  ),
  sign_in_enabled: boolean().describe(
    'Whether GET /oauth/authenticate skips the question for people who approved before.',
  ),
  oob_enabled: boolean().describe('Whether the app may use the PIN flow (oauth_callback=oob).'),
  access_level: oneOf(accessLevels).describe('The most that its tokens may do.'),
  frame_origins: list(text({ max: 300 }), { min: 0, max: MAX_FRAME_ORIGINS }).describe(
    'The sites that may show previews of posts in frames, such as https://desk.example.com; any site when there are none.',
  ),
}));

/** A client application. Its secret is shown once, on creation. */
export const App = object(() => ({
  id: numericId().describe('The app.'),
  owner_user_id: numericId().describe('The user who owns the app.'),
  ...appSettings.shape,
  suspended: boolean().describe('A suspended app gets no tokens, and its existing tokens are rejected.'),
  consumer_key: text().describe('The API key.'),
  created_at: time().describe('When the app was created.'),
  updated_at: time().describe('When the app was last changed.'),
}));
export type App = z.output<typeof App>;

/** The part of an app that its owner and the operator edit. */
export type AppSettings = Pick<App, keyof (typeof appSettings)['shape']>;

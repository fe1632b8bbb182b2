/** Operator operations that fill the platform with what a file describes. */

import * as z from 'zod';
import { defineOperatorOperation } from '../../operation/define.ts';
import { object } from '../../wire/object.ts';
import { int, oneOf, text } from '../../wire/types.ts';

/** The longest seed file that a running server takes, in characters of JSON: our choice. It is read without holding up other requests. */
export const MAX_SEED_LENGTH = 1_000_000;

const Outcome = object(() => ({
  made: int().describe('How many were made.'),
  changed: int().describe('How many were there, and say now what the file says.'),
  kept: int().describe('How many were there as the file says.'),
}));

const Named = object(() => ({
  kind: oneOf(['user', 'app', 'post', 'account', 'item']).describe('What has the name; an item belongs to an account.'),
  name: text().describe('Its name in the file: screen name, name or local name.'),
  id: text().describe('Its id; the consumer key of an app.'),
  account: text().optional().describe('The name of the account that an item belongs to.'),
  consumer_secret: text().optional().describe('The API secret of an app that was made. Shown only once.'),
}));

const none = { made: 0, changed: 0, kept: 0 };

const apply = defineOperatorOperation({
  id: 'admin.seeds.apply',
  summary: 'Seed a file: users, apps, follows, posts, and accounts with their advertising',
  description:
    'All that the file describes is there afterwards, or nothing of it. What is there already is not made again, so a file can be applied twice. ' +
    'While it is applied, other writes wait. `broadside seed --file` sends a file in YAML, and says where in it a mistake is.',
  procedure: 'mutation',
  envelope: 'entity',
  params: object(() => ({
    // It has passwords, and identifiers of people.
    content: text({ max: MAX_SEED_LENGTH, secret: true }).describe('The file, as JSON.'),
    directory: text({ max: 4096 })
      .optional()
      .describe('The directory of the server’s machine that relative names of images and videos start from.'),
  })),
  data: object(() => ({
    users: Outcome.describe('Users.'),
    apps: Outcome.describe('Apps.'),
    follows: Outcome.describe('Follows.'),
    posts: Outcome.describe('Posts.'),
    likes: Outcome.describe('Likes.'),
    votes: Outcome.describe('Votes in polls.'),
    accounts: Outcome.describe('Advertising accounts, each with all that it has.'),
    named: z.array(Named).describe('What the file gives a name.'),
  })),
  errors: ['INVALID_PARAMETER'],
  example: {
    params: { content: '{"users":[{"screen_name":"harborbooks"}]}' },
    data: {
      users: { ...none, made: 1 },
      apps: none,
      follows: none,
      posts: none,
      likes: none,
      votes: none,
      accounts: none,
      named: [{ kind: 'user', name: 'harborbooks', id: '1503831318555086849' }],
    },
  },
});

/** The operator's procedures for seeding. */
export const adminSeeds = { apply };

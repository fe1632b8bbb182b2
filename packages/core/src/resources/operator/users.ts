/** Operator operations on users and their profiles. */

import * as z from 'zod';
import { defineOperatorOperation } from '../../operation/define.ts';
import { count, cursor } from '../../operation/list.ts';
import { extended, object } from '../../wire/object.ts';
import { boolean, id, int, numericId, oneOf, text, time } from '../../wire/types.ts';
import { identifierParams } from '../users/identifiers.ts';
import { traitParams } from '../users/traits.ts';
import { exportUser } from './export.ts';
import { reason } from './reason.ts';

// Profile fields, which users write themselves. An empty text removes a field.
const profile = object(() => ({
  description: text({ min: 0, max: 160 })
    .optional()
    .describe('What the user says of themselves: up to 160 characters.'),
  location: text({ min: 0, max: 150 }).optional().describe('Where the user says they are.'),
  url: text({ min: 0, max: 1000 }).optional().describe('The address of the user on the web.'),
  protected: boolean().optional().describe('Whether only approved followers see the posts of the user.'),
  verified: boolean().optional().describe('Whether the platform vouches for the user.'),
}));

export const user_id = numericId().describe('The user.');

/** Schema of a unique name. */
export const screenName = () =>
  text({ max: 15, pattern: /^\w{1,15}$/, format: 'a screen name of 1 to 15 letters, digits or underscores' });

/** A user who can sign in. */
export const User = object(() => ({
  id: numericId().describe('The user.'),
  screen_name: screenName().describe('The unique name, without @.'),
  name: text({ max: 50 }).describe('The name that people read.'),
  created_at: time().describe('When the user was created.'),
}));
export type User = z.output<typeof User>;

export const exampleUser = {
  id: '1503831318555086849',
  screen_name: 'harbourbooks',
  name: 'Harbour Books',
  created_at: '2026-01-15T08:00:00Z',
} as const;

/** A user, and how they stand on the platform. */
const UserStanding = extended(User, () => ({
  suspended: boolean().describe('Whether the user is hidden: suspended, or to be deleted.'),
  suspended_reason: text().nullable().describe('The reason that the operator gave.'),
  delete_at: time().nullable().describe('When all that is held on the user is deleted; null for never.'),
  followers_count: int({ min: 0 }).describe('Followers.'),
  following_count: int({ min: 0 }).describe('Users that they follow.'),
  post_count: int({ min: 0 }).describe('Posts.'),
}));

const exampleStanding = {
  ...exampleUser,
  suspended: true,
  suspended_reason: 'Sells what is not theirs',
  delete_at: null,
  followers_count: 12,
  following_count: 3,
  post_count: 40,
};

const NewUser = object(() => ({
  screen_name: screenName().describe('The unique name, without @.'),
  name: text({ max: 50 }).optional().describe('The name that people read; the screen name when left out.'),
  password: text({ min: 8, max: 200, secret: true }).describe('The password: 8 to 200 characters.'),
}));

const createUser = defineOperatorOperation({
  id: 'admin.users.create',
  summary: 'Create a user',
  procedure: 'mutation',
  envelope: 'entity',
  params: extended(NewUser, () => ({ ...traitParams.shape, ...identifierParams.shape })),
  data: User,
  errors: ['ALREADY_EXISTS'],
  example: { params: { screen_name: 'harbourbooks', password: 'correct horse battery' }, data: exampleUser },
});

const listUsers = defineOperatorOperation({
  id: 'admin.users.list',
  summary: 'List users, the newest first',
  procedure: 'query',
  envelope: 'list',
  params: object(() => ({
    screen_name: screenName().optional().describe('Only the user of this name, in any case of letters, without @.'),
    count,
    cursor,
  })),
  data: User,
  errors: ['INVALID_PARAMETER'],
  example: { params: {}, data: exampleUser },
});

const updateUser = defineOperatorOperation({
  id: 'admin.users.update',
  summary: 'Change the profile or the password of a user',
  description: 'A new password signs the user out everywhere. Access tokens stay valid.',
  procedure: 'mutation',
  envelope: 'entity',
  params: object(() => ({
    user_id,
    name: NewUser.shape.name.describe('The name that people read.'),
    password: NewUser.shape.password.optional().describe('The new password: 8 to 200 characters.'),
    ...profile.shape,
    ...traitParams.shape,
    ...identifierParams.shape,
  })),
  data: User,
  errors: ['USER_NOT_FOUND'],
  example: { params: { user_id: exampleUser.id, name: 'Harbour Books' }, data: exampleUser },
});

const getUser = defineOperatorOperation({
  id: 'admin.users.get',
  summary: 'Get a user, and how they stand on the platform',
  procedure: 'query',
  envelope: 'entity',
  params: object(() => ({ user_id })),
  data: UserStanding,
  errors: ['USER_NOT_FOUND'],
  example: { params: { user_id: exampleUser.id }, data: exampleStanding },
});

const suspendUser = defineOperatorOperation({
  id: 'admin.users.suspend',
  summary: 'Suspend a user',
  description:
    'The user is signed out everywhere and cannot sign in, calls in their name are rejected, nobody sees their posts, and what they have scheduled is not published. All of it is kept. Suspending again replaces the reason.',
  procedure: 'mutation',
  envelope: 'entity',
  params: object(() => ({ user_id, reason: reason.describe('Why, for the change log.') })),
  data: UserStanding,
  errors: ['USER_NOT_FOUND'],
  example: {
    params: { user_id: exampleUser.id, reason: exampleStanding.suspended_reason },
    data: exampleStanding,
  },
});

const restoreUser = defineOperatorOperation({
  id: 'admin.users.restore',
  summary: 'End the suspension of a user',
  description: 'Access tokens and posts are as they were before. Sessions that ended stay so.',
  procedure: 'mutation',
  envelope: 'entity',
  params: object(() => ({ user_id })),
  data: UserStanding,
  errors: ['USER_NOT_FOUND'],
  example: {
    params: { user_id: exampleUser.id },
    data: { ...exampleStanding, suspended: false, suspended_reason: null },
  },
});

const UserDeletion = extended(UserStanding, () => ({
  consumer_keys: z.array(text()).describe('The apps of the user, which are deleted too.'),
  last_admin_of: z
    .array(
      z.object({
        environment: oneOf(['production', 'sandbox']).describe('Where the account is.'),
        account_id: id().describe('The account.'),
      }),
    )
    .describe('Advertising accounts without another ACCOUNT_ADMIN: grant somebody access before.'),
}));

const deleteUser = defineOperatorOperation({
  id: 'admin.users.delete',
  summary: 'Delete all that is held on a user, after a time of grace',
  description:
    'Until then the user is hidden and signed out, as if suspended, and `admin.users.cancel_deletion` takes it back. Then posts, likes, votes, follows, media, sessions, tokens, apps, notifications, drafts and access to advertising accounts are deleted, and the user is in no audience. Accounts stay. Of the change logs, ids stay. Deleting again sets another time. Once the deletion has begun, neither is possible.',
  procedure: 'mutation',
  envelope: 'entity',
  params: object(() => ({
    user_id,
    grace_days: int({ min: 0, max: 365 })
      .default(30)
      .describe('The time of grace, in days by the clock of the world; 0 for at once.'),
  })),
  data: UserDeletion,
  errors: ['USER_NOT_FOUND'],
  example: {
    params: { user_id: exampleUser.id },
    data: {
      ...exampleStanding,
      suspended_reason: null,
      delete_at: '2026-02-14T08:00:00Z',
      consumer_keys: ['ck_0123456789abcdef'],
      last_admin_of: [{ environment: 'production', account_id: '18ce54d4x5t' }],
    },
  },
});

const cancelDeletion = defineOperatorOperation({
  id: 'admin.users.cancel_deletion',
  summary: 'Keep a user who was to be deleted',
  description: 'The user stands as before: suspended if they were. Sessions that ended stay so.',
  procedure: 'mutation',
  envelope: 'entity',
  params: object(() => ({ user_id })),
  data: UserStanding,
  errors: ['USER_NOT_FOUND'],
  example: {
    params: { user_id: exampleUser.id },
    data: { ...exampleStanding, suspended: false, suspended_reason: null },
  },
});

/** The operator's procedures for users. */
export const adminUsers = {
  create: createUser,
  get: getUser,
  update: updateUser,
  list: listUsers,
  suspend: suspendUser,
  restore: restoreUser,
  delete: deleteUser,
  cancel_deletion: cancelDeletion,
  export: exportUser,
};

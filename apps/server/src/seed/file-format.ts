/** Schema of a seed file. It is written by hand, so every issue is reported with its position. */

import { interests, languages, locations } from '@broadside/core/data';
import { accessLevels } from '@broadside/core/resources/apps';
import { MAX_CHOICE, maxPollMinutes, minPollMinutes } from '@broadside/core/resources/poll-cards';
import { replySettings } from '@broadside/core/resources/posts';
import {
  type IdentifierField,
  isBirthDate,
  MAX_DEVICES,
  MAX_PHONE_NUMBERS,
  readIdentifiers,
} from '@broadside/core/resources/users';
import * as z from 'zod';
import { FileAccount } from './file-accounts.ts';

const screenName = z
  .string()
  .regex(/^\w{1,15}$/, 'a screen name has 1 to 15 letters, digits or underscores')
  .describe('the unique name of a user, without @');
const localName = z
  .string()
  .regex(/^[A-Za-z][\w-]{0,63}$/, 'a local name begins with a letter, and has letters, digits, - and _')
  .describe('names a post within the file');
const postReference = z
  .string()
  .min(1)
  .describe('a post of the file, by the local name that stands before, or one of the platform, by its id');

/** The value of a field of identifiers; what is wrong is reported without the value. */
const identifier = (field: IdentifierField) =>
  z.string().superRefine((value, context) => {
    const { problems } = readIdentifiers({ [field]: field === 'email' ? value : [value] });
    const [problem] = problems;
    if (problem) context.addIssue({ code: 'custom', message: problem.message });
  });

const FileUser = z.strictObject({
  screen_name: screenName,
  name: z.string().min(1).max(50).optional(),
  password: z.string().min(8).max(200).optional().describe('the user signs in with it'),
  description: z.string().max(160).optional(),
  location: z.string().max(150).optional(),
  url: z
    .url({ protocol: /^https?$/ })
    .max(1000)
    .optional(),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'a country is two capital letters')
    .optional(),
  place: z
    .string()
    .refine((value) => locations.find(value) !== undefined, 'a place is the targeting value of a location')
    .optional()
    .describe('the smallest place where the user is known to be'),
  birth_date: z.string().refine(isBirthDate, 'a date of birth is a day such as 1990-06-30').optional(),
  gender: z.enum(['1', '2']).optional().describe('1 for men, 2 for women'),
  languages: z
    .array(z.string().refine((value) => languages.find(value) !== undefined, 'a language is a code such as en'))
    .max(20)
    .optional(),
  platforms: z.array(z.enum(['0', '1', '2', '3', '4'])).optional(),
  interests: z
    .array(z.string().refine((value) => interests.find(value) !== undefined, 'an interest is its targeting value'))
    .max(100)
    .optional(),
  email: identifier('email').optional().describe('audiences are matched by it'),
  phone_numbers: z.array(identifier('phone_numbers')).max(MAX_PHONE_NUMBERS).optional(),
  devices: z.array(identifier('devices')).max(MAX_DEVICES).optional(),
  protected: z.boolean().optional(),
  verified: z.boolean().optional(),
});

const FileApp = z.strictObject({
  name: z.string().min(1).max(32),
  owner: screenName,
  description: z.string().max(200).optional(),
  callback_urls: z.array(z.string().min(1).max(1000)).max(10).optional(),
  sign_in_enabled: z.boolean().optional(),
  oob_enabled: z.boolean().optional(),
  access_level: z.enum(accessLevels).optional(),
});

const FileFollow = z.strictObject({
  follower: screenName,
  followed: screenName,
  approved: z.boolean().optional().describe('a protected user has approved it'),
});

const FileMedia = z.strictObject({
  file: z
    .string()
    .min(1)
    .max(1000)
    .describe('the name of a PNG, JPEG, GIF, WebP, MP4 or QuickTime file, relative to the seed file'),
  alt_text: z.string().min(1).max(1000).optional().describe('what an image shows, for those who do not see it'),
});

const FileVote = z.strictObject({
  user: screenName,
  choice: z.int().min(1).max(4).describe('the position of the choice'),
});

const FilePoll = z.strictObject({
  choices: z
    .array(
      z
        .string()
        .refine(
          (label) => label.trim() !== '' && [...label].length <= MAX_CHOICE,
          `a choice has 1 to ${MAX_CHOICE} characters`,
        ),
    )
    .min(2)
    .max(4)
    .describe('what people can choose from'),
  duration_minutes: z.int().min(minPollMinutes).max(maxPollMinutes).default(1440).describe('how long people can vote'),
  votes: z.array(FileVote).optional().describe('who has voted, at the time of the post'),
});

const FilePost = z.strictObject({
  as: localName.optional(),
  author: screenName,
  text: z.string().optional(),
  reposts: postReference.optional().describe('the post that is passed on, in place of a text'),
  reply_to: postReference.optional(),
  quotes: postReference.optional(),
  at: z.iso
    .datetime({ offset: true, error: 'a time has a date, a time of day and an offset, such as 2026-11-01T09:00:00Z' })
    .optional()
    .describe('when it was posted'),
  lang: z.string().min(2).max(35).optional().describe('the BCP 47 language of the text'),
  source: z.string().min(1).max(100).optional().describe('the client that it was posted with'),
  possibly_sensitive: z.boolean().optional(),
  reply_settings: z.enum(replySettings).optional(),
  media: z.array(FileMedia).min(1).max(4).optional().describe('up to four images, or one animated GIF, or one video'),
  poll: FilePoll.optional().describe('a poll, in place of media'),
  likes: z.array(screenName).optional().describe('who likes it'),
});

/** A seed file. */
export const SeedFile = z.strictObject({
  users: z.array(FileUser).default([]),
  apps: z.array(FileApp).default([]),
  follows: z.array(FileFollow).default([]),
  posts: z.array(FilePost).default([]),
  accounts: z.array(FileAccount).default([]),
});
/** See the schema of the same name. */
export type SeedFile = z.infer<typeof SeedFile>;
/** A user of a seed file. */
export type FileUser = SeedFile['users'][number];
/** An app of a seed file. */
export type FileApp = SeedFile['apps'][number];
/** A post of a seed file. */
export type FilePost = SeedFile['posts'][number];

/** A vote of a seed file. */
export type FileVote = NonNullable<NonNullable<FilePost['poll']>['votes']>[number];

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

const screenName = z
  .string()
  .regex(/^\w{1,15}$/, 'a screen name has 1 to 15 letters, digits or underscores')
  .describe('The unique name of a user, without @.');
const localName = z
  .string()
  .regex(/^[A-Za-z][\w-]{0,63}$/, 'a local name begins with a letter, and has letters, digits, - and _')
  .describe('Names a post within the file.');
const postReference = z
  .string()
  .min(1)
  .describe('A post of the file, by the local name that stands before, or one of the platform, by its id.');

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
  password: z.string().min(8).max(200).optional().describe('Without one, nobody can sign in as this user.'),
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
    .describe('The smallest place where the user is known to be; the country follows.'),
  birth_date: z.string().refine(isBirthDate, 'a date of birth is a day such as 1990-06-30').optional(),
  gender: z.enum(['1', '2']).optional().describe('1 for men, 2 for women.'),
  languages: z
    .array(z.string().refine((value) => languages.find(value) !== undefined, 'a language is a code such as en'))
    .max(20)
    .optional(),
  platforms: z.array(z.enum(['0', '1', '2', '3', '4'])).optional(),
  interests: z
    .array(z.string().refine((value) => interests.find(value) !== undefined, 'an interest is its targeting value'))
    .max(100)
    .optional(),
  email: identifier('email').optional().describe('Audiences are matched by it, and it is shown to nobody.'),
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
  approved: z.boolean().optional().describe('Whether a protected user has approved it. Default: true.'),
});

const FileMedia = z.strictObject({
  file: z
    .string()
    .min(1)
    .max(1000)
    .describe('A PNG, JPEG, GIF, WebP, MP4 or QuickTime file; relative to the seed file.'),
  alt_text: z.string().min(1).max(1000).optional().describe('What an image shows, for those who do not see it.'),
});

const FileVote = z.strictObject({
  user: screenName,
  choice: z.int().min(1).max(4).describe('The position of the choice, from 1.'),
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
    .describe('Two to four texts.'),
  duration_minutes: z.int().min(minPollMinutes).max(maxPollMinutes).default(1440).describe('How long people can vote.'),
  votes: z.array(FileVote).optional().describe('Who has voted, at the time of the post.'),
});

const FilePost = z.strictObject({
  as: localName.optional(),
  author: screenName,
  text: z.string().optional(),
  reposts: postReference.optional().describe('Passes on a post, in place of a text.'),
  reply_to: postReference.optional(),
  quotes: postReference.optional(),
  at: z.iso
    .datetime({ offset: true, error: 'a time has a date, a time of day and an offset, such as 2026-11-01T09:00:00Z' })
    .optional()
    .describe('When it was posted. Default: now.'),
  lang: z.string().min(2).max(35).optional().describe('BCP 47 language of the text; detected when left out.'),
  source: z.string().min(1).max(100).optional().describe('The client that it was posted with.'),
  possibly_sensitive: z.boolean().optional(),
  reply_settings: z.enum(replySettings).optional(),
  media: z
    .array(FileMedia)
    .min(1)
    .max(4)
    .optional()
    .describe('What it shows: up to four images, or one animated GIF, or one video.'),
  poll: FilePoll.optional().describe('A poll, in place of media.'),
  likes: z.array(screenName).optional().describe('Who likes it.'),
});

/** A seed file. */
export const SeedFile = z.strictObject({
  users: z.array(FileUser).default([]),
  apps: z.array(FileApp).default([]),
  follows: z.array(FileFollow).default([]),
  posts: z.array(FilePost).default([]),
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

/** Path in a file: names of members, and indexes of items. */
export type FilePath = readonly (string | number)[];

/** An error in a file. */
export interface FileIssue {
  readonly path: FilePath;
  readonly message: string;
}

/** An invalid seed file. All of its issues are reported, one per line. */
export class SeedFileError extends Error {
  override readonly name = 'SeedFileError';
  /** The issues, each with its position. */
  readonly lines: readonly string[];

  constructor(message: string, lines: readonly string[] = []) {
    super(message);
    this.lines = lines;
  }
}

/** Formats a path for people: `posts[3].author`. */
export function pathText(path: FilePath): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');
}

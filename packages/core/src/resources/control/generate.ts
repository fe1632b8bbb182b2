/** Worlds of generated people and posts. */

import type * as z from 'zod';
import { strictObject } from '../../wire/object.ts';
import { int, text, time } from '../../wire/types.ts';

/** What is generated where nothing else is said. The time is fixed, since equal options make equal rows on every day. */
export const generatorDefaults = {
  seed: 'broadside',
  users: 1000,
  posts_per_user: 10,
  until: '2026-11-01T00:00:00Z',
} as const;

/** The most of a world that a request creates, which takes a minute or two: our choice. */
export const MAX_GENERATED_USERS = 100_000;
export const MAX_GENERATED_POSTS = 1_000_000;

/** The options of a generated world. Equal ones make equal people and posts. */
export const GeneratorOptions = strictObject(() => ({
  seed: text({ max: 200 })
    .optional()
    .describe(`Decides everything that is generated; \`${generatorDefaults.seed}\` when left out.`),
  users: int({ min: 1, max: MAX_GENERATED_USERS })
    .optional()
    .describe(`How many people; ${generatorDefaults.users} when left out.`),
  posts: int({ min: 0, max: MAX_GENERATED_POSTS })
    .optional()
    .describe(`How many posts; ${generatorDefaults.posts_per_user} for each person when left out.`),
  until: time()
    .optional()
    .describe(
      `All of it happened before this time, from 2022 to 2100; ${generatorDefaults.until} when left out, and in a world with \`seed\` the time at which its clock stands.`,
    ),
}));
export type GeneratorOptions = z.output<typeof GeneratorOptions>;

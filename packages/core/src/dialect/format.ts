/** The format of a dialect file. `docs/guides/dialects.md` documents it for those who write one. */

import * as z from 'zod';
import { strictObject } from '../wire/object.ts';

const NAME = /^[a-z][a-z0-9-]{0,39}$/;
const WORD = /^[A-Za-z][\w.]{0,99}$/;
const TEMPLATE = /^(?:\/(?::?[A-Za-z0-9_.]+))+$/;

const word = z.string().regex(WORD, 'expected a word of letters, digits, "_" and "."');
const words = z.record(word, word).default({});
const template = z.string().regex(TEMPLATE, 'expected a path such as /12/accounts/:account_id/promoted_posts');

const origin = z
  .string()
  .refine(isOrigin, 'expected an origin without a path, such as https://ads-api.example.com')
  .describe('An origin under which clients reach a listener.');

function isOrigin(text: string): boolean {
  return /^https?:\/\/[a-z0-9.-]+(?::\d{1,5})?$/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

const origins = z.array(origin).default([]);

const off = z.boolean().default(false);

/** The tolerance of a dialect, beside other names. The native interface has none of it. */
const Tolerance = strictObject(() => ({
  /** A name that is given several times is a list. */
  repeated_names: off,
  /** Parameters of the path may be repeated in query and body, with the same value. */
  repeated_path_parameters: off,
  /** A `count` above the maximum is the maximum. */
  large_counts: off,
  /** `sort_by` and `with_deleted` are ignored where an operation has none. */
  undocumented_list_parameters: off,
  /** `to_delete` is ignored in an item of a batch that says the same. */
  to_delete: off,
  /** Upload categories are found whatever their letter case and underscores. */
  upload_categories: off,
}));

/** Paths that are served under other versions too. */
const Version = strictObject(() => ({
  /** The version as the interface has it. */
  version: z.string().regex(/^[\d.]{1,8}$/, 'expected a version such as "12"'),
  also: z.array(z.string().regex(/^[\d.]{1,8}$/, 'expected a version such as "11"')).min(1),
  /** The beginnings of the paths for which this holds, without the version; all of them by default. */
  below: z.array(template).optional(),
}));

export const DialectFile = strictObject(() => ({
  name: z.string().regex(NAME, 'expected a name of small letters, digits and "-"'),
  description: z.string().min(1).max(500),
  /** The origins of each listener. */
  hosts: z.strictObject({ api: origins, ads: origins, sandbox: origins }).prefault({}),
  /** A path prefix that selects the dialect on every listener. */
  prefix: z
    .string()
    .regex(/^\/[a-z0-9-]{1,40}$/, 'expected one segment such as /example')
    .optional(),
  /** Names: theirs, and ours. */
  names: words,
  /** Values of enumerations, where the table of names does not have them: theirs, and ours. */
  values: words,
  /** Names and path segments that are accepted beside those above and never answered: theirs, and ours. */
  accepted: words,
  versions: z.array(Version).default([]),
  /** Paths that have another form: theirs, and ours, with the same parameters. */
  paths: z.record(template, template).default({}),
  tolerance: Tolerance.prefault({}),
}));

/** A dialect as its file states it. */
export type DialectFile = z.output<typeof DialectFile>;

/** The switches of tolerance. */
export type Tolerance = DialectFile['tolerance'];

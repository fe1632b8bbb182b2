/** `broadside custom-audiences upload` and `broadside do-not-reach-lists upload`: people from a CSV file. */
import { contract, type Operation } from '@broadside/core';
import type { Command, Positional } from '../command.ts';
import { connectionFlags } from '../credentials.ts';
import type { Flag, FlagSection } from '../flag.ts';
import { DEFAULT_SEPARATOR, delimiters } from '../people-file/format.ts';

const FILE: Positional = { name: 'file', description: 'The CSV file; - is stdin.', required: true, completes: 'file' };

const ACCOUNT: Flag = {
  name: 'account-id',
  kind: 'text',
  hint: 'id',
  description: 'The account of the list. Default: the account of the credentials.',
};

const what: readonly Flag[] = [
  { name: 'delete', kind: 'boolean', hint: '', description: 'Remove the people from the list, by any identifier.' },
  {
    name: 'effective-at',
    kind: 'text',
    hint: 'time',
    description: 'From when on they are members: ISO 8601. Default: the beginning of the upload.',
  },
  {
    name: 'expires-at',
    kind: 'text',
    hint: 'time',
    description: 'Until when: ISO 8601. Default: 13 months after the beginning of the upload.',
  },
];

const file: readonly Flag[] = [
  {
    name: 'columns',
    kind: 'list',
    hint: 'name,...',
    description: 'What the columns are, for a file without a header; - for one to leave out.',
  },
  {
    name: 'delimiter',
    kind: 'text',
    hint: 'name',
    description: 'What separates cells. Found from the first line when left out.',
    values: Object.keys(delimiters),
  },
  {
    name: 'separator',
    kind: 'text',
    hint: 'text',
    description: `What separates several values in one cell; never divides a partner_user_id. Default: ${DEFAULT_SEPARATOR}`,
  },
  {
    name: 'hashed',
    kind: 'boolean',
    hint: '',
    description: 'The cells are SHA-256 hashes already. Otherwise they are normalized and hashed here.',
  },
];

const running: readonly Flag[] = [
  { name: 'dry-run', kind: 'boolean', hint: '', description: 'Report bad rows, and send nothing. Needs no server.' },
  {
    name: 'wait',
    kind: 'boolean',
    hint: '',
    description: 'Wait until the people are matched, and print how many are.',
  },
  {
    name: 'problems',
    kind: 'text',
    hint: 'file',
    description: 'Write all problems to this file: line, column, problem.',
    completes: 'file',
  },
  {
    name: 'resume',
    kind: 'text',
    hint: 'file',
    description: 'Keep in this file how far the upload is, and go on from there. Default: a file beside the profiles.',
    completes: 'file',
  },
  { name: 'restart', kind: 'boolean', hint: '', description: 'Begin anew, whatever an earlier run has sent.' },
];

const output: FlagSection = {
  title: 'Output',
  flags: [
    {
      name: 'json',
      kind: 'boolean',
      hint: '',
      description: 'One JSON document: rows, sent, refused, audience_size and more.',
    },
    { name: 'quiet', kind: 'boolean', hint: '', description: 'Print nothing when all goes well.' },
  ],
};

/** `broadside custom-audiences upload`. */
export const audienceUploadCommand: Command = {
  kind: 'command',
  words: ['custom-audiences', 'upload'],
  summary: 'Upload people to a custom audience from a CSV file',
  description:
    'Reads the file line by line, normalizes and hashes what it holds, and sends it in as few requests as the limits allow. Bad rows are reported by line and column, and left out. After ^C or a lost server the same command goes on where it was. The file can be compressed by gzip. A header names what the columns are: email, phone_number, handle, platform_id, device_id or partner_user_id, common names for these, and effective_at or expires_at where rows have their own times; other columns are left out.',
  positionals: [FILE],
  sections: [
    {
      title: 'Required',
      flags: [
        {
          name: 'id',
          kind: 'text',
          hint: 'id',
          description: 'The audience. Not needed for --dry-run.',
          required: true,
        },
      ],
    },
    { title: 'People', flags: [ACCOUNT, ...what] },
    { title: 'File', flags: file },
    { title: 'Run', flags: running },
    output,
    connectionFlags,
  ],
  examples: [
    {
      line: 'broadside custom-audiences upload --id 1nmth people.csv --wait',
      file: {
        name: 'people.csv',
        text: 'email,phone,effective_at\nann@example.com|ann@example.org,+1 500 555 0100,\n"ben@example.com",,2026-11-01T08:00:00Z\n',
      },
    },
    { line: 'broadside custom-audiences upload --dry-run people.csv.gz' },
    { line: 'zcat hashes.gz | broadside custom-audiences upload --id 1nmth --hashed --columns email,- -' },
  ],
  facts: [requestOf(contract.custom_audiences.users)],
  run: async (invocation) => {
    const { uploadPeople } = await import('./people-upload-run.ts');
    await uploadPeople(invocation, 'custom-audiences');
  },
};

/** `broadside do-not-reach-lists upload`. */
export const doNotReachUploadCommand: Command = {
  kind: 'command',
  words: ['do-not-reach-lists', 'upload'],
  summary: 'Upload people to the do-not-reach list from a CSV file',
  description:
    'Works as `broadside custom-audiences upload`, whose help describes the file, with e-mail addresses and telephone numbers alone. People count from now on.',
  positionals: [FILE],
  sections: [
    {
      title: 'People',
      flags: [
        { name: 'id', kind: 'text', hint: 'id', description: 'The list. Default: the one of the account.' },
        ACCOUNT,
        ...what.filter(({ name }) => name !== 'effective-at'),
      ],
    },
    { title: 'File', flags: file },
    { title: 'Run', flags: running },
    output,
    connectionFlags,
  ],
  examples: [{ line: 'broadside do-not-reach-lists upload unsubscribed.csv' }],
  facts: [requestOf(contract.do_not_reach_lists.users)],
  run: async (invocation) => {
    const { uploadPeople } = await import('./people-upload-run.ts');
    await uploadPeople(invocation, 'do-not-reach-lists');
  },
};

function requestOf({ http }: Operation): readonly [string, string] {
  return ['Request', `${http.method} ${http.path}`];
}

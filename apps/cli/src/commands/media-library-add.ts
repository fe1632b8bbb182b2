/** `broadside media-library add`: uploads a file and adds it to the media library of an account. */
import path from 'node:path';
import { contract, errorCode, uploadContract } from '@broadside/core';
import type { Command, Invocation } from '../command.ts';
import { connectionFlags } from '../credentials.ts';
import { Output, outputFlags } from '../output.ts';
import { ACCOUNT_PARAMETER, parametersOf } from '../parameters.ts';
import { openSession, withAccount } from '../session.ts';
import { MEDIA_FILE, mediaChoices, openMediaFile, readMediaChoices, sendMediaFile } from './media-file.ts';
import { checkParams, type Params } from './params.ts';

const { create } = contract.media_library;
const { initialize, append, finalize, status } = uploadContract.media;

const parameters = parametersOf(create);

/** The texts about the media; the upload gives the key. */
const texts = parameters.flatMap(({ name, flag }) => {
  if (!flag || name === 'media_key') return [];
  if (name === ACCOUNT_PARAMETER) {
    const description = `${flag.description} Default: the account of the credentials.`;
    return [{ name, flag: { ...flag, required: false, description } }];
  }
  if (name !== 'file_name') return [{ name, flag }];
  return [{ name, flag: { ...flag, description: `${flag.description} Default: that of the file.` } }];
});

/** `broadside media-library add`. */
export const libraryAddCommand: Command = {
  kind: 'command',
  words: ['media-library', 'add'],
  summary: 'Upload a file, and add it to the media library',
  description:
    'Sends an image, an animated GIF or a video in segments, waits until it has been processed, and adds it to the library of the account. The category `amplify_video` makes a pre-roll video, which becomes account media too.',
  positionals: [MEDIA_FILE],
  sections: [
    { title: 'Library', flags: texts.map(({ flag }) => flag) },
    { title: 'File', flags: mediaChoices.map(({ flag }) => flag) },
    outputFlags(create.data, { many: false, raw: false }),
    connectionFlags,
  ],
  examples: [
    { line: 'broadside media-library add photo.png --name Autumn' },
    { line: 'broadside media-library add clip.mp4 --category amplify_video --title "Books for autumn"' },
  ],
  facts: [
    [
      'Requests',
      [initialize, append, finalize, status, create].map(({ http }) => `${http.method} ${http.path}`).join(', '),
    ],
    [
      'Errors',
      [...new Set([initialize, append, finalize, create].flatMap(({ errors }) => errors.map(errorCode)))].join(', '),
    ],
  ],
  run: add,
};

async function add({ io, flags, words }: Invocation): Promise<void> {
  const [word = ''] = words;
  const printed = await Output.open(io, flags, create.data);
  const options = readMediaChoices(flags, 'media-library add');
  const file = await openMediaFile(io, word);
  const session = await openSession(io, flags);
  const { client } = session;
  const given: Params = Object.fromEntries(
    texts.flatMap(({ name, flag }) => {
      const text = flags.text(flag.name) ?? (name === 'file_name' ? path.basename(word) : undefined);
      return text === undefined ? [] : [[name, text] as const];
    }),
  );
  const params = withAccount(given, session);
  // Before anything is sent: a key of the right form stands for the one that the upload will give.
  checkParams(create, parameters, { ...params, media_key: create.example.params.media_key });
  const added = await sendMediaFile({ io, client, printed }, file, options, ({ media_key }, signal) =>
    client.call(create, { ...params, media_key }, { signal }),
  );
  await printed.one(added);
}

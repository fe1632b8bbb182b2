/** `broadside media`: uploads a file in all its steps, and says how far an upload is. */
import { errorCode, type UploadOperation, uploadContract } from '@broadside/core';
import { UploadedMedia } from '@broadside/core/resources/media';
import type { Command, Group, Invocation } from '../command.ts';
import { connectionFlags } from '../credentials.ts';
import type { FlagSection } from '../flag.ts';
import { Output, outputFlags } from '../output.ts';
import { parametersOf } from '../parameters.ts';
import { openSession } from '../session.ts';
import { MEDIA_FILE, mediaChoices, openMediaFile, readMediaChoices, sendMediaFile } from './media-file.ts';
import { checkParams } from './params.ts';

const { initialize, append, finalize, status } = uploadContract.media;

/** Media belong to the platform, so there is no sandbox to choose. */
const connection: FlagSection = {
  ...connectionFlags,
  flags: connectionFlags.flags.filter(({ name }) => name !== 'sandbox'),
};

const output = outputFlags(UploadedMedia, { many: false, raw: false });

const uploadCommand: Command = {
  kind: 'command',
  words: ['media', 'upload'],
  summary: 'Upload a file, and wait until it can be used',
  description:
    'Sends an image, an animated GIF or a video in segments, and waits until it has been processed. The media go after 24 hours unless a post uses them.',
  positionals: [MEDIA_FILE],
  sections: [{ title: 'Optional', flags: mediaChoices.map(({ flag }) => flag) }, output, connection],
  examples: [
    { line: 'broadside media upload photo.png' },
    { line: 'broadside media upload clip.mp4 --category post_video --json' },
  ],
  facts: [
    ['Requests', [initialize, append, finalize, status].map(({ http }) => `${http.method} ${http.path}`).join(', ')],
    errorsOf([initialize, append, finalize]),
  ],
  run: upload,
};

const statusCommand: Command = {
  kind: 'command',
  words: ['media', 'status'],
  summary: status.summary,
  positionals: [{ name: 'media-id', description: 'The upload, by the id that it was answered with.', required: true }],
  sections: [output, connection],
  examples: [{ line: `broadside media status ${status.example.params.media_id}` }],
  facts: [['Request', `${status.http.method} ${status.http.path}`], errorsOf([status])],
  run: tellStatus,
};

function errorsOf(operations: readonly UploadOperation[]): readonly [string, string] {
  return ['Errors', [...new Set(operations.flatMap(({ errors }) => errors.map(errorCode)))].join(', ')];
}

/** `broadside media`. */
export const mediaGroup: Group = {
  kind: 'group',
  words: ['media'],
  summary: 'upload, status',
  children: new Map([
    ['upload', uploadCommand],
    ['status', statusCommand],
  ]),
};

async function upload({ io, flags, words }: Invocation): Promise<void> {
  const printed = await Output.open(io, flags, UploadedMedia);
  const options = readMediaChoices(flags, 'media upload');
  const file = await openMediaFile(io, words[0] ?? '');
  const { client } = await openSession(io, flags);
  await printed.one(await sendMediaFile({ io, client, printed }, file, options, async (media) => media));
}

async function tellStatus({ io, flags, words }: Invocation): Promise<void> {
  const printed = await Output.open(io, flags, UploadedMedia);
  const params = { media_id: words[0] ?? '' };
  checkParams(status, parametersOf(status), params);
  const { client } = await openSession(io, flags);
  await printed.one(await client.media.status(params));
}

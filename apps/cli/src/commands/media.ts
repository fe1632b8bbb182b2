/** `broadside media`: uploads a file in all its steps, and says how far an upload is. */
import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { UploadOptions, UploadProgress } from '@broadside/client';
import { errorCode, readParams, type UploadOperation, uploadContract } from '@broadside/core';
import { UploadedMedia } from '@broadside/core/resources/media';
import type { Command, Group, Invocation } from '../command.ts';
import { connectionFlags } from '../credentials.ts';
import { messageOf, UsageError } from '../errors.ts';
import type { FlagSection } from '../flag.ts';
import type { Io } from '../io.ts';
import { Output, outputFlags } from '../output.ts';
import { type Parameter, parametersOf } from '../parameters.ts';
import { ProgressBar } from '../progress-bar.ts';
import { openSession } from '../session.ts';
import { checkParams, type Params } from './params.ts';

const { initialize, append, finalize, status } = uploadContract.media;

/** Media belong to the platform, so there is no sandbox to choose. */
const connection: FlagSection = {
  ...connectionFlags,
  flags: connectionFlags.flags.filter(({ name }) => name !== 'sandbox'),
};

const output = outputFlags(UploadedMedia, { many: false, raw: false });

/** The command knows what the bytes are and how many; `--category` is what people call the category. */
const choices = parametersOf(initialize).flatMap((parameter) => {
  const { name, flag } = parameter;
  if (!flag || name === 'total_bytes') return [];
  const description = name === 'media_type' ? 'What the file is; found from how it begins when left out.' : undefined;
  return {
    ...parameter,
    flag: {
      ...flag,
      name: name === 'media_category' ? 'category' : flag.name,
      required: false,
      ...(description === undefined ? {} : { description }),
    },
  };
});

const uploadCommand: Command = {
  kind: 'command',
  words: ['media', 'upload'],
  summary: 'Upload a file, and wait until it can be used',
  description:
    'Sends an image, an animated GIF or a video in segments, and waits until it has been processed. The media go after 24 hours unless a post uses them.',
  positionals: [
    { name: 'file', description: 'PNG, JPEG, GIF, WebP, MP4 or QuickTime.', required: true, completes: 'file' },
  ],
  sections: [{ title: 'Optional', flags: choices.map(({ flag }) => flag) }, output, connection],
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
  const printed = new Output(io, flags, UploadedMedia);
  const given: Params = Object.fromEntries(choices.map(({ name, flag }) => [name, flags.text(flag.name)] as const));
  const options = optionsOf(given, choices);
  const file = await open(io, words[0] ?? '');
  const { client } = await openSession(io, flags);
  const bar = new ProgressBar(io.stderr, () => performance.now());
  const isShown = io.stderr.isTTY && printed.format === 'human';
  let ended: Promise<void> | undefined;
  const onProgress = ({ phase, sentBytes, totalBytes }: UploadProgress) => {
    if (!isShown) return;
    if (phase === 'sending') bar.show({ done: sentBytes, total: totalBytes });
    else ended ??= bar.end().then(() => printed.say('Sent; it is being processed.'));
  };
  try {
    const media = await client.media.upload(file, { ...options, onProgress });
    await (ended ?? bar.end());
    await printed.one(media);
  } catch (error) {
    await (ended ?? bar.end());
    throw error;
  }
}

/** Validates the options against the contract, so that errors are reported in its words before sending. @throws UsageError */
function optionsOf(given: Params, parameters: readonly Parameter[]): UploadOptions {
  const params = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const schema = initialize.params.pick({ media_category: true, media_type: true, additional_owners: true }).partial();
  const { issues } = readParams(schema, params);
  const wrong = issues.map(({ parameter = '', message = '' }) => {
    const flag = parameters.find(({ name }) => name === parameter)?.flag;
    return `--${flag?.name ?? parameter}: ${message.replace(new RegExp(` for ${parameter}$`), '')}`;
  });
  if (wrong.length > 0)
    throw new UsageError('The parameters are not valid:', [...wrong, 'broadside media upload --help describes them.']);
  return schema.parse(params);
}

/** The file, unread: segments are read when they are sent. @throws UsageError */
async function open(io: Io, name: string): Promise<Blob> {
  const file = path.resolve(io.cwd, name);
  try {
    if (!(await stat(file)).isFile()) throw new TypeError('it is no file');
    return await openAsBlob(file);
  } catch (error) {
    throw new UsageError(`${name} cannot be read: ${messageOf(error)}`);
  }
}

async function tellStatus({ io, flags, words }: Invocation): Promise<void> {
  const printed = new Output(io, flags, UploadedMedia);
  const params = { media_id: words[0] ?? '' };
  checkParams(status, parametersOf(status), params);
  const { client } = await openSession(io, flags);
  await printed.one(await client.media.status(params));
}

/** A file of media on its way to the server: the flags that describe it, and its upload with progress. */
import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Client, UploadOptions, UploadProgress } from '@broadside/client';
import { readParams, uploadContract } from '@broadside/core';
import type { UploadedMedia } from '@broadside/core/resources/media';
import type { Positional } from '../command.ts';
import { CliError, messageOf, UsageError } from '../errors.ts';
import type { FlagValues } from '../flags.ts';
import type { Io } from '../io.ts';
import type { Output } from '../output.ts';
import { type Parameter, parametersOf } from '../parameters.ts';
import { ProgressBar } from '../progress-bar.ts';
import { inFlags, type Params } from './params.ts';

const { initialize } = uploadContract.media;

/** The file of a command. */
export const MEDIA_FILE: Positional = {
  name: 'file',
  description: 'PNG, JPEG, GIF, WebP, MP4 or QuickTime.',
  required: true,
  completes: 'file',
};

/** The command knows what the bytes are and how many; `--category` is what people call the category. */
export const mediaChoices: readonly (Parameter & { readonly flag: NonNullable<Parameter['flag']> })[] = parametersOf(
  initialize,
).flatMap((parameter) => {
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

/**
 * Reads what the flags say about a file, against the contract, so that errors are reported in its words before sending.
 * @param command the command, for pointing to its help
 * @throws UsageError
 */
export function readMediaChoices(flags: FlagValues, command: string): UploadOptions {
  const given: Params = Object.fromEntries(
    mediaChoices.flatMap(({ name, flag }) => {
      const text = flags.text(flag.name);
      return text === undefined ? [] : [[name, text] as const];
    }),
  );
  const schema = initialize.params.pick({ media_category: true, media_type: true, additional_owners: true }).partial();
  const { issues } = readParams(schema, given);
  const wrong = issues.map(({ parameter = '', message = '' }) => {
    const flag = mediaChoices.find(({ name }) => name === parameter)?.flag;
    return `--${flag?.name ?? parameter}: ${inFlags(message, parameter)}`;
  });
  if (wrong.length > 0)
    throw new UsageError('The parameters are not valid:', [...wrong, `broadside ${command} --help describes them.`]);
  return schema.parse(given);
}

/** Opens a file, unread: segments are read when they are sent. @throws UsageError */
export async function openMediaFile(io: Io, name: string): Promise<Blob> {
  const file = path.resolve(io.cwd, name);
  try {
    if (!(await stat(file)).isFile()) throw new TypeError('it is no file');
    return await openAsBlob(file);
  } catch (error) {
    throw new UsageError(`${name} cannot be read: ${messageOf(error)}`);
  }
}

/**
 * Uploads a file in segments, waits until it can be used, and shows the progress on a terminal.
 * @param use is done with the media then; ^C ends it too
 * @throws CliError when it is stopped
 */
export async function sendMediaFile<Result>(
  { io, client, printed }: { readonly io: Io; readonly client: Client; readonly printed: Output },
  file: Blob,
  options: UploadOptions,
  use: (media: UploadedMedia, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const bar = new ProgressBar(io.stderr, () => performance.now());
  const isShown = io.stderr.isTTY && printed.format === 'human';
  const stop = new AbortController();
  const undo = io.onInterrupt(() => stop.abort());
  let ended: Promise<void> | undefined;
  const onProgress = ({ phase, sentBytes, totalBytes }: UploadProgress) => {
    if (!isShown) return;
    if (phase === 'sending') bar.show({ done: sentBytes, total: totalBytes });
    else ended ??= bar.end().then(() => printed.say('Sent; it is being processed.'));
  };
  try {
    const { signal } = stop;
    const media = await client.media.upload(file, { ...options, onProgress, signal });
    return await use(media, signal);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    const lines = ['What was sent goes by itself within 24 hours; the same command sends the file anew.'];
    throw new CliError('interrupted', 'Stopped.', lines, error);
  } finally {
    await (ended ?? bar.end());
    undo();
  }
}

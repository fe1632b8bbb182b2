/** Reads bodies whole, as far as there is room for them, or as streams. */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { ApiError } from '@broadside/core';
import { type BodyMemory, type Release, SMALL_BODY_BYTES } from './body-memory.ts';
import { BodyPieces } from './body-pieces.ts';

/** A body that was read, and the room that it takes until its request is answered. */
export interface HeldBody {
  readonly bytes: Buffer;
  readonly release: Release;
}

/** Limits of a body, and who sends it. */
export interface BodyReading {
  /** The most bytes that the operation takes. */
  readonly largest: number;
  readonly memory: BodyMemory;
  readonly address: string;
}

/** Returns the announced length of a body; `undefined` where it is sent in chunks. */
export function announcedLength({ headers }: Pick<IncomingMessage, 'headers'>): number | undefined {
  const text = headers['content-length'];
  return text === undefined ? undefined : Number(text);
}

/**
 * Reads a body.
 * @throws ApiError 413 when it is longer than the operation takes, 503 when there is no room for it, 400 when it ends early
 */
export async function readBody(
  body: Readable,
  length: number | undefined,
  { largest, memory, address }: BodyReading,
): Promise<HeldBody> {
  verifyLength(length, largest);
  const release = await memory.take(address, length ?? largest);
  if (!release) throw new ApiError('OVER_CAPACITY');
  try {
    return { bytes: await read(body, largest), release };
  } catch (error) {
    release();
    throw error;
  }
}

/** @throws ApiError 413 when a body is announced that is longer than the operation takes */
export function verifyLength(length: number | undefined, largest: number): void {
  if (length !== undefined && length > largest) throw tooLarge(largest);
}

/** By events: to iterate over a stream costs more than all else about a small body. */
function read(body: Readable, largest: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces = new BodyPieces();
    const end = onPieces(body, pieces, (error) => {
      const problem = error ?? (pieces.size > largest ? tooLarge(largest) : undefined);
      if (problem === undefined && !body.readableEnded) return;
      end();
      if (problem) reject(problem);
      else resolve(pieces.take());
    });
  });
}

/** Bytes of a stream that are held until they are taken, about. */
const HELD_BYTES = 65_536;
/** What has fewer waits for more that has arrived in the same turn. */
const FEW_BYTES = 4_096;

/**
 * Reads a body as a stream: what has arrived when it is asked for, at once, however small the chunks are in which it came. The body is not
 * destroyed where its reader ends early.
 * @throws ApiError 400 when it ends early
 */
export async function* streamBody(body: Readable): AsyncGenerator<Buffer, void, undefined> {
  const pieces = new BodyPieces();
  let failure: ApiError | undefined;
  let wake: (() => void) | undefined;
  let isWoken = false;
  const end = onPieces(body, pieces, (error) => {
    failure ??= error;
    if (pieces.held >= HELD_BYTES) body.pause();
    if (failure || pieces.held >= FEW_BYTES || body.readableEnded) wake?.();
    else if (!isWoken) setImmediate(() => wake?.());
    isWoken = true;
  });
  try {
    for (;;) {
      if (failure) throw failure;
      if (pieces.held > 0) {
        isWoken = false;
        yield pieces.take();
        continue;
      }
      if (body.readableEnded) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      body.resume();
      await promise;
    }
  } finally {
    end();
  }
}

/**
 * Collects the pieces of a body as they arrive.
 * @param onChange called when there are more, when the body has ended, and with what is wrong with it; not before this returns
 * @returns ends it
 */
function onPieces(body: Readable, pieces: BodyPieces, onChange: (problem?: ApiError) => void): () => void {
  const take = (piece: unknown) => {
    if (!(piece instanceof Uint8Array)) return;
    pieces.add(piece);
    onChange();
  };
  const ended = () => onChange();
  const early = () => onChange(body.readableEnded ? undefined : ENDED_EARLY);
  if (body.destroyed || body.readableEnded) process.nextTick(early);
  else body.on('data', take).on('end', ended).on('error', early).on('close', early);
  return () => void body.off('data', take).off('end', ended).off('error', early).off('close', early).pause();
}

const ENDED_EARLY = new ApiError({ error: 'INVALID_PARAMETER', message: 'The body ended too early', details: 'body' });

function tooLarge(largest: number): ApiError {
  return new ApiError({ error: 'REQUEST_TOO_LARGE', message: `The body may have up to ${largest} bytes` });
}

/**
 * Returns whether a body need not be read, because its request cannot be authenticated by what precedes it: it is not small, has
 * no credentials in header or query, and is not a form, which may have them.
 */
export function isAnonymous({ headers, url = '' }: Pick<IncomingMessage, 'headers' | 'url'>): boolean {
  const length = announcedLength({ headers }) ?? Number.POSITIVE_INFINITY;
  if (length <= SMALL_BODY_BYTES || headers.authorization !== undefined) return false;
  return !url.includes('oauth_') && !isFormBody({ headers });
}

/** Returns whether a body is announced as compressed, or encoded in another way. */
export function isEncoded({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const encoding = headers['content-encoding'];
  return encoding !== undefined && !/^[ \t]*(?:identity)?[ \t]*$/i.test(encoding);
}

/** Returns whether a body is announced as a form. */
export function isFormBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return FORM_TYPE.test(headers['content-type'] ?? '');
}

const FORM_TYPE = /^[ \t]*application\/x-www-form-urlencoded[ \t]*(?:;|$)/i;

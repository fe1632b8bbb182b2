/** Reads bodies whole, as far as there is room for them, or as streams. */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiError } from '@broadside/core';
import { isFormType } from '@broadside/core/auth';
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

/** Returns the announced length of a body, 0 where none is announced; `undefined` where it is sent in chunks. */
export function announcedLength({ headers }: Pick<IncomingMessage, 'headers'>): number | undefined {
  if (headers['transfer-encoding'] !== undefined) return undefined;
  return Number(headers['content-length'] ?? 0);
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
    const stop = () => body.off('data', take).off('end', whole).off('error', early).off('close', early).pause();
    const fail = (error: ApiError) => {
      stop();
      reject(error);
    };
    const take = (piece: unknown) => {
      if (!(piece instanceof Uint8Array)) return;
      pieces.add(piece);
      if (pieces.size > largest) fail(tooLarge(largest));
    };
    const whole = () => {
      stop();
      resolve(pieces.whole());
    };
    const early = () => fail(endedEarly());
    if (body.destroyed) early();
    else body.on('data', take).on('end', whole).on('error', early).on('close', early);
  });
}

/** After a piece with fewer bytes, others have their turn. */
const FEW_BYTES = 4_096;

/**
 * Reads a body as a stream, and lets others have their turn however small the chunks are in which it comes. The body is not destroyed where its
 * reader ends early.
 * @throws ApiError 400 when it ends early
 */
export async function* streamBody(body: Readable): AsyncGenerator<Buffer, void, undefined> {
  try {
    for await (const piece of body.iterator({ destroyOnReturn: false })) {
      if (!(piece instanceof Buffer)) continue;
      yield piece;
      if (piece.length < FEW_BYTES) await nextTurn();
    }
  } catch {
    throw endedEarly();
  }
}

function endedEarly(): ApiError {
  return new ApiError({ error: 'INVALID_PARAMETER', message: 'The body ended too early', details: 'body' });
}

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
  return isFormType(headers['content-type']);
}

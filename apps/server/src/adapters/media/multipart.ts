/** Bodies of `multipart/form-data` with one part of bytes, which is streamed to the store as it arrives. */
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { ApiError } from '@broadside/core';
import type { Pair } from '@broadside/core/auth';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { streamBody } from '../limits/read-body.ts';

/** Header of a part of bytes. */
export interface BytesPart {
  readonly name: string;
  readonly content: AsyncIterable<Uint8Array>;
  /** From the part's header; `undefined` when the header has none. */
  readonly content_type: string | undefined;
  readonly isBase64: boolean;
  /** Fields that preceded it. */
  readonly fields: readonly Pair[];
}

/** Dependencies and limits of reading a body. */
export interface MultipartReader<Stored> {
  readonly contentType: string;
  /** Names of the parts that hold bytes; other file parts are rejected. */
  readonly names: ReadonlySet<string>;
  /** Stores a part; when it throws, reading ends with its error. */
  readonly store: (part: BytesPart) => Promise<Stored>;
  /** Discards the stored bytes of a body that is rejected after all. */
  readonly discard: (stored: Stored) => Promise<void>;
  /** Receives every chunk of the body. */
  readonly onChunk?: ((piece: Uint8Array) => void) | undefined;
}

/** Fields and bytes of a body. */
export interface Multipart<Stored> {
  readonly fields: readonly Pair[];
  readonly stored: Stored | undefined;
}

const limits = {
  fieldNameSize: 100,
  fieldSize: 64 * 1024,
  fields: 50,
  files: 2,
  parts: 60,
  headerPairs: 50,
  headerSize: 16 * 1024,
};

/** Bytes that are parsed before a body is found to have too many parts: the parser goes through all that it is given, at 20 us a part. */
const PARSED_BYTES = 16_384;

/**
 * Reads a body as a stream, buffering only the fields.
 * @throws ApiError when it is malformed, and whatever `store` throws; nothing is stored then
 */
export async function readMultipart<Stored>(
  body: Readable,
  reader: MultipartReader<Stored>,
): Promise<Multipart<Stored>> {
  const parser = openParser(reader);
  const fields: Pair[] = [];
  const parts: BusboyFileStream[] = [];
  let storing: Promise<Stored> | undefined;
  let failure: { readonly error: unknown } | undefined;
  const { promise: failed, reject } = Promise.withResolvers<never>();
  failed.catch(() => {});
  const fail = (error: unknown) => {
    failure ??= { error };
    reject(error);
  };

  parser.on('field', (name, value, _nameCut, valueCut) => {
    if (valueCut) fail(invalidPart(name, `"${name.slice(0, 100)}" is too long`));
    else fields.push([name, value]);
  });
  parser.on('file', (name, stream, _fileName, encoding, type) => {
    parts.push(stream);
    // The part is read or destroyed in any case; its reader reports a failure.
    stream.on('error', () => {});
    if (!reader.names.has(name) || storing) {
      stream.resume();
      const names = [...reader.names].join(' or ');
      fail(
        invalidPart(
          name,
          storing ? 'Send one part with bytes' : `The bytes come in a part named ${names || 'nothing here'}`,
        ),
      );
      return;
    }
    const content_type = type === 'text/plain' ? undefined : type;
    storing = reader.store({
      name,
      content: stream,
      content_type,
      isBase64: encoding === 'base64',
      fields: [...fields],
    });
    storing.catch((error: unknown) => {
      stream.resume();
      fail(error);
    });
  });
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
    parser.on(limit, () => fail(malformed('it has too many parts')));
  }
  parser.on('error', (error) => fail(malformed(error instanceof Error ? error.message : 'it cannot be read')));

  try {
    const finished = once(parser, 'finish');
    finished.catch(() => {});
    for await (const piece of streamBody(body)) {
      reader.onChunk?.(piece);
      for (let at = 0; at < piece.length; at += PARSED_BYTES) {
        if (failure) throw failure.error;
        if (!parser.write(piece.subarray(at, at + PARSED_BYTES))) await Promise.race([once(parser, 'drain'), failed]);
      }
    }
    parser.end();
    await Promise.race([finished, failed]);
    const stored = await storing;
    if (failure) throw failure.error;
    return { fields, stored };
  } catch (error) {
    const cause = failure?.error ?? (error instanceof ApiError ? error : malformed('it ended too early'));
    for (const part of parts) part.destroy(cause instanceof Error ? cause : new Error('the body was rejected'));
    const stored = await storing?.catch(() => undefined);
    if (stored !== undefined) await reader.discard(stored);
    throw cause;
  }
}

function openParser({ contentType, names }: Pick<MultipartReader<never>, 'contentType' | 'names'>): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits,
      isPartAFile: (name, _type, fileName) => names.has(name ?? '') || fileName !== undefined,
    });
  } catch {
    throw malformed('its content type names no boundary');
  }
}

function malformed(reason: string): ApiError {
  const message = `The body is not valid multipart/form-data: ${reason}`;
  return new ApiError({ error: 'INVALID_PARAMETER', message, details: 'body' });
}

function invalidPart(parameter: string, message: string): ApiError {
  return new ApiError({ error: 'INVALID_PARAMETER', parameter: parameter.slice(0, 100), message });
}

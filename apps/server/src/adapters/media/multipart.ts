/** Bodies of `multipart/form-data` with one part of bytes, which goes where it is stored while it arrives. */
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { ApiError } from '@broadside/core';
import type { Pair } from '@broadside/core/auth';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';

/** A part of bytes as it begins. */
export interface BytesPart {
  readonly name: string;
  readonly content: AsyncIterable<Uint8Array>;
  /** As the part's header says; `undefined` when it says nothing. */
  readonly content_type: string | undefined;
  readonly isBase64: boolean;
  /** The fields before it. */
  readonly fields: readonly Pair[];
}

/** Dependencies and limits of reading a body. */
export interface MultipartReader<Stored> {
  readonly contentType: string;
  /** The parts that hold bytes; other parts with a file are refused. */
  readonly names: ReadonlySet<string>;
  /** Stores a part; when it rejects, reading ends with its error. */
  readonly store: (part: BytesPart) => Promise<Stored>;
  /** Takes back what was stored of a body that is refused after all. */
  readonly discard: (stored: Stored) => Promise<void>;
  /** Sees every byte of the body. */
  readonly onPiece?: ((piece: Uint8Array) => void) | undefined;
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

/**
 * Reads a body. Little of it is held at a time.
 * @throws ApiError when it is malformed, and what `store` throws; nothing is stored then
 */
export async function readMultipart<Stored>(
  body: Readable,
  reader: MultipartReader<Stored>,
): Promise<Multipart<Stored>> {
  const parser = openParser(reader);
  const fields: Pair[] = [];
  const parts: BusboyFileStream[] = [];
  let storing: Promise<Stored> | undefined;
  let fault: { readonly error: unknown } | undefined;
  const { promise: failed, reject } = Promise.withResolvers<never>();
  failed.catch(() => {});
  const fail = (error: unknown) => {
    fault ??= { error };
    reject(error);
  };

  parser.on('field', (name, value, _nameCut, valueCut) => {
    if (valueCut) fail(refused(name, `"${name.slice(0, 100)}" is too long`));
    else fields.push([name, value]);
  });
  parser.on('file', (name, stream, _fileName, encoding, type) => {
    parts.push(stream);
    // It is read, or destroyed, whatever happens; its failure is told by who reads it.
    stream.on('error', () => {});
    if (!reader.names.has(name) || storing) {
      stream.resume();
      const names = [...reader.names].join(' or ');
      fail(
        refused(
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
    // The connection stays open for the answer, so the request is not destroyed where reading ends early.
    for await (const piece of body.iterator({ destroyOnReturn: false })) {
      if (fault) throw fault.error;
      if (!(piece instanceof Uint8Array)) throw malformed('it cannot be read');
      reader.onPiece?.(piece);
      if (!parser.write(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength))) {
        await Promise.race([once(parser, 'drain'), failed]);
      }
    }
    parser.end();
    await Promise.race([finished, failed]);
    const stored = await storing;
    if (fault) throw fault.error;
    return { fields, stored };
  } catch (error) {
    const told = fault?.error ?? (error instanceof ApiError ? error : malformed('it ended too early'));
    for (const part of parts) part.destroy(told instanceof Error ? told : new Error('the body was refused'));
    const stored = await storing?.catch(() => undefined);
    if (stored !== undefined) await reader.discard(stored);
    throw told;
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

function refused(parameter: string, message: string): ApiError {
  return new ApiError({ error: 'INVALID_PARAMETER', parameter: parameter.slice(0, 100), message });
}

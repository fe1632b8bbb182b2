/** Reads the body of an upload request once its caller is known: parameters, and bytes streamed to the store. */
import type { Readable } from 'node:stream';
import { ApiError, type UploadOperation } from '@broadside/core';
import type { Pair, ParsedRequest } from '@broadside/core/auth';
import type { Dialect } from '@broadside/core/dialect';
import { bodyHasher } from '../../auth/verify-signature.ts';
import type { IncomingBlob } from '../../media/incoming.ts';
import type { MediaStore } from '../../media/media-store.ts';
import { Pace } from '../../pace.ts';
import type { LateCall } from '../../pipeline/call.ts';
import type { ReceivedBytes } from '../../pipeline/caller.ts';
import { decodeParams } from '../rest/decode.ts';
import { Base64Error, decodeBase64 } from './base64.ts';
import { type BytesPart, readMultipart } from './multipart.ts';

/** A request for one of the operations that share a route. */
export interface UploadRequest {
  readonly operations: readonly UploadOperation[];
  readonly parsed: ParsedRequest;
  readonly path: Readonly<Record<string, string>>;
  readonly contentType: string | undefined;
  /** A body that is text. */
  readonly text: string | undefined;
  /** A body of `multipart/form-data`. */
  readonly stream: Readable | undefined;
  readonly store: MediaStore;
  /** The dialect that it is in. */
  readonly dialect: Dialect | undefined;
}

/** Returns whether a content type is `multipart/form-data`. */
export function isMultipart(contentType: string | undefined): contentType is string {
  return /^\s*multipart\/form-data\s*(?:;|$)/i.test(contentType ?? '');
}

/** Default operation of a route when no parameter selects one. */
export function usualOperation([first, ...others]: readonly UploadOperation[]): UploadOperation {
  if (!first) throw new TypeError('a route has an operation');
  return [first, ...others].find(({ http }) => http.command === undefined) ?? first;
}

/** Reads a request. Invalid parameters come as `problem`, to be reported in their turn. @throws ApiError */
export async function readUpload(request: UploadRequest): Promise<LateCall> {
  const { stream, parsed } = request;
  if (!stream) return readText(request);
  const own = request.operations.flatMap(({ bytes }) => (bytes ? [bytes.part, bytes.base64 ?? []] : [])).flat();
  const names = new Set(own.flatMap((name) => [name, ...(request.dialect?.vocabulary.formsOf(name) ?? [])]));
  const { bodyHash } = parsed.oauth ?? {};
  const hasher = bodyHash === undefined ? undefined : bodyHasher(bodyHash);
  const { fields, stored } = await readMultipart<ReceivedBytes>(stream, {
    contentType: request.contentType ?? '',
    names,
    store: (part) => storePart(request, part),
    discard: ({ blob }) => request.store.discard(blob),
    onChunk: hasher?.update,
  });
  try {
    if (hasher && !hasher.matches()) {
      const message = 'The request is not authenticated: oauth_body_hash is not the hash of the body';
      throw new ApiError({ error: 'UNAUTHORIZED_ACCESS', parameter: 'oauth_body_hash', message });
    }
    const call = readParams(request, fields);
    if (stored) checkSize(call.operation, stored.blob.size);
    if (stored && !call.operation.bytes) throw takesNoBytes(call.operation);
    return { ...call, bytes: stored };
  } catch (error) {
    if (stored) await request.store.discard(stored.blob);
    throw error;
  }
}

async function readText(request: UploadRequest): Promise<LateCall> {
  const call = readParams(request, request.parsed.form);
  const { bytes } = call.operation;
  const names = bytes ? [bytes.part, ...(bytes.base64 === undefined ? [] : [bytes.base64])] : ['media', 'media_data'];
  const params = { ...call.params };
  const given = names.filter((name) => params[name] !== undefined);
  const [name, second] = given;
  for (const each of given) delete params[each];
  if (name === undefined) return { ...call, params };
  if (!bytes) return { ...call, params, problem: call.problem ?? takesNoBytes(call.operation) };
  const text = call.params[name];
  if (second !== undefined || typeof text !== 'string') {
    const message = second === undefined ? `"${name}" must be base64` : `Send "${name}" or "${second}", not both`;
    return { ...call, params, problem: new ApiError({ error: 'INVALID_PARAMETER', parameter: name, message }) };
  }
  const content = limited(base64(name, inTurns(text)), bytes.max_bytes);
  return { ...call, params, bytes: { blob: await request.store.receive(content), content_type: undefined } };
}

function storePart(request: UploadRequest, part: BytesPart): Promise<ReceivedBytes> {
  const { operations, store } = request;
  const largest = Math.max(...operations.map(({ bytes }) => bytes?.max_bytes ?? 0));
  // Most clients send the purpose of the bytes first; then its limit holds from the first byte.
  const command = commandIn([...request.parsed.query, ...part.fields], request.dialect);
  const known = operations.find(({ http }) => command !== undefined && http.command === command);
  const name = request.dialect?.vocabulary.nameIn(part.name) ?? part.name;
  const isText = part.isBase64 || operations.some(({ bytes }) => bytes?.base64 === name);
  const content = isText ? base64(part.name, part.content) : part.content;
  return receive(store, limited(content, known?.bytes?.max_bytes ?? largest), part.content_type, isText);
}

async function receive(
  store: MediaStore,
  content: AsyncIterable<Uint8Array>,
  content_type: string | undefined,
  isText: boolean,
): Promise<ReceivedBytes> {
  const blob: IncomingBlob = await store.receive(content);
  return { blob, content_type: isText ? undefined : content_type };
}

async function* base64(
  parameter: string,
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* decodeBase64(pieces);
  } catch (error) {
    if (!(error instanceof Base64Error)) throw error;
    throw new ApiError({ error: 'INVALID_PARAMETER', parameter, message: `"${parameter}" is not base64` });
  }
}

/** Characters of base64 that are decoded in one turn. */
const TURN = 131_072;

/** The bytes of a text in pieces, between which other work passes. */
async function* inTurns(text: string): AsyncGenerator<Uint8Array> {
  const pace = new Pace();
  for (let at = 0; at < text.length; at += TURN) {
    yield Buffer.from(text.slice(at, at + TURN));
    await pace.step();
  }
}

async function* limited(content: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const piece of content) {
    size += piece.byteLength;
    if (size > most) throw tooLarge(most);
    yield piece;
  }
  if (size === 0) {
    throw new ApiError({ error: 'INVALID_PARAMETER', parameter: 'media', message: 'The media are empty' });
  }
}

function checkSize({ bytes }: UploadOperation, size: number): void {
  if (bytes && size > bytes.max_bytes) throw tooLarge(bytes.max_bytes);
}

function tooLarge(most: number): ApiError {
  const message = `One request takes up to ${most} bytes of media; send larger ones in segments`;
  return new ApiError({ error: 'REQUEST_TOO_LARGE', parameter: 'media', message });
}

function takesNoBytes({ id }: UploadOperation): ApiError {
  return new ApiError({ error: 'INVALID_PARAMETER', parameter: 'media', message: `${id} takes no bytes` });
}

/** The value of `command` among these, in the words of the interface. */
function commandIn(pairs: readonly Pair[], dialect: Dialect | undefined): string | undefined {
  if (!dialect) return pairs.find(([name]) => name === 'command')?.[1];
  const { vocabulary } = dialect;
  const found = pairs.find(([name]) => name === 'command' || vocabulary.nameIn(name) === 'command');
  return found && vocabulary.valueIn(found[1]);
}

/** Returns the parameters, and the operation that they select. */
function readParams(
  { operations, parsed, path, contentType, text, stream, dialect }: UploadRequest,
  form: readonly Pair[],
): Pick<LateCall, 'params' | 'problem'> & { readonly operation: UploadOperation } {
  const usual = usualOperation(operations);
  try {
    const where = {
      operation: usual,
      parsed: { ...parsed, form },
      path,
      contentType: stream ? undefined : contentType,
      // The step that is asked for says which values have another form.
      dialect: dialect?.of(
        operations.find(({ http }) => http.command === commandIn([...parsed.query, ...form], dialect)) ?? usual,
      ),
    };
    const { params } = decodeParams({ ...where, body: text });
    const commands = operations.flatMap(({ http }) => http.command ?? []);
    if (commands.length === 0) return { operation: usual, params };
    const { command: sent, ...others } = params;
    const command = typeof sent === 'string' ? (dialect?.vocabulary.valueIn(sent) ?? sent) : sent;
    if (command === undefined) return { operation: usual, params: others };
    const operation = operations.find(({ http }) => http.command === command);
    if (operation) return { operation, params: others };
    const message = `Expected one of ${commands.join(', ')} for command`;
    const value = typeof sent === 'string' ? sent.slice(0, 100) : undefined;
    const problem = new ApiError({ error: 'INVALID_PARAMETER', parameter: 'command', message, value });
    return { operation: usual, params: others, problem };
  } catch (error) {
    if (error instanceof ApiError) return { operation: usual, params: path, problem: error };
    throw error;
  }
}

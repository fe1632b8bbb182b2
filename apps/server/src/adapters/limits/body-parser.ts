/** Bodies of the routes: read within the limits, and kept as text until the pipeline knows their format. */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { ApiError } from '@broadside/core';
import { MAX_BODY_BYTES } from '@broadside/core/wire';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { networkOf } from '../../auth/network-address.ts';
import { NOT_UTF8 } from '../rest/answer.ts';
import type { HttpIntake } from './intake.ts';
import { announcedLength, isAnonymous, isEncoded, isFormBody, readBody, verifyLength } from './read-body.ts';
import { readText } from './text.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Calls a function once the response has been sent, or cannot be sent any more. */
    whenAnswered: ((then: () => void) => void) | undefined;
  }
}

/**
 * Longest form, and longest body of what is neither the advertising interface nor tRPC: our choice. A signature covers all of a form, encoded
 * twice, so it costs far more than JSON of the same length.
 */
const MAX_FORM_BYTES = 250_000;

/** Reads the bodies of an application and its scopes, unless they have parsers of their own. */
export function registerBodyParser(app: FastifyInstance, intake: HttpIntake, isAdvertising: boolean): void {
  app.decorateRequest('whenAnswered', undefined);
  app.addHook('preParsing', (request, reply, _payload, done) => {
    request.whenAnswered = (then) => void reply.raw.once('finish', then).once('close', then);
    done();
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: Readable): Promise<string | Buffer> => {
    const isForm = isFormBody(request.raw);
    const isLarge = isAdvertising || request.url.startsWith('/trpc/');
    const largest = isLarge && !isForm ? MAX_BODY_BYTES : MAX_FORM_BYTES;
    verifyLength(announcedLength(request.raw), largest);
    verifyEncoding(request.raw);
    // The request fails to authenticate, whatever its body is.
    if (isAnonymous(request.raw)) return '';
    const bytes = await readHeld(request, payload, intake, largest);
    const isJson = JSON_BODY.test(request.headers['content-type'] ?? '');
    if (request.routeOptions.config.bytes && isJson) return bytes;
    const text = readText(bytes);
    if (text !== undefined) return text;
    throw NOT_UTF8;
  });
}

/** @throws ApiError where a body is compressed: its bytes would be taken for those of the request */
export function verifyEncoding({ headers }: Pick<IncomingMessage, 'headers'>): void {
  if (!isEncoded({ headers })) return;
  const encoding = `${headers['content-encoding']}`.slice(0, 100);
  throw new ApiError({
    error: 'UNSUPPORTED_CONTENT_TYPE',
    message: `The body comes with Content-Encoding: ${encoding}; send it as it is`,
    details: 'body',
  });
}

const JSON_BODY = /^[ \t]*application\/json[ \t]*(?:;|$)/i;

/** Reads a body whose room is taken until the request has been answered. @throws ApiError */
export async function readHeld(
  request: FastifyRequest,
  payload: Readable,
  { memory }: HttpIntake,
  largest: number,
): Promise<Buffer> {
  const reading = { largest, memory, address: networkOf(request.ip) };
  const { bytes, release } = await readBody(payload, announcedLength(request.raw), reading);
  if (request.whenAnswered) request.whenAnswered(release);
  else release();
  return bytes;
}

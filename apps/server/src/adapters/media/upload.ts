/** Media upload over REST: a route for each path of the contract, whose operations are selected by `command`. */
import type { Readable } from 'node:stream';
import { ApiError, allUploadOperations, errorStatus, type UploadOperation } from '@broadside/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseLargeRequest } from '../../auth/verify-large-signature.ts';
import { receivedTarget, spokenBy } from '../../dialects/spoken.ts';
import type { IncomingBlob } from '../../media/incoming.ts';
import { execute } from '../../pipeline/execute.ts';
import { released } from '../../pipeline/held.ts';
import { asUnavailable } from '../../pipeline/unavailable.ts';
import { delivered } from '../deliver.ts';
import { isReading } from '../direct.ts';
import { readHeld, verifyEncoding } from '../limits/body-parser.ts';
import { drain } from '../limits/drain.ts';
import type { HttpIntake } from '../limits/intake.ts';
import { isAnonymous } from '../limits/read-body.ts';
import { readText } from '../limits/text.ts';
import { inDialect, isTooLong, reasonOf, TARGET_TOO_LONG } from '../rest/answer.ts';
import { encodeSuccess, JSON_TYPE, limitFields } from '../rest/encode.ts';
import {
  lacksPart,
  logFailure,
  notFound,
  pathParams,
  type RestOptions,
  routedMethods,
  sendAnswer,
} from '../rest/routes.ts';
import { uploadStyles } from '../rest/styles.ts';
import type { SentAnswer } from '../sent-answer.ts';
import { isMultipart, readUpload, usualOperation } from './body.ts';

/** Largest body with base64 bytes: those of a segment or an image. Larger animated GIFs are sent as multipart. */
const MAX_TEXT_BYTES = 8 * 1024 * 1024;

const otherMethods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'] as const;

/** Dependencies of the upload routes. */
interface UploadOptions extends RestOptions {
  readonly intake: HttpIntake;
  readonly frameworkError: (error: unknown) => unknown;
}

/** Adds the upload routes, in a scope of their own: their bodies are larger, and not all are text. */
export function registerUpload(app: FastifyInstance, options: UploadOptions): void {
  app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('multipart/form-data', async (request: FastifyRequest, payload: Readable) => {
      verifyEncoding(request.raw);
      return payload;
    });
    scope.addContentTypeParser('*', async (request: FastifyRequest, payload: Readable) => {
      verifyEncoding(request.raw);
      if (isAnonymous(request.raw)) return '';
      const text = readText(await readTextBody(request, payload, options.intake));
      if (text !== undefined) return text;
      throw new ApiError({ error: 'INVALID_PARAMETER', message: 'The body is not valid UTF-8', details: 'body' });
    });
    scope.setErrorHandler((error, request, reply) => {
      const known = error instanceof ApiError ? error : options.frameworkError(error);
      if (!(known instanceof ApiError)) {
        request.log.error({ err: error, request: request.id }, 'a request failed unexpectedly');
      }
      return rejectRequest(options, request, reply, asUnavailable(known));
    });
    addRoutes(scope, options);
    done();
  });
}

/** Reads a text body whole. The rest of one that is too long is drained, so that its client reads the answer. */
async function readTextBody(request: FastifyRequest, body: Readable, intake: HttpIntake): Promise<Buffer> {
  try {
    return await readHeld(request, body, intake, MAX_TEXT_BYTES);
  } catch (error) {
    if (!(error instanceof ApiError) || error.issues[0].error !== 'REQUEST_TOO_LARGE') throw error;
    await drain(body);
    const message = `A body of text may have up to ${MAX_TEXT_BYTES} bytes; send more as multipart/form-data or in segments`;
    throw new ApiError({ error: 'REQUEST_TOO_LARGE', message });
  }
}

function addRoutes(scope: FastifyInstance, options: UploadOptions): void {
  const routes = allUploadOperations.flatMap((operation) =>
    [operation.http.path, ...(operation.http.aliases ?? [])].map((url) => ({ url, operation })),
  );
  for (const [url, members] of Map.groupBy(routes, (route) => route.url)) {
    const byMethod = Map.groupBy(
      members.map(({ operation }) => operation),
      ({ http }) => http.method,
    );
    for (const [method, operations] of byMethod) {
      scope.route({ method: routedMethods(method), url, handler: handle(options, operations) });
    }
    const known = [...byMethod.keys()].flatMap(routedMethods);
    const allow = known.join(', ');
    scope.route({
      method: otherMethods.filter((method) => !known.some((name) => name === method)),
      url,
      handler: (request, reply) => {
        reply.header('allow', allow);
        const message = `The path exists, but only with ${allow}`;
        return rejectRequest(options, request, reply, new ApiError({ error: 'METHOD_NOT_ALLOWED', message }));
      },
    });
  }
}

function handle(options: UploadOptions, operations: readonly UploadOperation[]) {
  const { services, environment, baseUrlOf, foreign } = options;
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (lacksPart(request)) return notFound(reply);
    if (isTooLong(request.raw.url ?? '/')) return rejectRequest(options, request, reply, TARGET_TOO_LONG);
    const contentType = request.headers['content-type'];
    const stream = isMultipart(contentType) && !isReading(request.raw.method) ? request.raw : undefined;
    const text = typeof request.body === 'string' ? request.body : undefined;
    const { authorization } = request.headers;
    const { method = 'GET' } = request.raw;
    const dialect = spokenBy(request)?.dialect;
    const received = { method, target: receivedTarget(request.raw), authorization, contentType, body: text };
    const parsed = await parseLargeRequest(received);
    const path = pathParams(request.params);
    const credentials = {
      request: parsed,
      received,
      headers: request.headers,
      baseUrl: baseUrlOf(request),
      foreignHost: foreign.isForeign(request) ? foreign : undefined,
    };
    let operation = usualOperation(operations);
    let blob: IncomingBlob | undefined;
    let store = services.world.media;
    let isRead = stream === undefined;
    const result = await released(
      execute(services, {
        operation,
        environment,
        credentials: stream ? { ...credentials, streamed: true } : credentials,
        params: path,
        receive: async ({ media }) => {
          store = media;
          const late = await readUpload({ operations, parsed, path, contentType, text, stream, store, dialect });
          isRead = true;
          operation = operations.find((member) => member === late.operation) ?? operation;
          blob = late.bytes?.blob;
          return late;
        },
      }),
    );
    const { outcome, limits, caller, faulted, recorded } = result;
    const known = { operation: operation.id, caller, recorded };
    // Release the blob unless the handler took it over. What is wrong with a store then is no answer to the request: the job of the blob removes it later.
    if (!outcome.ok && blob) await store.discard(blob).catch(() => {});
    if (!isRead && stream && !(await drain(stream))) reply.header('connection', 'close');
    if (!outcome.ok) {
      const { error } = outcome;
      const response = rejection(request, operation.version, error, credentials.baseUrl);
      const answer = { ...response, headers: [...limitFields(limits), ...response.headers], ...known };
      if (faulted) return sendAnswer(reply, delivered(answer, faulted));
      if (response.status >= errorStatus('INTERNAL_ERROR')) {
        logFailure(request.log, request.id, known, error);
      }
      return sendAnswer(reply, answer);
    }
    const headers = [...limitFields(limits), ...Object.entries(uploadStyles[operation.version].headers).flat()];
    const answer =
      operation.envelope === 'nothing'
        ? { headers, body: '' }
        : {
            headers: [...headers, 'content-type', JSON_TYPE],
            body: encodeSuccess(operation, result.echo, outcome.value, dialect?.of(operation)),
          };
    const sent = { ...answer, status: operation.http.status ?? 200, ...known };
    return sendAnswer(reply, faulted ? delivered(sent, faulted) : sent);
  };
}

function rejectRequest(
  { baseUrlOf }: UploadOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
): FastifyReply {
  const version = request.raw.url?.startsWith('/2/') ? '2' : '1.1';
  return sendAnswer(reply, rejection(request, version, error, baseUrlOf(request)));
}

function rejection(
  request: FastifyRequest,
  version: UploadOperation['version'],
  error: unknown,
  baseUrl: string,
): SentAnswer {
  const { headers, failureType, failure } = uploadStyles[version];
  const { status, body } = inDialect(failure(error, undefined, baseUrl), spokenBy(request)?.dialect);
  const all = [...Object.entries(headers).flat(), 'content-type', failureType];
  return { status, headers: all, body, rejected: reasonOf(error) };
}

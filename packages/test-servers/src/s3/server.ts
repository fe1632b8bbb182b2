/**
 * An S3-compatible store for tests: one bucket, in memory or kept in a directory, with path-style addressing, which verifies each signature
 * (Signature Version 4, in headers) and the digest of each body. Supports objects, ranges, conditions, multipart
 * uploads and listing in pages; no versions.
 */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { S3ServerError } from './error.ts';
import { KeptObjects } from './kept-objects.ts';
import { checkSignature, type Signing } from './signature.ts';

/**
 * An injected fault of a request: `drop-request` closes the connection before anything is done, `drop-answer` does it
 * and then closes, `stall` never responds, `cut-body` sends half of the body and closes, `error-in-answer` responds
 * with 200 and an error in the body, and a number is the status of an error.
 */
export type S3Fault = 'drop-request' | 'drop-answer' | 'stall' | 'cut-body' | 'error-in-answer' | number;

/** A request as seen by fault injection and tests. */
export interface SeenRequest {
  readonly method: string;
  readonly key: string;
  readonly query: URLSearchParams;
}

/** Options of {@link startS3Server}. */
export interface S3ServerOptions extends Signing {
  readonly bucket: string;
  /** Minimum size of a part that is not the last. */
  readonly leastPartBytes?: number;
  /** Where objects outlive the process; by default they are in memory. */
  readonly directory?: string;
  /** Any free one by default. */
  readonly port?: number;
}

/** A running store. */
export interface S3Server {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  readonly objects: Map<string, Buffer>;
  /** Number of multipart uploads that were neither completed nor aborted. */
  readonly openUploads: number;
  readonly seen: SeenRequest[];
  /** May inject a fault into each request. */
  fault: ((request: SeenRequest) => S3Fault | undefined) | undefined;
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: Buffer;
}

/** Starts a store on a free port of the loopback interface. */
export async function startS3Server(options: S3ServerOptions): Promise<S3Server> {
  const objects = options.directory === undefined ? new Map<string, Buffer>() : new KeptObjects(options.directory);
  const uploads = new Map<string, { key: string; parts: Map<number, Buffer> }>();
  const seen: SeenRequest[] = [];
  let begun = 0;
  const running: S3Server = {
    url: '',
    objects,
    get openUploads() {
      return uploads.size;
    },
    seen,
    fault: undefined,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };

  const serve = (request: SeenRequest, incoming: IncomingMessage, body: Buffer): Answer => {
    const { method, key, query } = request;
    const uploadId = query.get('uploadId');
    if (method === 'POST' && query.has('uploads')) {
      const id = `upload/${++begun}+=`;
      uploads.set(id, { key, parts: new Map() });
      return xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
    }
    if (uploadId !== null) {
      const upload = uploads.get(uploadId);
      if (upload?.key !== key) throw new S3ServerError(404, 'NoSuchUpload', 'The upload does not exist.');
      if (method === 'PUT') {
        upload.parts.set(Number(query.get('partNumber')), body);
        return { status: 200, headers: { etag: etagOf(body) } };
      }
      if (method === 'POST') objects.set(key, complete(upload.parts, body.toString(), options.leastPartBytes ?? 0));
      uploads.delete(uploadId);
      return method === 'POST' ? xml('<CompleteMultipartUploadResult/>') : { status: 204 };
    }
    if (method === 'PUT') {
      objects.set(key, body);
      return { status: 200, headers: { etag: etagOf(body) } };
    }
    if (method === 'DELETE') {
      objects.delete(key);
      return { status: 204 };
    }
    if (method === 'GET' && key === '' && query.get('list-type') === '2') return list(objects, query);
    const object = objects.get(key);
    if (!object) throw new S3ServerError(404, 'NoSuchKey', 'The key does not exist.');
    return read(object, incoming);
  };

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });

  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const url = new URL(incoming.url ?? '', running.url);
    const [, bucket, ...rest] = decodeURIComponent(url.pathname).split('/');
    const request = { method: incoming.method ?? '', key: rest.join('/'), query: url.searchParams };
    seen.push(request);
    const fault = running.fault?.(request);
    if (fault === 'drop-request') return void response.destroy();
    if (fault === 'stall') return;
    let result: Answer;
    try {
      if (typeof fault === 'number') throw new S3ServerError(fault, `Status${fault}`, 'A fault of the test.');
      if (fault === 'error-in-answer') throw new S3ServerError(200, 'InternalError', 'A fault of the test.');
      checkSignature(incoming, url, body, options);
      if (bucket !== options.bucket) throw new S3ServerError(404, 'NoSuchBucket', 'The bucket does not exist.');
      result = serve(request, incoming, body);
    } catch (error) {
      if (!(error instanceof S3ServerError)) throw error;
      result = xml(`<Error><Code>${error.code}</Code><Message>${error.message}</Message></Error>`, error.status);
    }
    if (fault === 'drop-answer') return void response.destroy();
    const content = result.body ?? Buffer.alloc(0);
    const elsewhere = result.status >= 300 && result.status < 400 ? { location: '/elsewhere' } : {};
    response.writeHead(result.status, { 'content-length': content.length, ...elsewhere, ...result.headers });
    if (fault !== 'cut-body') return void response.end(incoming.method === 'HEAD' ? undefined : content);
    response.write(content.subarray(0, Math.ceil(content.length / 2)), () => response.destroy());
  };

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return Object.defineProperty(running, 'url', { value: `http://127.0.0.1:${address.port}` });
}

/** Keys of a page of a listing: few, so that a test of some objects needs several. */
const PAGE_KEYS = 50;

function list(objects: ReadonlyMap<string, Buffer>, query: URLSearchParams): Answer {
  const after = query.get('continuation-token') ?? '';
  const prefix = query.get('prefix') ?? '';
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
  const page = keys.slice(0, PAGE_KEYS);
  const contents = page.map(
    (key) => `<Contents><Key>${key}</Key><Size>${objects.get(key)?.length ?? 0}</Size></Contents>`,
  );
  const next = keys.length > page.length ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
  return xml(
    `<ListBucketResult><IsTruncated>${next !== ''}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`,
  );
}

function xml(text: string, status = 200): Answer {
  return { status, body: Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${text}`) };
}

function etagOf(body: Buffer): string {
  return `"${createHash('md5').update(body).digest('hex')}"`;
}

function complete(parts: ReadonlyMap<number, Buffer>, list: string, leastPartBytes: number): Buffer {
  const named = [...list.matchAll(/<Part><PartNumber>(\d+)<\/PartNumber><ETag>(.*?)<\/ETag><\/Part>/g)];
  const bytes = named.map(([, number, etag], index) => {
    const part = parts.get(Number(number));
    if (!part || Number(number) !== index + 1 || etag?.replaceAll('&quot;', '"') !== etagOf(part)) {
      throw new S3ServerError(400, 'InvalidPart', 'A part is not the one that was sent.');
    }
    if (index < named.length - 1 && part.length < leastPartBytes) {
      throw new S3ServerError(400, 'EntityTooSmall', 'A part is too small.');
    }
    return part;
  });
  if (bytes.length === 0) throw new S3ServerError(400, 'MalformedXML', 'The list names no part.');
  return Buffer.concat(bytes);
}

function read(object: Buffer, incoming: IncomingMessage): Answer {
  const etag = etagOf(object);
  const expected = incoming.headers['if-match'];
  if (expected !== undefined && expected !== etag) throw new S3ServerError(412, 'PreconditionFailed', 'It is another.');
  const range = /^bytes=(\d+)-(\d+)$/.exec(incoming.headers.range ?? '');
  if (!range) return { status: 200, headers: { etag }, body: object };
  const start = Number(range[1]);
  const end = Math.min(Number(range[2]), object.length - 1);
  if (start >= object.length) throw new S3ServerError(416, 'InvalidRange', 'The range is not satisfiable.');
  const headers = { etag, 'content-range': `bytes ${start}-${end}/${object.length}` };
  return { status: 206, headers, body: object.subarray(start, end + 1) };
}

/** Signed requests to an S3-compatible store, retried where the failure is not the caller's. */
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { BlobStoreAwayError, BlobStoreError } from './blob-store.ts';
import type { S3Location } from './s3-location.ts';

/** Credentials that sign the requests. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** Retry and timeout settings of a client. */
export interface S3Patience {
  /** Maximum number of attempts of a request. */
  readonly attempts: number;
  /** Delay after the first failure, in milliseconds; it doubles with each. */
  readonly pause_ms: number;
  /** Timeout of a response, and of each further chunk of its body, in milliseconds. */
  readonly timeout_ms: number;
}

const usualPatience: S3Patience = { attempts: 4, pause_ms: 100, timeout_ms: 30_000 };

/** A request. All of them are idempotent, so that they can be retried. */
export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  /** About the bucket as a whole, with an empty key. */
  readonly ofBucket?: true;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer>;
  /** The operation that failed, for the message: "The blob x cannot be read". */
  readonly what: string;
}

/** A successful or expected response of the store: 2xx, 304, 404, 412 or 416. */
export interface S3Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The body as text; only for responses that are not streamed. */
  text(): Promise<string>;
  /** The body as a stream. */
  stream(): AsyncGenerator<Uint8Array>;
  /** Cancels the body. */
  discard(): Promise<void>;
}

const REPEATED_STATUSES = [408, 425, 429, 500, 502, 503, 504];
const EXPECTED_STATUSES = [304, 404, 412, 416];
/** Error codes that a retry can resolve, whatever their status. */
const REPEATED_CODES = ['InternalError', 'SlowDown', 'ServiceUnavailable', 'RequestTimeout', 'OperationAborted'];

/** Parses code and message from the XML of an error. */
export function readS3Error(xml: string): { code: string; message: string } | undefined {
  if (!/<Error[\s>]/.test(xml)) return undefined;
  return { code: xmlText(xml, 'Code') ?? 'unknown', message: xmlText(xml, 'Message') ?? '' };
}

/** Returns the text of the first element of a name. */
export function xmlText(xml: string, element: string): string | undefined {
  const start = xml.indexOf(`<${element}>`);
  const end = xml.indexOf(`</${element}>`, start);
  if (start < 0 || end < 0) return undefined;
  const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
  return xml
    .slice(start + element.length + 2, end)
    .replaceAll(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole)
    .trim();
}

/** A client of one bucket. */
export class S3Client {
  readonly patience: S3Patience;
  readonly #location: S3Location;
  readonly #credentials: S3Credentials;
  readonly #signingKeys = new Map<string, ArrayBuffer>();

  constructor(location: S3Location, credentials: S3Credentials, patience: Partial<S3Patience> = {}) {
    this.patience = { ...usualPatience, ...patience };
    this.#location = location;
    this.#credentials = credentials;
  }

  /**
   * Sends a request, retrying until there is a response.
   * @throws BlobStoreError when the store rejects it, or cannot be reached in any attempt
   */
  async send(request: S3Request): Promise<S3Answer> {
    const { attempts, pause_ms } = this.patience;
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#once(request);
      if (!(outcome instanceof Failure)) return outcome;
      if (attempt === attempts || !outcome.mayPass) throw outcome.error(request.what, attempt);
      await delay(pause_ms * 2 ** (attempt - 1));
    }
  }

  /**
   * Lists the objects whose keys begin with a text, in the order of their keys.
   * @returns keys without the prefix of the location, with their sizes in bytes
   * @throws BlobStoreError
   */
  async *list(begin: string): AsyncGenerator<{ readonly key: string; readonly size: number }> {
    const what = 'The objects cannot be listed';
    const { prefix } = this.#location;
    for (let token: string | undefined, isFirst = true; isFirst || token !== undefined; isFirst = false) {
      const query = {
        'list-type': '2',
        prefix: prefix + begin,
        ...(token === undefined ? {} : { 'continuation-token': token }),
      };
      const answer = await this.send({ method: 'GET', key: '', ofBucket: true, query, what });
      const text = await answer.text();
      if (answer.status !== 200) throw new BlobStoreError(`${what}: the object store answered ${answer.status}.`);
      for (const [, entry = ''] of text.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
        const key = xmlText(entry, 'Key') ?? '';
        if (key.startsWith(prefix)) yield { key: key.slice(prefix.length), size: Number(xmlText(entry, 'Size')) };
      }
      token = xmlText(text, 'IsTruncated') === 'true' ? xmlText(text, 'NextContinuationToken') : undefined;
    }
  }

  async #once(request: S3Request): Promise<S3Answer | Failure> {
    const idle = new IdleTimer(this.patience.timeout_ms);
    try {
      const response = await fetch(await this.#signed(request), { signal: idle.signal, redirect: 'manual' });
      if (response.ok || EXPECTED_STATUSES.includes(response.status)) return answerOf(response, idle);
      const text = await response.text();
      idle.stop();
      return rejected(response.status, readS3Error(text), this.#location);
    } catch (error) {
      idle.stop();
      return new Failure(reasonOf(error, idle), true, error);
    }
  }

  async #signed(request: S3Request): Promise<Request> {
    const { baseUrl, prefix } = this.#location;
    const url = new URL(request.ofBucket ? baseUrl : `${baseUrl}/${prefix}${request.key}`);
    for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, value);
    const digest = createHash('sha256')
      .update(request.body ?? '')
      .digest('hex');
    const { accessKeyId, secretAccessKey, sessionToken } = this.#credentials;
    const signed = await new AwsV4Signer({
      method: request.method,
      url: url.href,
      headers: { ...request.headers, 'x-amz-content-sha256': digest },
      accessKeyId,
      secretAccessKey,
      ...(sessionToken === undefined ? {} : { sessionToken }),
      service: 's3',
      region: this.#location.region,
      cache: this.#signingKeys,
    }).sign();
    // Not signed, since intermediaries may change it. With a range, `fetch` sets it itself.
    if (!signed.headers.has('range')) signed.headers.set('accept-encoding', 'identity');
    return new Request(signed.url, {
      method: request.method,
      headers: signed.headers,
      ...(request.body ? { body: request.body } : {}),
    });
  }
}

/** A failed attempt of a request. */
class Failure {
  readonly #reason: string;
  readonly #cause: unknown;
  readonly mayPass: boolean;

  constructor(reason: string, mayPass: boolean, cause?: unknown) {
    this.#reason = reason;
    this.mayPass = mayPass;
    this.#cause = cause;
  }

  error(what: string, attempts: number): BlobStoreError {
    const tries = attempts > 1 ? ` (tried ${attempts} times)` : '';
    const Kind = this.mayPass ? BlobStoreAwayError : BlobStoreError;
    return new Kind(`${what}: ${this.#reason}${tries}.`, { cause: this.#cause });
  }
}

/** Aborts when the store has not sent anything for too long. */
class IdleTimer {
  readonly #controller = new AbortController();
  readonly #timeout_ms: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(timeout_ms: number) {
    this.#timeout_ms = timeout_ms;
    this.start();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  start(): void {
    this.stop();
    this.#timer = setTimeout(() => this.#controller.abort(), this.#timeout_ms);
    this.#timer.unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

function answerOf(response: Response, idle: IdleTimer): S3Answer {
  return {
    status: response.status,
    headers: response.headers,
    async text() {
      try {
        return await response.text();
      } finally {
        idle.stop();
      }
    },
    async *stream() {
      try {
        if (!response.body) return;
        for await (const piece of response.body) {
          // A slow reader does not count against the store.
          idle.stop();
          yield piece;
          idle.start();
        }
      } finally {
        idle.stop();
      }
    },
    async discard() {
      idle.stop();
      await response.body?.cancel();
    },
  };
}

function rejected(status: number, error: { code: string; message: string } | undefined, location: S3Location): Failure {
  const said = error ? ` (${error.code}: ${error.message.slice(0, 300)})` : '';
  const mayPass = REPEATED_STATUSES.includes(status) || REPEATED_CODES.includes(error?.code ?? '');
  if (mayPass) return new Failure(`the object store answered ${status}${said}`, true);
  if (status === 401 || status === 403) return new Failure(`the object store rejected the credentials${said}`, false);
  if (status >= 300 && status < 400) {
    return new Failure(
      `the bucket ${location.bucket} is not in the region ${location.region} or not at this endpoint${said}`,
      false,
    );
  }
  return new Failure(`the object store answered ${status}${said}`, false);
}

/** Describes a network error, without addresses. */
function reasonOf(error: unknown, idle: IdleTimer): string {
  if (idle.signal.aborted) return 'the object store did not answer in time';
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
  return `the object store could not be reached (${code ?? (cause instanceof Error ? cause.message : String(cause))})`;
}

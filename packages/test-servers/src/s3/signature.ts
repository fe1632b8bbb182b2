/** Signature Version 4 in headers, verified. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { S3ServerError } from './error.ts';

/** The credentials with which requests must be signed. */
export interface Signing {
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

function encode(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[A-Za-z0-9._~-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/** Rejects a request whose signature does not match its method, path, query, headers and body. */
export function checkSignature(incoming: IncomingMessage, url: URL, body: Buffer, options: Signing): void {
  const denied = (code: string, message: string) => new S3ServerError(403, code, message);
  const given =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      incoming.headers.authorization ?? '',
    );
  if (!given) throw denied('AccessDenied', 'The request is not signed.');
  const [, accessKeyId = '', date = '', region = '', headerNames = '', signature = ''] = given;
  const time = String(incoming.headers['x-amz-date']);
  if (accessKeyId !== options.accessKeyId) throw denied('InvalidAccessKeyId', 'The key is unknown.');
  if (region !== options.region) throw denied('AuthorizationHeaderMalformed', `The region is ${options.region}.`);
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(time) ?? [];
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (!time.startsWith(date) || !(Math.abs(Date.now() - at) < 900_000)) {
    throw denied('RequestTimeTooSkewed', 'The time is not now.');
  }
  if (options.sessionToken !== undefined && incoming.headers['x-amz-security-token'] !== options.sessionToken) {
    throw denied('InvalidToken', 'The session token is wrong.');
  }
  const signed = headerNames.split(';');
  const mustBeSigned = ['host', ...Object.keys(incoming.headers).filter((name) => name.startsWith('x-amz-'))];
  if (!mustBeSigned.every((name) => signed.includes(name))) throw denied('AccessDenied', 'A header is not signed.');
  const digest = createHash('sha256').update(body).digest('hex');
  if (incoming.headers['x-amz-content-sha256'] !== digest) {
    throw new S3ServerError(400, 'XAmzContentSHA256Mismatch', 'The body is not the one that was signed.');
  }
  const query = [...url.searchParams]
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map((pair) => pair.join('='))
    .join('&');
  const path = decodeURIComponent(url.pathname).split('/').map(encode).join('/');
  const headers = signed.map((name) => `${name}:${String(incoming.headers[name]).trim()}\n`).join('');
  const canonical = [incoming.method, path, query, headers, headerNames, digest].join('\n');
  const scope = `${date}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', time, scope, createHash('sha256').update(canonical).digest('hex')].join('\n');
  const key = ['s3', 'aws4_request'].reduce(
    (made: Buffer, part) => hmac(made, part),
    hmac(hmac(`AWS4${options.secretAccessKey}`, date), region),
  );
  if (!timingSafeEqual(hmac(key, text), Buffer.from(signature, 'hex'))) {
    throw denied('SignatureDoesNotMatch', 'The signature is wrong.');
  }
}

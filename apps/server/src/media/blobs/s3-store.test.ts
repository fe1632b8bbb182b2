import { buffer } from 'node:stream/consumers';
import { type S3Fault, type S3Server, type SeenRequest, startS3Server } from '@broadside/test-servers/s3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { BlobStoreError } from './blob-store.ts';
import { openBlobStore } from './open-blob-store.ts';
import { BlobLocationError, parseS3Location } from './s3-location.ts';
import { S3BlobStore, type S3Options } from './s3-store.ts';
import { SharedBlobs } from './shared-blobs.ts';

const credentials = { accessKeyId: 'AKTEST', secretAccessKey: 'a secret' };
const bytes = Buffer.from(Array.from({ length: 3500 }, (_, index) => index % 249));

async function start(
  options: S3Options = {},
  signer = credentials,
  query = '',
): Promise<{ server: S3Server; store: S3BlobStore }> {
  const server = await startS3Server({ bucket: 'media', region: 'us-east-1', leastPartBytes: 1000, ...credentials });
  onTestFinished(() => server.close());
  const location = parseS3Location(`s3://media/p?endpoint=${server.url}${query}`);
  const patience = { attempts: 3, pause_ms: 1, timeout_ms: 60_000, ...options.patience };
  return { server, store: new S3BlobStore(location, signer, { part_bytes: 1000, ...options, patience }) };
}

/** Injects a fault into the first `times` matching requests. */
function faults(fault: S3Fault, times: number, matches: (request: SeenRequest) => boolean) {
  let given = 0;
  return (request: SeenRequest) => (matches(request) && given++ < times ? fault : undefined);
}

const kinds: Readonly<Record<string, (request: SeenRequest) => boolean>> = {
  'a whole write': ({ method, query }) => method === 'PUT' && !query.has('partNumber'),
  'the beginning of an upload': ({ query }) => query.has('uploads'),
  'a part': ({ query }) => query.get('partNumber') === '2',
  'the end of an upload': ({ method, query }) => method === 'POST' && query.has('uploadId'),
  'a read': ({ method }) => method === 'GET',
  'a look': ({ method }) => method === 'HEAD',
  'a removal': ({ method, query }) => method === 'DELETE' && !query.has('uploadId'),
};

async function useAll(store: S3BlobStore): Promise<void> {
  await store.put('small', bytes.subarray(0, 900));
  await store.put('large', bytes);
  expect(Buffer.compare(await buffer((await store.open('large')).body), bytes)).toBe(0);
  expect(await store.size('small')).toBe(900);
  await store.delete('small');
}

describe('transient failures', () => {
  const passing: S3Fault[] = ['drop-request', 'drop-answer', 500, 503, 429];
  test.each(Object.entries(kinds).flatMap(([kind, matches]) => passing.map((fault) => ({ kind, fault, matches }))))(
    '$fault at $kind, twice, is recovered',
    async ({ fault, matches }) => {
      const { server, store } = await start();
      server.fault = faults(fault, 2, matches);
      await useAll(store);
      expect([...server.objects.keys()]).toEqual(['p/large']);
      expect(server.openUploads).toBeLessThanOrEqual(fault === 'drop-answer' ? 2 : 0);
    },
  );

  test('an error in the body of a 200 response does not complete an upload', async () => {
    const { server, store } = await start();
    server.fault = faults('error-in-answer', 2, kinds['the end of an upload'] ?? (() => false));
    await useAll(store);
    server.fault = faults('error-in-answer', 99, kinds['the end of an upload'] ?? (() => false));
    await expect(store.put('more', bytes)).rejects.toThrow(BlobStoreError);
    expect(server.objects.has('p/more')).toBe(false);
    expect(server.openUploads).toBe(0);
  });

  test('an interrupted read resumes where it stopped', async () => {
    const { server, store } = await start();
    await store.put('k', bytes);
    server.fault = faults('cut-body', 2, ({ method }) => method === 'GET');
    expect(
      Buffer.compare(await buffer((await store.open('k', { start: 10, end: 3000 })).body), bytes.subarray(10, 3001)),
    ).toBe(0);
    expect(server.seen.filter(({ method }) => method === 'GET')).toHaveLength(3);
  });

  test('an interrupted read does not resume in another blob', async () => {
    const { server, store } = await start();
    await store.put('k', bytes);
    server.fault = faults('cut-body', 1, ({ method }) => method === 'GET');
    const { body } = await store.open('k');
    server.objects.set('p/k', Buffer.alloc(3500));
    await expect(buffer(body)).rejects.toThrow('The blob k was changed while it was read.');
  });
});

describe('permanent failures', () => {
  test.each([
    [
      'drop-request',
      'The blob k cannot be written: the object store could not be reached (UND_ERR_SOCKET) (tried 3 times).',
    ],
    [
      500,
      'The blob k cannot be written: the object store answered 500 (Status500: A fault of the test.) (tried 3 times).',
    ],
    ['stall', 'The blob k cannot be written: the object store did not answer in time (tried 3 times).'],
  ] as const)('%s is one clear error after three tries', async (fault, message) => {
    const { server, store } = await start({ patience: { timeout_ms: fault === 'stall' ? 1_500 : 60_000 } });
    server.fault = () => fault;
    await expect(store.put('k', Buffer.from('x'))).rejects.toThrow(message);
    // The time can be over on a busy machine before the request has arrived.
    if (fault !== 'stall') expect(server.seen).toHaveLength(3);
  });

  test('an unreachable store is a clear error', async () => {
    const { server, store } = await start();
    await server.close();
    await expect(store.open('k')).rejects.toThrow(
      'the object store could not be reached (ECONNREFUSED) (tried 3 times).',
    );
  });

  test.each(['1', '2', '3'])(
    'an upload that fails at part %s is given up, and its source is closed',
    async (number) => {
      const { server, store } = await start();
      server.fault = ({ query }) => (query.get('partNumber') === number ? 400 : undefined);
      let closed = false;
      async function* source() {
        try {
          for (let at = 0; at < 10; at++) yield bytes;
        } finally {
          closed = true;
        }
      }
      await expect(store.put('k', source())).rejects.toThrow('answered 400');
      const { openUploads, objects } = server;
      expect({ openUploads, objects: objects.size, closed }).toEqual({ openUploads: 0, objects: 0, closed: true });
    },
  );

  test('redirects of a store are not followed', async () => {
    const { server, store } = await start();
    server.fault = faults(301, 1, () => true);
    await expect(store.put('k', bytes)).rejects.toThrow('the bucket media is not in the region us-east-1');
    expect(server.seen).toHaveLength(1);
  });

  test('rejected credentials, a wrong region and a missing bucket are distinguished, at the first attempt', async () => {
    const wrongSecret = await start({}, { ...credentials, secretAccessKey: 'another' });
    await expect(wrongSecret.store.size('k')).rejects.toThrow('the object store rejected the credentials');
    await expect(wrongSecret.store.open('k')).rejects.toThrow('(SignatureDoesNotMatch: The signature is wrong.)');
    const wrongKey = await start({}, { ...credentials, accessKeyId: 'AKOTHER' });
    await expect(wrongKey.store.put('k', bytes)).rejects.toThrow('InvalidAccessKeyId');
    const wrongRegion = await start({}, credentials, '&region=eu-north-1');
    await expect(wrongRegion.store.put('k', Buffer.from('x'))).rejects.toThrow('The region is us-east-1.');
    const { server } = await start();
    const other = new S3BlobStore(parseS3Location(`s3://other?endpoint=${server.url}`), credentials);
    await expect(other.put('k', Buffer.from('x'))).rejects.toThrow(
      'answered 404 (NoSuchBucket: The bucket does not exist.)',
    );
    expect([wrongSecret, wrongKey, wrongRegion].map(({ server: { seen } }) => seen.length)).toEqual([2, 1, 1]);
  });

  test('no error contains the secret', async () => {
    const { store } = await start({}, { ...credentials, accessKeyId: 'AKOTHER' });
    const error: unknown = await store.open('k').catch((reason: unknown) => reason);
    expect(JSON.stringify([String(error), error])).not.toContain('a secret');
  });
});

test('the keys of all blobs are listed', async () => {
  const { store } = await start();
  for (const key of ['one', 'two/three']) await store.put(key, bytes);
  const keys: string[] = [];
  for await (const key of store.list()) keys.push(key);
  expect(keys).toEqual(['one', 'two/three']);
});

test('a reader may be slower than the timeout of the store', async () => {
  const large = Buffer.alloc(3_000_000, bytes);
  let requests = 0;
  // A machine can be too slow for a timeout too; with a longer one it has more time, and so has the reader.
  for (let timeout_ms = 2_000; requests !== 1 && timeout_ms <= 32_000; timeout_ms *= 4) {
    const { server, store } = await start({ patience: { timeout_ms } });
    server.objects.set('p/k', large);
    const { body } = await store.open('k');
    const read: Buffer[] = [];
    for await (const piece of body) {
      if (read.length === 2) await new Promise((resolve) => setTimeout(resolve, 1.3 * timeout_ms));
      read.push(piece);
    }
    expect(Buffer.compare(Buffer.concat(read), large)).toBe(0);
    requests = server.seen.length;
  }
  expect(requests).toBe(1);
});

describe('locations', () => {
  test.each([
    ['s3://media', 'https://media.s3.us-east-1.amazonaws.com', '', 'us-east-1'],
    ['s3://media/a/b/?region=eu-central-1', 'https://media.s3.eu-central-1.amazonaws.com', 'a/b/', 'eu-central-1'],
    ['s3://my.media', 'https://s3.us-east-1.amazonaws.com/my.media', '', 'us-east-1'],
    ['s3://media?endpoint=http://127.0.0.1:9000', 'http://127.0.0.1:9000/media', '', 'us-east-1'],
    ['s3://media?endpoint=https://x.example/base/&style=path', 'https://x.example/base/media', '', 'us-east-1'],
    ['s3://media?endpoint=https://x.example&style=host&region=auto', 'https://media.x.example', '', 'auto'],
  ])('%s', (url, baseUrl, prefix, region) => {
    expect(parseS3Location(url)).toMatchObject({ baseUrl, prefix, region });
  });

  test.each([
    ['media', 'such as s3://'],
    ['https://media.example', 'such as s3://'],
    ['s3://key:secret@media', 'must not hold credentials'],
    ['s3://media?acl=public', 'parameters endpoint, region, style'],
    ['s3://media#x', 'parameters'],
    ['s3://MEDIA_', 'bucket'],
    ['s3://m', 'bucket'],
    ['s3://media/a%2e%2e', 'prefix'],
    ['s3://media/.a', 'prefix'],
    ['s3://media?region=a%20b', 'region'],
    ['s3://media?endpoint=ftp://x', 'endpoint'],
    ['s3://media?endpoint=https://u:p@x', 'endpoint'],
    ['s3://media?style=other', 'style'],
  ])('%s is rejected: %s', (url, message) => {
    expect(() => parseS3Location(url)).toThrow(BlobLocationError);
    expect(() => parseS3Location(url)).toThrow(message);
    const error: unknown = (() => {
      try {
        return parseS3Location(url);
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(String(error)).not.toContain('secret');
  });

  test('an object store without credentials is rejected', async () => {
    await expect(openBlobStore({ url: 's3://media', credentials: undefined }, 'media')).rejects.toThrow(
      BlobLocationError,
    );
    expect(await openBlobStore({ url: 's3://media', credentials }, 'media')).toBeInstanceOf(SharedBlobs);
  });
});

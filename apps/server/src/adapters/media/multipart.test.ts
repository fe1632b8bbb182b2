import { Readable } from 'node:stream';
import { ApiError } from '@broadside/core';
import { costRatio } from '@broadside/cost-ratio';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type BytesPart, type Multipart, readMultipart } from './multipart.ts';

const HEAD = 'multipart/form-data; boundary=line';

const part = (disposition: string, content: string, more = '') =>
  `--line\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n${content}\r\n`;
const END = '--line--\r\n';

interface Outcome {
  readonly read: Multipart<string>;
  readonly discarded: readonly string[];
}

/** A body that arrives piece by piece, each in a turn of its own. */
async function* arriving(pieces: readonly Buffer[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    yield piece;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Reads a body that arrives in chunks; stores bytes as text. */
async function read(body: string | Buffer, size = 7, store = whole): Promise<Outcome> {
  const bytes = Buffer.from(body);
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
    bytes.subarray(i * size, (i + 1) * size),
  );
  const discarded: string[] = [];
  const reader = {
    contentType: HEAD,
    names: new Set(['media']),
    store,
    discard: async (stored: string) => void discarded.push(stored),
  };
  try {
    return { read: await readMultipart(Readable.from(arriving(pieces)), reader), discarded };
  } catch (error) {
    if (error instanceof ApiError) Object.assign(error, { discarded });
    throw error;
  }
}

async function whole({ content }: BytesPart): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const piece of content) parts.push(piece);
  return Buffer.concat(parts).toString('latin1');
}

test('separates fields from bytes, wherever the body is split', async () => {
  const body = part('name="a"', 'one') + part('name="media"', '\r\n--lin\r\n-x') + part('name="b"', 'två') + END;
  for (let size = 1; size < body.length; size++) {
    const { read: found } = await read(body, size);
    expect(found).toEqual({
      fields: [
        ['a', 'one'],
        ['b', 'två'],
      ],
      stored: '\r\n--lin\r\n-x',
    });
  }
});

test('a part has the fields before it, its type and its encoding', async () => {
  let seen: BytesPart | undefined;
  const more = 'Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n';
  await read(part('name="a"', '1') + part('name="media"; filename="x.png"', 'AAAA', more) + END, 9, async (given) => {
    seen = given;
    return whole(given);
  });
  expect(seen).toMatchObject({ name: 'media', content_type: 'image/png', isBase64: true, fields: [['a', '1']] });
});

test.for([
  ['no boundary', '', 'not valid multipart'],
  ['no end', part('name="media"', 'x'), 'not valid multipart'],
  [
    'an end in the middle of the bytes',
    '--line\r\nContent-Disposition: form-data; name="media"\r\n\r\nabc',
    'not valid multipart',
  ],
  ['a file of another name', part('name="picture"; filename="x"', 'x') + END, 'in a part named media'],
  ['two parts of bytes', part('name="media"', 'x') + part('name="media"', 'y') + END, 'one part'],
  ['a field that is too long', part('name="a"', 'x'.repeat(70_000)) + END, 'too long'],
  ['too many fields', part('name="a"', 'x').repeat(51) + END, 'too many'],
] as const)('%s is rejected, and nothing is stored', async ([, body, message]) => {
  const kept: string[] = [];
  const rejected = await read(body, 5000, async (given) => {
    const stored = await whole(given);
    kept.push(stored);
    return stored;
  }).catch((error: unknown) => error);
  expect(rejected).toBeInstanceOf(ApiError);
  expect(rejected).toMatchObject({ message: expect.stringContaining(message), discarded: kept });
});

test('an error of the store ends reading with its message, though more data is on the way', async () => {
  const body = part('name="media"', 'x'.repeat(500_000)) + END;
  const refusal = new ApiError('REQUEST_TOO_LARGE');
  await expect(read(body, 1000, () => Promise.reject(refusal))).rejects.toBe(refusal);
  const late = async ({ content }: BytesPart): Promise<string> => {
    for await (const piece of content) if (piece.length > 0) throw refusal;
    return '';
  };
  await expect(read(body, 1000, late)).rejects.toBe(refusal);
});

test('reads no more than the store consumes', async () => {
  let sent = 0;
  const source = Readable.from(
    (function* () {
      yield Buffer.from('--line\r\nContent-Disposition: form-data; name="media"\r\n\r\n');
      for (; sent < 1000; sent++) yield Buffer.alloc(64 * 1024);
      yield Buffer.from('\r\n--line--\r\n');
    })(),
  );
  let go = () => {};
  const waiting = new Promise<void>((resolve) => {
    go = resolve;
  });
  const reading = readMultipart(source, {
    contentType: HEAD,
    names: new Set(['media']),
    discard: async () => {},
    store: async ({ content }) => {
      await waiting;
      let size = 0;
      for await (const piece of content) size += piece.length;
      return size;
    },
  });
  for (let i = 0; i < 50; i++) await new Promise(setImmediate);
  expect(sent).toBeLessThan(20);
  go();
  expect((await reading).stored).toBe(1000 * 64 * 1024);
});

test('any input is either read or rejected as a client error', async () => {
  const sound = Buffer.from(part('name="command"', 'APPEND') + part('name="media"; filename="a"', 'bytes') + END);
  const bits = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constantFrom(
      '--line',
      '--line--',
      '\r\n',
      '\r\n\r\n',
      'Content-Disposition: form-data; name="media"',
      'filename=',
      '"',
      ';',
      '\0',
      "name*=utf-8''%ff",
    ),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(sound.length), fc.nat(12), bits), { maxLength: 6 }),
      fc.integer({ min: 1, max: 40 }),
      async (edits, size) => {
        let body = sound;
        for (const [at, cut, bit] of edits) {
          body = Buffer.concat([body.subarray(0, at), Buffer.from(bit), body.subarray(at + cut)]);
        }
        const outcome = await read(body, size).catch((error: unknown) => error);
        if (outcome instanceof Error) expect(outcome).toBeInstanceOf(ApiError);
      },
    ),
    { numRuns: 500 },
  );
});

test('of too many parts that arrive at once, those beyond the first are not parsed', async () => {
  const rejecting = (bytes: number) => {
    const body = part('name="a"', '').repeat(bytes / 50);
    return () => expect(read(body, body.length)).rejects.toThrow('too many parts');
  };
  expect(await costRatio(rejecting(1_000_000), rejecting(50_000), 5)).toBeLessThan(5);
});

/** Bodies of many pieces, which are written as bytes. */
import { dataContract, JsonText } from '@broadside/core';
import { expect, test } from 'vitest';
import { encoderOf } from './encode.ts';

const encode = encoderOf(dataContract.posts.lookup);

/** The body of an answer with 100 posts. */
function bodyOf(text: string): { readonly body: string | Uint8Array; readonly expected: string } {
  const post = JSON.stringify({ id: '1', text });
  const data = Array.from({ length: 100 }, () => new JsonText(post));
  const body = encode(undefined, { data, includes: {}, problems: [], baseUrl: '' });
  return { body, expected: `{"data":[${data.map(() => post).join()}]}` };
}

const textOf = (body: string | Uint8Array) => (typeof body === 'string' ? body : new TextDecoder().decode(body));

test('a body keeps its bytes when others are written before it is sent', () => {
  // The last one is longer than the buffer that others are written to first.
  const texts = ['short', 'ä€😀', 'x'.repeat(5000), 'short again', '€'.repeat(10_000)];
  const all = texts.map(bodyOf);
  for (const { body, expected } of all) expect(textOf(body)).toBe(expected);
});

test('a body takes no more memory than its bytes', () => {
  for (const text of ['x'.repeat(500), '€'.repeat(500), 'x'.repeat(10_000)]) {
    const { body } = bodyOf(text);
    if (typeof body === 'string') throw new TypeError('many pieces are written as bytes');
    expect(body.buffer.byteLength).toBe(body.byteLength);
  }
});

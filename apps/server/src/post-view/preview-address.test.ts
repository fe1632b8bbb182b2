import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type PreviewedPost, previewPath, readPreview } from './preview-address.ts';

const post: PreviewedPost = {
  post_type: 'DRAFT',
  post_id: '1503831318555086851',
  environment: 'sandbox',
  account_id: '18ce54d4x5t',
  app_id: '1503831318555086850',
  expires_ms: 1_773_480_413_000,
};
const dataOf = (key: string, of = post) => previewPath(key, of).replace('/previews?data=', '');

test('the address of a preview says what it shows, in characters that need no escaping', () => {
  expect(readPreview('key', dataOf('key'))).toEqual(post);
  expect(readPreview('key', dataOf('key', { ...post, app_id: null }))).toEqual({ ...post, app_id: null });
  expect(previewPath('key', post)).toMatch(/^\/previews\?data=[\w-]+\.[\w-]{43}$/);
});

test('the address of a preview is of no use with another key, or once anything in it has changed', () => {
  const data = dataOf('key');
  expect(readPreview('other', data)).toBeUndefined();
  fc.assert(
    fc.property(fc.nat(data.length - 1), fc.constantFrom(...'AZaz09-_.'), (at, letter) => {
      const changed = data.slice(0, at) + letter + data.slice(at + 1);
      if (changed !== data) expect(readPreview('key', changed)).toBeUndefined();
    }),
  );
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => readPreview('key', text) === undefined));
});

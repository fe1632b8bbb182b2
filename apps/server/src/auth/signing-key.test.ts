import { createHmac } from 'node:crypto';
import { signingKey } from '@broadside/core/auth';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SigningKey } from './signing-key.ts';

const secret = fc.oneof(fc.string({ maxLength: 60 }), fc.string({ unit: 'binary', maxLength: 20 }));
const ascii = fc.oneof(
  fc.string({ maxLength: 300 }),
  // Around the length up to which texts are hashed in one way.
  fc.integer({ min: 8180, max: 8200 }).map((length) => 'x'.repeat(length)),
);

test.each(['sha1', 'sha256'] as const)('an HMAC with %s is that of Node, for keys and texts of any length', (name) => {
  fc.assert(
    fc.property(secret, fc.option(secret, { nil: undefined }), ascii, ascii, (consumer, token, text, other) => {
      const key = new SigningKey({ consumer, token });
      const sign = (of: string) => createHmac(name, signingKey(consumer, token)).update(of).digest('base64');
      expect(key.matches(name, text, sign(text))).toBe(true);
      expect(key.matches(name, text, sign(`${text} `))).toBe(false);
      expect(key.matches(name, other, sign(other))).toBe(true);
    }),
    { seed: 1, numRuns: 300 },
  );
});

test('one key leaves nothing behind for another', () => {
  const [a, b] = ['a', 'b'].map((consumer) => new SigningKey({ consumer, token: 't' }));
  const ofA = createHmac('sha1', 'a&t').update('text').digest('base64');
  expect([a?.matches('sha1', 'text', ofA), b?.matches('sha1', 'text', ofA)]).toEqual([true, false]);
  expect(b?.matches('sha1', 'text', 'x')).toBe(false);
  expect(b?.matches('sha1', 'text', createHmac('sha1', 'b&t').update('text').digest('base64'))).toBe(true);
});

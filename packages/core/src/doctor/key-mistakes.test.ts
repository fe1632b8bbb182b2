import { describe, test } from 'vitest';
import { KEY_MISTAKES, SURROUNDING_MISTAKES } from './key-mistakes.ts';
import { REQUESTS, verifyNamed } from './testing/verify-named.ts';

describe(`named first in each of ${REQUESTS} random requests`, () => {
  test.each([...KEY_MISTAKES, ...SURROUNDING_MISTAKES].map(({ id }) => id))('%s', verifyNamed);
});

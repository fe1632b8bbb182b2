import { describe, test } from 'vitest';
import { ENCODING_MISTAKES } from './encoding-mistakes.ts';
import { REQUESTS, verifyNamed } from './testing/verify-named.ts';

describe(`named first in each of ${REQUESTS} random requests`, () => {
  test.each(ENCODING_MISTAKES.map(({ id }) => id))('%s', verifyNamed);
});

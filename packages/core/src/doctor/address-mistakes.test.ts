import { describe, test } from 'vitest';
import { ADDRESS_MISTAKES } from './address-mistakes.ts';
import { REQUESTS, verifyNamed } from './testing/verify-named.ts';

describe(`named first in each of ${REQUESTS} random requests`, () => {
  test.each(ADDRESS_MISTAKES.map(({ id }) => id))('%s', verifyNamed);
});

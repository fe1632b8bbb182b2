import { describe, test } from 'vitest';
import { ORDER_MISTAKES } from './order-mistakes.ts';
import { REQUESTS, verifyNamed } from './testing/verify-named.ts';

describe(`named first in each of ${REQUESTS} random requests`, () => {
  test.each(ORDER_MISTAKES.map(({ id }) => id))('%s', verifyNamed);
});

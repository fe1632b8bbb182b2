import { describe, test } from 'vitest';
import { ORDER_MISTAKES } from './order-mistakes.ts';
import { proveNamed, REQUESTS } from './testing/prove.ts';

describe(`named first in each of ${REQUESTS} random requests`, () => {
  test.each(ORDER_MISTAKES.map(({ id }) => id))('%s', proveNamed);
});

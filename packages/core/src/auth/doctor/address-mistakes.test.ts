import { describe, test } from 'vitest';
import { ADDRESS_MISTAKES } from './address-mistakes.ts';
import { proveNamed, REQUESTS } from './testing/prove.ts';

describe(`named first in each of ${REQUESTS} random requests`, () => {
  test.each(ADDRESS_MISTAKES.map(({ id }) => id))('%s', proveNamed);
});

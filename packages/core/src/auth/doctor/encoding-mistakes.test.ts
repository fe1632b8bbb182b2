import { describe, test } from 'vitest';
import { ENCODING_MISTAKES } from './encoding-mistakes.ts';
import { proveNamed, REQUESTS } from './testing/prove.ts';

describe(`named first in each of ${REQUESTS} random requests`, () => {
  test.each(ENCODING_MISTAKES.map(({ id }) => id))('%s', proveNamed);
});

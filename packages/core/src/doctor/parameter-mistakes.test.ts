import { describe, test } from 'vitest';
import { PARAMETER_MISTAKES } from './parameter-mistakes.ts';
import { REQUESTS, verifyNamed } from './testing/verify-named.ts';

describe(`named first in each of ${REQUESTS} random requests`, () => {
  test.each(PARAMETER_MISTAKES.map(({ id }) => id))('%s', verifyNamed);
});

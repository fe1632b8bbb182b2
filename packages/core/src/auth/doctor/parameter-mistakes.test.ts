import { describe, test } from 'vitest';
import { PARAMETER_MISTAKES } from './parameter-mistakes.ts';
import { proveNamed, REQUESTS } from './testing/prove.ts';

describe(`named first in each of ${REQUESTS} random requests`, () => {
  test.each(PARAMETER_MISTAKES.map(({ id }) => id))('%s', proveNamed);
});

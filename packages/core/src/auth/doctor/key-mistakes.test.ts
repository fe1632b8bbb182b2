import { describe, test } from 'vitest';
import { KEY_MISTAKES, SURROUNDING_MISTAKES } from './key-mistakes.ts';
import { proveNamed, REQUESTS } from './testing/prove.ts';

describe(`named first in each of ${REQUESTS} random requests`, () => {
  test.each([...KEY_MISTAKES, ...SURROUNDING_MISTAKES].map(({ id }) => id))('%s', proveNamed);
});

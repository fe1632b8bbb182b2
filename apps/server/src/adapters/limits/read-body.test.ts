import { expect, test } from 'vitest';
import { announcedLength } from './read-body.ts';

test.each([
  // As a client says a type without sending anything: no room is taken for such a body.
  [{ 'content-type': 'application/json' }, 0],
  [{}, 0],
  [{ 'content-length': '5' }, 5],
  [{ 'transfer-encoding': 'chunked' }, undefined],
])('with %j the length of the body is %j', (headers, length) => {
  expect(announcedLength({ headers })).toBe(length);
});

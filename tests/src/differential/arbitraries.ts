/** Credentials and parameters, right and wrong, of the requests that are sent on different ways. */
import type { TestRequest } from '@broadside/testkit';
import fc from 'fast-check';

/** Ways to authenticate, most of them right. */
export const credentials = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Partial<TestRequest>>({}) },
  { weight: 1, arbitrary: fc.constant<Partial<TestRequest>>({ sign: { in: 'query' } }) },
  { weight: 1, arbitrary: fc.constant<Partial<TestRequest>>({ sign: { signatureMethod: 'HMAC-SHA256' } }) },
  { weight: 1, arbitrary: fc.constant<Partial<TestRequest>>({ as: null }) },
  { weight: 1, arbitrary: fc.constant<Partial<TestRequest>>({ sign: { tokenSecret: 'another' } }) },
  { weight: 1, arbitrary: fc.constant<Partial<TestRequest>>({ sign: { consumerKey: 'nobody' } }) },
  { weight: 1, arbitrary: fc.constant<Partial<TestRequest>>({ sign: { token: null } }) },
  { weight: 1, arbitrary: fc.constant<Partial<TestRequest>>({ sign: { timestamp: 1 } }) },
  {
    weight: 1,
    arbitrary: fc.constant<Partial<TestRequest>>({ as: null, headers: { authorization: 'Bearer nothing' } }),
  },
  {
    weight: 1,
    arbitrary: fc.constant<Partial<TestRequest>>({ as: null, headers: { authorization: 'OAuth oauth_nonce="%zz' } }),
  },
);

const anything = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  fc.constantFrom(
    'true',
    'false',
    '',
    '0',
    '1',
    '200',
    '1000',
    '-1',
    'a,b',
    'a,,b',
    'created_at-desc',
    'c-abc',
    '2026-01-01',
  ),
);

/** Changes to the parameters of an example: values replaced, left out, added. */
export function changesOf(names: readonly string[], texts: readonly string[]) {
  const value = fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...texts, 'x') }, { weight: 3, arbitrary: anything });
  const name = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...names, 'with_deleted', 'count') },
    { weight: 1, arbitrary: fc.constantFrom('unknown', 'cuont', '__proto__', 'constructor', 'account_id') },
  );
  const change = fc.tuple(name, fc.option(value, { nil: undefined }));
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 5, arbitrary: fc.array(change, { maxLength: 3 }) },
  );
}

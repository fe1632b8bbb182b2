import { costRatio } from '@broadside/cost-ratio';
import { describe, expect, test } from 'vitest';
import { hashPassword, verifyPassword } from './password.ts';

describe('a password', () => {
  test('is stored with argon2id: 19 MiB, 2 passes, 1 lane, salted', async () => {
    const [one, other] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(other);
  });

  test('is verified against its own hash only, in whole, and composed or not', async () => {
    const hash = await hashPassword('café \u212b');
    const verdicts = ['café \u212b', 'cafe\u0301 \u00c5', 'café', 'café \u212b ', '', 'CAFÉ \u212b'];
    expect(await Promise.all(verdicts.map((text) => verifyPassword(hash, text)))).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  test('of a missing user is rejected, that of the placeholder hash too', async () => {
    expect(await verifyPassword(undefined, 'x')).toBe(false);
    expect(await verifyPassword(undefined, 'nobody has this password')).toBe(false);
  });
});

test('a text that is too long for a password costs no more than any other', async () => {
  const known = await hashPassword('correct horse');
  const verifying = (text: string) => async () => expect(await verifyPassword(known, text)).toBe(false);
  // Combining marks, in an order that normalizing has to change: minutes for this many.
  const hostile = '\u0315\u0300'.repeat(500_000);
  expect(await costRatio(verifying(hostile), verifying('wrong horse'), 10)).toBeLessThan(10);
});

import { expect, test } from 'vitest';
import { NonceGrant } from '../threads/nonce-grant.ts';
import { BUCKET_SECONDS, SharedNonces } from '../threads/shared-nonces.ts';
import { nonceDigest } from './nonce-digest.ts';
import { NonceSharing } from './nonce-sharing.ts';
import { UsedNonces } from './used-nonces.ts';

const NOW = 1_700_000_000;
const MINUTE_MS = 60_000;

test('a bucket that was closed takes nothing for a while, and is forgotten after that', () => {
  let elapsed_ms = 0;
  const nonces = SharedNonces.create(1, 1);
  const sharing = new NonceSharing({ nonces, grant: new NonceGrant() }, new UsedNonces(1), () => elapsed_ms);
  const claim = (timestamp: number) =>
    sharing.claim(timestamp, nonceDigest({ consumerKey: 'ck', token: undefined }, timestamp, 'n'));
  // So many that each has the place of others, as in a day of minutes.
  for (let minute = 0; minute < 1_440; minute++) {
    expect(claim(NOW + minute * BUCKET_SECONDS)).toBe(true);
    expect(sharing.closed).toBeLessThanOrEqual(1);
    elapsed_ms += MINUTE_MS;
  }
  const first = NOW + 1_440 * BUCKET_SECONDS;
  const second = first + 16 * BUCKET_SECONDS;
  expect([claim(first), claim(second), claim(first)]).toEqual([true, true, false]);
  elapsed_ms += MINUTE_MS;
  expect(claim(first + 1)).toBe(true);
});

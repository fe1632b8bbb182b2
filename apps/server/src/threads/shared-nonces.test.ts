import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { BUCKET_SECONDS, type Claim, SharedNonces } from './shared-nonces.ts';
import { Race } from './testing/race.ts';

const digest = (text: string) => hash('sha256', text, 'base64url').slice(0, 22);
const NOW = 1_700_000_000;
const bucketOf = (timestamp: number) => Math.floor(timestamp / BUCKET_SECONDS);

test('of four threads that use the same thousands of nonces at once, exactly one uses up each', async () => {
  await using race = new Race(4);
  race.nonces.open(bucketOf(NOW));
  let races = 0;
  let used = 0;
  // On a machine with fewer cores than threads one can be through with a round before another begins; not with rounds that grow.
  for (let round = 0; round < 20 || (races === 0 && used < 400_000); round++) {
    const digests = Array.from({ length: 500 * 2 ** Math.max(0, round - 19) }, (_, i) => digest(`nonce ${round} ${i}`));
    used += digests.length;
    const claims = await race.run<Claim[]>(() => ({ kind: 'claim', timestamp: NOW, digests }));
    const winners = digests.map((_, i) => claims.filter((of) => of[i] === 'claimed').length);
    expect(winners.every((count) => count === 1)).toBe(true);
    expect(new Set(claims.flat())).toEqual(new Set(['claimed', 'used']));
    if (claims.filter((of) => of.includes('claimed')).length > 1) races++;
    expect(digests.every((one) => race.nonces.claim(NOW, one) === 'used')).toBe(true);
  }
  expect(race.nonces.size).toBe(used);
  // They did race: no thread came first in all of a round.
  expect(races).toBeGreaterThan(0);
});

test('the same holds where tables overflow, and a full bucket says so to everybody', async () => {
  await using race = new Race(4, { levels: 2 });
  race.nonces.open(bucketOf(NOW));
  const digests = Array.from({ length: 30_000 }, (_, i) => digest(`nonce ${i}`));
  const claims = await race.run<Claim[]>(() => ({ kind: 'claim', timestamp: NOW, digests }));
  const outcomes = digests.map((_, i) =>
    claims
      .map((of) => of[i])
      .sort()
      .join(' '),
  );
  const once = outcomes.filter((text) => text === 'claimed used used used').length;
  const full = outcomes.filter((text) => text === 'full full full full').length;
  // A nonce that found a last place in one thread can have been tried by another before only if that place was taken.
  expect(once + full).toBe(digests.length);
  expect(once).toBeGreaterThan(15_000);
  expect(full).toBeGreaterThan(0);
});

test('nonces are used up in open buckets only, and a bucket is empty when it is opened again', () => {
  const nonces = SharedNonces.create(1, 2);
  expect(nonces.claim(NOW, digest('a'))).toBe('closed');
  expect(nonces.open(bucketOf(NOW))).toBeUndefined();
  for (let i = 0; i < 12_000; i++) nonces.claim(NOW, digest(`${i}`));
  expect(nonces.claim(NOW, digest('1'))).toBe('used');
  // 16 buckets later the same memory is used.
  const later = NOW + 16 * BUCKET_SECONDS;
  expect(nonces.open(bucketOf(later))).toBe(bucketOf(NOW));
  expect(nonces.claim(NOW, digest('1'))).toBe('closed');
  expect(nonces.size).toBe(0);
  expect(nonces.claim(later, digest('1'))).toBe('claimed');
  expect(nonces.open(bucketOf(later) + 16)).toBe(bucketOf(later));
  expect(nonces.claim(later, digest('2'))).toBe('closed');
});

test('nonces that have their places together are told apart, whatever halves they share', () => {
  const nonces = SharedNonces.create(1, 2);
  nonces.open(bucketOf(NOW));
  // The last ten characters decide on the places, the first six and the next six are the halves of what a place has.
  const parts = ['AAAAAA', 'AAAAAB', 'AAAAAC', '______', 'zzzzzz'];
  const digests = parts.flatMap((high) => parts.map((low) => `${high}${low}0123456789`));
  // 25 in two tables of 16 places; two of them are taken for one, as a place that is free has zeros, and one that was given back has 1.
  const claims = digests.map((one) => nonces.claim(NOW, one));
  expect(claims.filter((claim) => claim === 'claimed')).toHaveLength(digests.length - 2);
  expect(digests.map((one) => nonces.claim(NOW, one))).toEqual(digests.map(() => 'used'));
  expect(nonces.size).toBe(digests.length - 2);
});

test('a bucket that filled several tables is empty when it is opened again, also where it was opened with what was used', () => {
  const nonces = SharedNonces.create(1, 3);
  const digests = Array.from({ length: 30_000 }, (_, i) => digest(`${i}`));
  for (let round = 0; round < 3; round++) {
    const time = NOW + round * 16 * BUCKET_SECONDS;
    nonces.open(bucketOf(time), round === 1 ? digests : []);
    expect(nonces.size).toBe(round === 1 ? digests.length : 0);
    const expected = round === 1 ? 'used' : 'claimed';
    expect(digests.filter((one) => nonces.claim(time, one) !== expected)).toEqual([]);
  }
});

test('a nonce that was given back can be used again, by one', () => {
  const nonces = SharedNonces.create(1);
  nonces.open(bucketOf(NOW));
  expect(nonces.claim(NOW, digest('a'))).toBe('claimed');
  nonces.giveBack(NOW, digest('a'));
  nonces.giveBack(NOW, digest('never used'));
  expect(nonces.size).toBe(0);
  expect(nonces.claim(NOW, digest('a'))).toBe('claimed');
  expect(nonces.claim(NOW, digest('a'))).toBe('used');
});

test('threads that use nonces while their bucket is closed and opened again never both use one', async () => {
  await using race = new Race(3);
  const bucket = bucketOf(NOW);
  for (let round = 0; round < 30; round++) {
    race.nonces.open(bucket);
    const digests = Array.from({ length: 3000 }, (_, i) => digest(`nonce ${round} ${i}`));
    const racing = race.run<Claim[]>(() => ({ kind: 'claim', timestamp: NOW, digests }));
    await new Promise((resolve) => setTimeout(resolve, Math.random()));
    // The bucket is gone, and its memory serves another one.
    race.nonces.open(bucket + 16);
    const claims = await racing;
    for (const i of digests.keys()) {
      expect(claims.filter((of) => of[i] === 'claimed').length).toBeLessThanOrEqual(1);
    }
  }
});

import { describe, expect, test } from 'vitest';
import { ManualClock } from '../world/clock.ts';
import {
  ACCOUNT_FAILURES,
  ADDRESS_FAILURES,
  PAIR_FAILURES,
  SignInThrottle,
  THROTTLE_WINDOW_MS,
} from './sign-in-throttle.ts';

const HOME = '192.0.2.1';

function start() {
  const clock = new ManualClock(1_800_000_000_000);
  return { clock, throttle: new SignInThrottle(clock) };
}

/** Counts the attempts, out of `attempts`, that are allowed. */
function allowed(
  throttle: SignInThrottle,
  attempts: number,
  name: (i: number) => string,
  address: (i: number) => string,
) {
  return Array.from({ length: attempts }, (_, i) => throttle.begin(name(i), address(i))).filter(
    (wait) => wait === undefined,
  ).length;
}

describe('SignInThrottle', () => {
  test('the limits are those of the documentation', () => {
    expect([PAIR_FAILURES, ADDRESS_FAILURES, ACCOUNT_FAILURES, THROTTLE_WINDOW_MS]).toEqual([10, 50, 100, 900_000]);
  });

  test('one account allows 10 failures from one address, and 100 from all', () => {
    const { throttle } = start();
    const anna = () => 'anna';
    expect(allowed(throttle, 50, anna, () => HOME)).toBe(10);
    expect(allowed(throttle, 200, anna, (i) => `192.0.2.${i + 2}`)).toBe(90);
  });

  test('an account at which strangers guess stays open to its owner', () => {
    const { throttle } = start();
    const owner = '198.51.100.7';
    allowed(
      throttle,
      20,
      () => 'anna',
      () => HOME,
    );
    // From an address that has not been seen before, while few strangers guess.
    expect(throttle.begin('anna', owner)).toBeUndefined();
    throttle.succeeded('anna', owner);
    // And from that address also while strangers guess from everywhere.
    expect(
      allowed(
        throttle,
        1000,
        () => 'anna',
        (i) => `10.0.${i >> 8}.${i & 255}`,
      ),
    ).toBe(90);
    for (let i = 0; i < 50; i++) {
      expect(throttle.begin('Anna', owner)).toBeUndefined();
      throttle.succeeded('Anna', owner);
    }
    // That somebody signs in there opens nothing to strangers, nor to the address itself for other accounts.
    expect(throttle.begin('anna', '203.0.113.1')).toBeTypeOf('number');
    expect(
      allowed(
        throttle,
        20,
        () => 'anna',
        () => owner,
      ),
    ).toBe(10);
  });

  test('screen names are case-insensitive', () => {
    const { throttle } = start();
    expect(
      allowed(
        throttle,
        40,
        (i) => (i % 2 ? 'ANNA' : 'anna'),
        () => HOME,
      ),
    ).toBe(10);
  });

  test('one address allows 50 failures, under any names', () => {
    const { throttle } = start();
    expect(
      allowed(
        throttle,
        200,
        (i) => `name${i}`,
        () => HOME,
      ),
    ).toBe(50);
  });

  test('another account and another address are not affected', () => {
    const { throttle } = start();
    allowed(
      throttle,
      20,
      () => 'anna',
      () => HOME,
    );
    expect(throttle.begin('anna', HOME)).toBeTypeOf('number');
    expect(throttle.begin('anna', '192.0.2.2')).toBeUndefined();
    expect(throttle.begin('bert', HOME)).toBeUndefined();
    allowed(
      throttle,
      100,
      (i) => `name${i}`,
      () => HOME,
    );
    expect(throttle.begin('carl', HOME)).toBeTypeOf('number');
    expect(throttle.begin('carl', '192.0.2.2')).toBeUndefined();
  });

  test('a rejected attempt is not counted: waiting is enough, however often one retries', () => {
    const { clock, throttle } = start();
    allowed(
      throttle,
      500,
      () => 'anna',
      () => HOME,
    );
    clock.advance(THROTTLE_WINDOW_MS);
    expect(throttle.begin('anna', HOME)).toBeUndefined();
  });

  test('the window begins with the first failure and ends exactly, to the millisecond', () => {
    const { clock, throttle } = start();
    throttle.begin('anna', HOME);
    clock.advance(60_000);
    allowed(
      throttle,
      9,
      () => 'anna',
      () => HOME,
    );
    expect(throttle.begin('anna', HOME)).toBe(14 * 60);
    clock.advance(THROTTLE_WINDOW_MS - 60_000 - 1);
    expect(throttle.begin('anna', HOME)).toBe(1);
    clock.advance(1);
    expect(throttle.begin('anna', HOME)).toBeUndefined();
  });

  test('success clears the account, and only its own attempt from the address', () => {
    const { throttle } = start();
    allowed(
      throttle,
      9,
      () => 'anna',
      () => HOME,
    );
    throttle.begin('anna', HOME);
    throttle.succeeded('anna', HOME);
    expect(
      allowed(
        throttle,
        20,
        () => 'anna',
        () => HOME,
      ),
    ).toBe(10);
    // The address has nineteen failures.
    expect(
      allowed(
        throttle,
        200,
        (i) => `name${i}`,
        () => HOME,
      ),
    ).toBe(31);
  });

  test('an attacker with an account of their own does not get more guesses by signing in between', () => {
    const { throttle } = start();
    let guesses = 0;
    for (let i = 0; i < 200; i++) {
      if (throttle.begin(`victim${i}`, HOME) === undefined) guesses += 1;
      if (throttle.begin('mallory', HOME) === undefined) throttle.succeeded('mallory', HOME);
    }
    expect(guesses).toBeLessThanOrEqual(ADDRESS_FAILURES);
  });

  test('the addresses of an IPv6 /64 count as one address, in any notation', () => {
    for (const address of [
      (i: number) => `2001:db8:1:2::${(i + 1).toString(16)}`,
      (i: number) => `2001:db8:1:2:${i.toString(16)}:0:0:1`,
      (i: number) => (i % 2 ? '2001:db8::1' : '2001:db8:0:0:1::1'),
      (i: number) => (i % 2 ? '::1' : '0:0:0:0:0:0:0:1'),
    ]) {
      expect(allowed(start().throttle, 200, (i) => `name${i}`, address)).toBe(50);
    }
  });

  test('different /64s are different addresses, and so are IPv4-mapped IPv6 addresses', () => {
    const { throttle } = start();
    for (const address of [
      '2001:db8:1:2::1',
      '2001:db8:1:3::1',
      '2001:db8::1',
      '::ffff:192.0.2.1',
      '::ffff:192.0.2.2',
    ]) {
      expect(
        allowed(
          throttle,
          60,
          (i) => `${address} ${i}`,
          () => address,
        ),
      ).toBe(50);
    }
  });

  test('an IPv4 address and its IPv4-mapped form are the same', () => {
    const { throttle } = start();
    expect(
      allowed(
        throttle,
        200,
        (i) => `name${i}`,
        (i) => (i % 2 ? HOME : `::ffff:${HOME}`),
      ),
    ).toBe(50);
  });

  test('an address at its limit cannot evict the failures of an account', () => {
    const { throttle } = start();
    allowed(
      throttle,
      10,
      () => 'anna',
      () => '192.0.2.99',
    );
    allowed(
      throttle,
      150_000,
      (i) => `name${i}`,
      () => '198.51.100.1',
    );
    expect(throttle.begin('anna', '192.0.2.99')).toBeTypeOf('number');
    expect(throttle.begin('bert', '198.51.100.1')).toBeTypeOf('number');
  });
});

test('the wait is as long as before when the clock is set back', () => {
  const { clock, throttle } = start();
  for (let i = 0; i < ACCOUNT_FAILURES; i++) throttle.begin('owner', '192.0.2.1');
  clock.step(-7_200_000);
  expect(throttle.begin('owner', '192.0.2.1')).toBe(THROTTLE_WINDOW_MS / 1000);
  clock.advance(THROTTLE_WINDOW_MS);
  expect(throttle.begin('owner', '192.0.2.1')).toBeUndefined();
});

import { expect, test } from 'vitest';
import { formatMoney } from './money.ts';

test.each([
  [55_000_000n, 'USD', '55.00 USD'],
  [5_500_000n, 'USD', '5.50 USD'],
  [1n, 'USD', '0.000001 USD'],
  [0n, 'USD', '0.00 USD'],
  [-1_250_000n, 'USD', '-1.25 USD'],
  [1_000_000n, 'JPY', '1 JPY'],
  [1_500_000n, 'JPY', '1.5 JPY'],
  [1_000_000n, 'KWD', '1.000 KWD'],
  [9_223_372_036_854_775_807n, 'USD', '9223372036854.775807 USD'],
  [1_000_000n, 'XXX', '1.00 XXX'],
  [1_000_000n, undefined, '1.00'],
])('%d micros in %s are %s', (micros, currency, text) => {
  expect(formatMoney(micros, currency)).toBe(text);
});

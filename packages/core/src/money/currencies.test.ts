import { expect, it } from 'vitest';
import { biddingRule, fundedCurrencies, isFundedCurrency, minimumDenomination } from './currencies.ts';

it('an account can be funded in 35 currencies and in no others', () => {
  expect(fundedCurrencies).toHaveLength(35);
  expect(fundedCurrencies.every(isFundedCurrency)).toBe(true);
  expect(['XAU', 'usd', '', 'toString', '__proto__'].filter(isFundedCurrency)).toEqual([]);
});

it.each([
  ['USD', 10_000n],
  ['EUR', 10_000n],
  ['JPY', 1_000_000n],
  ['VND', 1_000_000n],
  ['KWD', 1_000n],
] as const)('the smallest unit of %s is %s micros', (currency, micros) => {
  expect(minimumDenomination(currency)).toBe(micros);
});

it('a bid ranges from one smallest unit to 1000 units', () => {
  expect(biddingRule('USD')).toEqual({
    currency: 'USD',
    minimum_cpe_bid_local_micro: 10_000n,
    maximum_cpe_bid_local_micro: 1_000_000_000n,
    minimum_denomination: 10_000n,
  });
});

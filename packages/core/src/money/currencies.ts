/** The currencies that accounts can be funded in, and the resulting rules for amounts of money in micros. */

const decimalsOf = {
  AED: 2,
  ARS: 2,
  AUD: 2,
  BHD: 3,
  BRL: 2,
  CAD: 2,
  CLP: 0,
  COP: 2,
  DZD: 2,
  EGP: 2,
  EUR: 2,
  GBP: 2,
  HKD: 2,
  IDR: 2,
  INR: 2,
  IQD: 3,
  JPY: 0,
  KRW: 0,
  KWD: 3,
  LBP: 2,
  MAD: 2,
  MXN: 2,
  MYR: 2,
  NZD: 2,
  PHP: 2,
  PKR: 2,
  QAR: 2,
  SAR: 2,
  SGD: 2,
  THB: 2,
  TND: 3,
  TRY: 2,
  USD: 2,
  VEF: 2,
  VND: 0,
} as const;

/** A currency that an account can be funded in. */
export type FundedCurrency = keyof typeof decimalsOf;

/** Returns whether an account can be funded in the currency with this ISO 4217 code. */
export function isFundedCurrency(code: string): code is FundedCurrency {
  return Object.hasOwn(decimalsOf, code);
}

/** The currencies in which an account can be funded (reference, conventions section 3), by code. */
export const fundedCurrencies: readonly FundedCurrency[] = Object.keys(decimalsOf).filter(isFundedCurrency);

/** Returns the smallest amount for which the currency has a coin, in micros: 10000 for USD, 1000000 for JPY. */
export function minimumDenomination(currency: FundedCurrency): bigint {
  return 10n ** BigInt(6 - decimalsOf[currency]);
}

/** Limits of a bid in a currency (specification C, bidding rule). Amounts are in micros. */
export interface BiddingRule {
  readonly currency: FundedCurrency;
  readonly minimum_cpe_bid_local_micro: bigint;
  readonly maximum_cpe_bid_local_micro: bigint;
  readonly minimum_denomination: bigint;
}

const MAXIMUM_BID_MICRO = 1_000_000_000n;

/**
 * Returns the bidding rule of a currency: a bid of one smallest unit up to 1000 units (reference, campaign-management
 * section 17).
 */
export function biddingRule(currency: FundedCurrency): BiddingRule {
  const minimum_denomination = minimumDenomination(currency);
  return {
    currency,
    minimum_cpe_bid_local_micro: minimum_denomination,
    maximum_cpe_bid_local_micro: MAXIMUM_BID_MICRO,
    minimum_denomination,
  };
}

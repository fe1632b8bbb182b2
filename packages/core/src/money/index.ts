/** The currencies that accounts can be funded in, and amounts in micros. */
export {
  type BiddingRule,
  biddingRule,
  type FundedCurrency,
  fundedCurrencies,
  isFundedCurrency,
  minimumDenomination,
} from './currencies.ts';

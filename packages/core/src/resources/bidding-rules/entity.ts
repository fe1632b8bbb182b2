import { object } from '../../wire/object.ts';
import { currency, micro } from '../../wire/types.ts';

/** Limits on bids in one currency (specification C, bidding rule). */
export const BiddingRule = object(() => ({
  currency: currency().describe('ISO 4217 code.'),
  minimum_cpe_bid_local_micro: micro().describe('The least bid, in micros.'),
  maximum_cpe_bid_local_micro: micro().describe('The highest bid, in micros.'),
  minimum_denomination: micro().describe('The unit, in micros, of which a bid is a multiple.'),
}));

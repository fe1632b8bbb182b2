import { defineLookup } from '../../operation/define.ts';
import { object } from '../../wire/object.ts';
import { currency } from '../../wire/types.ts';
import { BiddingRule } from './entity.ts';

export const operations = {
  list: defineLookup('bidding_rules.list', '/12/bidding_rules', {
    summary: 'List what bids must keep to, by currency',
    description: 'Holds every currency that an account can be funded in. The rules change rarely: ask once a month.',
    envelope: 'values',
    beside: { data_type: 'bidding_rule', total_count: true },
    // Our choice (reference, campaign-management section 17): a currency that has no rule gives an empty list.
    params: object(() => ({
      currency: currency()
        .optional()
        .describe('Only the rule of this currency, an ISO 4217 code; none if it has none.'),
    })),
    data: BiddingRule,
    example: {
      params: { currency: 'USD' },
      data: {
        currency: 'USD',
        minimum_cpe_bid_local_micro: 10_000,
        maximum_cpe_bid_local_micro: 1_000_000_000,
        minimum_denomination: 10_000,
      },
    },
  }),
};

export const position = 210;

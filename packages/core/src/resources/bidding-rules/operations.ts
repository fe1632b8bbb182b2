import * as z from 'zod';
import { defineOperation } from '../../operation/define.ts';
import { currency } from '../../wire/types.ts';
import { BiddingRule } from './entity.ts';

const list = defineOperation({
  id: 'bidding_rules.list',
  summary: 'List what bids must keep to, by currency',
  description: 'Holds every currency that an account can be funded in. The rules change rarely: ask once a month.',
  http: { method: 'GET', path: '/12/bidding_rules' },
  access: { auth: 'user' },
  rateLimit: 'ads.lookup',
  envelope: 'values',
  beside: { data_type: 'bidding_rule', total_count: true },
  // Our choice (reference, campaign-management section 17): a currency that has no rule gives an empty list.
  params: z.object({
    currency: currency().optional().describe('Only the rule of this currency, an ISO 4217 code; none if it has none.'),
  }),
  data: BiddingRule,
  errors: [],
  example: {
    params: { currency: 'USD' },
    data: {
      currency: 'USD',
      minimum_cpe_bid_local_micro: 10_000,
      maximum_cpe_bid_local_micro: 1_000_000_000,
      minimum_denomination: 10_000,
    },
  },
});

export const operations = { list };

export const position = 210;

import type { Contract } from '@broadside/core';
import { biddingRule, fundedCurrencies } from '@broadside/core/money';
import type { HandlersOf } from '../../pipeline/context.ts';

export const handlers: HandlersOf<Contract['bidding_rules']> = {
  list(_context, { currency }) {
    return fundedCurrencies.filter((code) => currency === undefined || code === currency).map(biddingRule);
  },
};

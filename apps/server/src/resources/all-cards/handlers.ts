import type { Contract } from '@broadside/core';
import { chain } from '../../awaitable.ts';
import type { HandlersOf } from '../../pipeline/context.ts';
import { showCardById, showCardsByUris } from './find.ts';

export const handlers: HandlersOf<Contract['all_cards']> = {
  list: (context, query) => showCardsByUris(context.account, query, context),

  get: (context, query) =>
    chain(showCardById(context.account, query, context), (found) => {
      if (found) return found;
      throw context.reject.error({ error: 'CARD_NOT_FOUND', parameter: 'card_id', value: query.card_id });
    }),
};

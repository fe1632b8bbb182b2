import { collatedName } from '@broadside/core/text';
import { defineEntity, type RowOf } from '../../db/entity.ts';
import { beginsWith, isOneOf } from '../../db/filters.ts';
import { foldName } from '../../db/fold-name.ts';
import { pollCards } from './table.ts';

export const pollCard = defineEntity({
  name: 'POLL_CARD',
  table: pollCards,
  quota: 'poll_cards',
  missing: { error: 'CARD_NOT_FOUND', parameter: 'card_id' },
  filters: {
    card_ids: isOneOf(pollCards.id),
    card_uris: isOneOf(pollCards.card_uri),
    q: beginsWith(pollCards.name_folded),
  },
  computed: { name_folded: ({ name }) => foldName(name), name_collated: ({ name }) => collatedName(name) },
  key: ['card_uri'],
});

export type PollCardRow = RowOf<typeof pollCard>;

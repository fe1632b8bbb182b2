import { numberOfCardUri } from '@broadside/core/resources/cards';
import { collatedName } from '@broadside/core/text';
import { defineEntity, type RowOf } from '../../db/entity.ts';
import { beginsWith, type Filter, isOneOf } from '../../db/filters.ts';
import { foldName } from '../../db/fold-name.ts';
import { cards } from './table.ts';

/** Rows whose id is in one of the URIs. */
const hasUri: Filter<readonly string[]> = (name) => {
  const { bind, ...condition } = isOneOf(cards.id)(name);
  const values = (uris: readonly string[]) => uris.flatMap((uri) => numberOfCardUri(uri) ?? []);
  return { ...condition, bind: (uris) => bind(values(uris)), values };
};

export const card = defineEntity({
  name: 'CARD',
  table: cards,
  quota: 'cards',
  missing: { error: 'CARD_NOT_FOUND', parameter: 'card_id' },
  filters: {
    card_types: isOneOf(cards.card_type),
    card_id: isOneOf(cards.id),
    card_uris: hasUri,
    q: beginsWith(cards.name_folded),
  },
  computed: { name_folded: ({ name }) => foldName(name), name_collated: ({ name }) => collatedName(name) },
});

export type CardRow = RowOf<typeof card>;

import { type Contract, changesAnything, type Reject } from '@broadside/core';
import {
  type CardContent,
  type CardMediaError,
  checkMediaOfCard,
  givenContent,
  mediaOf,
  missingContent,
  storedContent,
} from '@broadside/core/resources/cards';
import { beginsAs } from '../../pipeline/ahead.ts';
import type { HandlersOf } from '../../pipeline/context.ts';
import { readHandlers } from '../../pipeline/read-handlers.ts';
import type { AccountWriter } from '../../world/account-store.ts';
import type { World } from '../../world/world.ts';
import { findLibraryMedia } from '../media-library/find.ts';
import { card } from './entity.ts';
import { showCard, showCards } from './shown.ts';

/** Returns what is stored of the content of a card, once its media have been checked. */
async function acceptContent(
  reject: Reject<CardMediaError | 'MEDIA_NOT_FOUND'>,
  account: AccountWriter,
  world: World,
  content: CardContent,
) {
  const keys = new Set(mediaOf(content).map(({ media_key }) => media_key));
  const found = await findLibraryMedia(account, world, [...keys]);
  reject.check(checkMediaOfCard(content, found));
  return storedContent(content, found);
}

type ListCards = Parameters<HandlersOf<Contract['cards']>['list']>[1];

const reads = readHandlers(card, 'card_id', showCards);

/** There are no legacy cards, so asking for them changes nothing. */
function ofCards({ include_legacy_cards: _, ...params }: ListCards) {
  return { ...params, with_total_count: false };
}

export const handlers: HandlersOf<Contract['cards']> = {
  ...reads,

  list: (context, params) => reads.list(context, ofCards(params)),

  async create(context, { name, components, slides }) {
    const { account, actor, reject, world } = context;
    const content = givenContent({ components, slides });
    if (!content) throw reject.error(missingContent());
    const row = await account.write(actor, async (writer) => {
      const fields = { name, ...(await acceptContent(reject, writer, world, content)) };
      return writer.of(card).insert(fields, world.snowflakes.next());
    });
    return showCard(context, row);
  },

  async update(context, { card_id, name, components, slides }) {
    const { account, actor, reject, world } = context;
    const content = givenContent({ components, slides });
    const row = await account.write(actor, async (writer) => {
      const before = await writer.of(card).find(reject, card_id);
      const isNew = content !== undefined && changesAnything(before, content);
      const changes = {
        ...(name === undefined ? {} : { name }),
        ...(isNew ? await acceptContent(reject, writer, world, content) : {}),
      };
      return writer.of(card).update(before, changes);
    });
    return showCard(context, row);
  },

  async delete(context, { card_id }) {
    const { account, actor, reject } = context;
    return showCard(context, await account.write(actor, (writer) => writer.of(card).remove(reject, card_id)));
  },
};

beginsAs(handlers.list, reads.list, ofCards);

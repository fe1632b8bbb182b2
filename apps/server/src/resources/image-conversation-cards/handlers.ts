import { type Contract, changesOf } from '@broadside/core';
import { cardMediaSpecs, cardUri } from '@broadside/core/resources/cards';
import { checkConversation } from '@broadside/core/resources/conversation-cards';
import { changeImageConversation, resolveImageConversation } from '@broadside/core/resources/image-conversation-cards';
import type { HandlersOf } from '../../pipeline/context.ts';
import { readHandlers } from '../../pipeline/read-handlers.ts';
import type { AccountReader } from '../../world/account-store.ts';
import type { World } from '../../world/world.ts';
import { checkGivenMedia } from '../card-media/find.ts';
import { imageConversationCard } from './entity.ts';
import { showImageConversation, showImageConversations } from './shown.ts';

interface Surroundings {
  readonly account: AccountReader;
  readonly world: World;
}

/** The issues of media that are given for a card. */
function mediaIssues(
  { account, world }: Surroundings,
  given: { readonly media_key?: string | undefined; readonly unlocked_image_media_key?: string | null | undefined },
) {
  const { media_key, unlocked_image_media_key: unlocked } = given;
  return checkGivenMedia(account, world, [
    { parameter: 'media_key', media_key, spec: cardMediaSpecs.imageConversation },
    { parameter: 'unlocked_image_media_key', media_key: unlocked, spec: cardMediaSpecs.unlockedImage },
  ]);
}

export const handlers: HandlersOf<Contract['image_conversation_cards']> = {
  ...readHandlers(imageConversationCard, 'card_id', showImageConversations),

  async create(context, params) {
    const { account, actor, reject, world } = context;
    const content = resolveImageConversation(params);
    reject.check([...checkConversation(content), ...(await mediaIssues(context, params))]);
    const card_uri = cardUri(world.snowflakes.next());
    const row = await account.write(actor, (writer) =>
      writer.of(imageConversationCard).insert({ ...content, card_uri }),
    );
    return showImageConversation(context, row);
  },

  async update(context, { card_id, ...changes }) {
    const { account, actor, reject } = context;
    // Facts of media come from another store, so they are read before the transaction; media never change.
    const found = await account.of(imageConversationCard).find(reject, card_id);
    const issues = await mediaIssues(context, changesOf(found, changes));
    const row = await account.write(actor, async (writer) => {
      const before = await writer.of(imageConversationCard).find(reject, card_id);
      const content = changeImageConversation(before, changes);
      reject.check([...checkConversation(content), ...issues]);
      return writer.of(imageConversationCard).update(before, content);
    });
    return showImageConversation(context, row);
  },

  delete: ({ account, actor, reject }, { card_id }) =>
    account.write(actor, async (writer) => {
      const row = await writer.of(imageConversationCard).find(reject, card_id);
      return { ...(await writer.of(imageConversationCard).purge(row)), card_type: 'IMAGE_CONVERSATION' };
    }),
};

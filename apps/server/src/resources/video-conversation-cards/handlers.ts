import { type Contract, changesOf } from '@broadside/core';
import { cardMediaSpecs, cardUri } from '@broadside/core/resources/cards';
import { checkConversation } from '@broadside/core/resources/conversation-cards';
import { changeVideoConversation, resolveVideoConversation } from '@broadside/core/resources/video-conversation-cards';
import type { HandlersOf } from '../../pipeline/context.ts';
import { readHandlers } from '../../pipeline/read-handlers.ts';
import type { AccountReader } from '../../world/account-store.ts';
import type { World } from '../../world/world.ts';
import { checkGivenMedia } from '../card-media/find.ts';
import { videoConversationCard } from './entity.ts';
import { showVideoConversation, showVideoConversations } from './shown.ts';

interface Surroundings {
  readonly account: AccountReader;
  readonly world: World;
}

interface GivenMedia {
  readonly media_key?: string | undefined;
  readonly poster_media_key?: string | null | undefined;
  readonly unlocked_image_media_key?: string | null | undefined;
  readonly unlocked_video_media_key?: string | null | undefined;
}

/** The issues of media that are given for a card. */
function mediaIssues({ account, world }: Surroundings, given: GivenMedia) {
  const { media_key, poster_media_key: poster, unlocked_image_media_key, unlocked_video_media_key } = given;
  return checkGivenMedia(account, world, [
    { parameter: 'media_key', media_key, spec: cardMediaSpecs.videoConversation },
    { parameter: 'poster_media_key', media_key: poster, spec: cardMediaSpecs.poster },
    {
      parameter: 'unlocked_image_media_key',
      media_key: unlocked_image_media_key,
      spec: cardMediaSpecs.unlockedImageOfVideo,
    },
    { parameter: 'unlocked_video_media_key', media_key: unlocked_video_media_key, spec: cardMediaSpecs.unlockedVideo },
  ]);
}

export const handlers: HandlersOf<Contract['video_conversation_cards']> = {
  ...readHandlers(videoConversationCard, 'card_id', showVideoConversations),

  async create(context, params) {
    const { account, actor, reject, world } = context;
    const content = resolveVideoConversation(params);
    reject.check([...checkConversation(content), ...(await mediaIssues(context, params))]);
    const card_uri = cardUri(world.snowflakes.next());
    const row = await account.write(actor, (writer) =>
      writer.of(videoConversationCard).insert({ ...content, card_uri }),
    );
    return showVideoConversation(context, row);
  },

  async update(context, { card_id, ...changes }) {
    const { account, actor, reject } = context;
    // Facts of media come from another store, so they are read before the transaction; media never change.
    const found = await account.of(videoConversationCard).find(reject, card_id);
    const issues = await mediaIssues(context, changesOf(found, changes));
    const row = await account.write(actor, async (writer) => {
      const before = await writer.of(videoConversationCard).find(reject, card_id);
      const content = changeVideoConversation(before, changes);
      reject.check([...checkConversation(content), ...issues]);
      return writer.of(videoConversationCard).update(before, content);
    });
    return showVideoConversation(context, row);
  },

  delete: ({ account, actor, reject }, { card_id }) =>
    account.write(actor, async (writer) => {
      const row = await writer.of(videoConversationCard).find(reject, card_id);
      return { ...(await writer.of(videoConversationCard).purge(row)), card_type: 'VIDEO_CONVERSATION' };
    }),
};

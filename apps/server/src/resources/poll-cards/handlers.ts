import type { Contract } from '@broadside/core';
import { cardMediaSpecs, cardUri } from '@broadside/core/resources/cards';
import { checkPoll, resolvePoll } from '@broadside/core/resources/poll-cards';
import type { HandlersOf } from '../../pipeline/context.ts';
import { readHandlers } from '../../pipeline/read-handlers.ts';
import { checkGivenMedia } from '../card-media/find.ts';
import { featuresOf } from '../features/find.ts';
import { libraryFacts } from '../media-library/find.ts';
import { pollCard } from './entity.ts';
import { showPoll, showPolls } from './shown.ts';

export const handlers: HandlersOf<Contract['poll_cards']> = {
  ...readHandlers(pollCard, 'card_id', showPolls),

  async create(context, params) {
    const { account, actor, reject, world } = context;
    const { media_key } = params;
    const issues = checkPoll(params, media_key === undefined ? [] : await featuresOf(account));
    const media = [{ parameter: 'media_key', media_key, spec: cardMediaSpecs.poll }];
    reject.check([...issues, ...(await checkGivenMedia(account, world, media))]);
    const facts = media_key === undefined ? undefined : (await libraryFacts(world, [media_key])).get(media_key);
    const content = resolvePoll(params, facts?.kind);
    const card_uri = cardUri(world.snowflakes.next());
    const row = await account.write(actor, (writer) => writer.of(pollCard).insert({ ...content, card_uri }));
    return showPoll(context, row);
  },

  delete: ({ account, actor, reject }, { card_id }) =>
    account.write(actor, async (writer) => {
      const row = await writer.of(pollCard).purge(await writer.of(pollCard).find(reject, card_id));
      return { ...row, start_time: row.created_at };
    }),
};

import type * as z from 'zod';
import { account_id, MAX_IDS, with_deleted } from '../../operation/list.ts';
import { defineAccountRead } from '../../operation/on-account.ts';
import { object } from '../../wire/object.ts';
import { id, list, text } from '../../wire/types.ts';
import { AnyCard } from './entity.ts';

const poll: z.input<typeof AnyCard> = {
  id: '57i77',
  name: 'Paper or screen',
  card_uri: 'card://1503831318555086853',
  card_type: 'TEXT_POLLS',
  first_choice: 'Paper',
  second_choice: 'Screen',
  start_time: '2026-01-15T08:00:00Z',
  end_time: '2026-01-16T08:00:00Z',
  duration_in_minutes: '1440',
  created_at: '2026-01-15T08:00:00Z',
  updated_at: '2026-01-15T08:00:00Z',
  deleted: false,
};

export const operations = {
  list: defineAccountRead('all_cards.list', '/12/accounts/:account_id/cards/all', {
    summary: 'Read cards of any kind by their URIs',
    description:
      'Answers with the cards that exist, in the order of the URIs: cards of components or slides, image and video conversation cards and polls, each in the form of its own kind, which `card_type` tells.',
    capability: 'creatives.read',
    rateLimit: 'ads.core_read',
    envelope: 'values',
    params: object(() => ({
      account_id,
      card_uris: list(text(), { max: MAX_IDS }).describe(`The cards: up to ${MAX_IDS} URIs.`),
      with_deleted,
    })),
    data: AnyCard,
    example: { params: { card_uris: poll.card_uri }, data: poll },
  }),
  get: defineAccountRead('all_cards.get', '/12/accounts/:account_id/cards/all/:card_id', {
    summary: 'Get one card of any kind',
    description: 'Conversation cards and polls are found by their id and by the number in their URI.',
    capability: 'creatives.read',
    rateLimit: 'ads.core_read',
    envelope: 'entity',
    params: object(() => ({ account_id, card_id: id().describe('The card.'), with_deleted })),
    data: AnyCard,
    errors: ['CARD_NOT_FOUND'],
    example: { params: { card_id: poll.id }, data: poll },
  }),
};

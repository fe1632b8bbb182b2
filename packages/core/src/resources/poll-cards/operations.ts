import { exampleSystemMembers } from '../../operation/entity.ts';
import { createOf, defineFamily, getOf, listOf, purgeOf } from '../../operation/family.ts';
import { account_id } from '../../operation/list.ts';
import type { NamedValues } from '../../operation/operation.ts';
import { object } from '../../wire/object.ts';
import { int, text } from '../../wire/types.ts';
import { cardSortable } from '../conversation-cards/entity.ts';
import { card_id, cardFilters, cardName, libraryKey } from '../conversation-cards/params.ts';
import { echoOf } from '../conversation-cards/request-echo.ts';
import { DeletedPollCard, MAX_CHOICE, maxPollMinutes, minPollMinutes, PollCard, type PollCardType } from './entity.ts';

const poll = defineFamily({
  data: PollCard,
  key: { card_id },
  missing: 'CARD_NOT_FOUND',
  read: 'creatives.read',
  write: 'creatives.write',
  sortable: cardSortable,
  example: {
    id: '57i77',
    name: 'Paper or screen',
    card_uri: 'card://1503831318555086853',
    card_type: 'TEXT_POLLS',
    first_choice: 'Paper',
    second_choice: 'Screen',
    start_time: '2026-01-15T08:00:00Z',
    end_time: '2026-01-16T08:00:00Z',
    duration_in_minutes: '1440',
    ...exampleSystemMembers,
  },
});

const choice = () => text({ max: MAX_CHOICE });
const upTo = `up to ${MAX_CHOICE} characters`;

/** The echo of a creation has the type of the card. The number in front of a media key tells videos from images. */
function echoOfCreation(sent: NamedValues): NamedValues {
  const { media_key } = sent;
  const ofMedia = typeof media_key === 'string' && /^(?:7|13)_/.test(media_key) ? 'VIDEO_POLLS' : 'IMAGE_POLLS';
  const card_type: PollCardType = media_key === undefined ? 'TEXT_POLLS' : ofMedia;
  return { ...sent, card_type };
}

export const operations = {
  list: listOf(poll, 'poll_cards.list', '/12/accounts/:account_id/cards/poll', {
    summary: 'List the polls of an account',
    filters: cardFilters,
    echo: echoOf('poll'),
    example: { q: 'paper' },
  }),
  get: getOf(poll, 'poll_cards.get', '/12/accounts/:account_id/cards/poll/:card_id', {
    summary: 'Get one poll',
    echo: echoOf('poll'),
  }),
  create: createOf(poll, 'poll_cards.create', '/12/accounts/:account_id/cards/poll', {
    summary: 'Create a poll',
    description:
      'A card with two to four choices, open from now on. People vote on posts with the card, once each, until it closes; `GET /2/posts` counts the votes. A poll cannot be changed.',
    params: object(() => ({
      account_id,
      name: cardName(),
      duration_in_minutes: int({ min: minPollMinutes, max: maxPollMinutes }).describe(
        'How long people can vote: 5 minutes to 7 days.',
      ),
      first_choice: choice().describe(`The first choice: ${upTo}.`),
      second_choice: choice().describe(`The second choice: ${upTo}.`),
      third_choice: choice().optional().describe(`The third choice: ${upTo}.`),
      fourth_choice: choice().optional().describe(`The fourth choice: ${upTo}. Only with a third one.`),
      media_key: libraryKey()
        .optional()
        .describe(
          'An image, at least 800 pixels wide with an aspect ratio of 1.91:1, or a video of 16:9, of the media library. Only for accounts with the feature PROMOTED_MEDIA_POLLS. Responses have its address.',
        ),
    })),
    errors: [
      'FEATURE_NOT_AVAILABLE',
      'INCLUSIVE_PARAMETERS',
      'INVALID_IMAGE',
      'INVALID_MEDIA',
      'MEDIA_NOT_FOUND',
      'QUOTA_EXCEEDED',
    ],
    echo: echoOfCreation,
    example: { name: 'Paper or screen', duration_in_minutes: 1440, first_choice: 'Paper', second_choice: 'Screen' },
  }),
  delete: purgeOf(poll, 'poll_cards.delete', '/12/accounts/:account_id/cards/poll/:card_id', {
    summary: 'Delete a poll',
    description:
      'This cannot be undone: no list and no read shows the card any more. Posts that show the poll still show it and its results.',
    data: DeletedPollCard,
    echo: echoOf('poll'),
  }),
};

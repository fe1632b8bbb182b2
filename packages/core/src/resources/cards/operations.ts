import { exampleSystemMembers } from '../../operation/entity.ts';
import { createOf, defineFamily, deleteOf, getOf, updateOf } from '../../operation/family.ts';
import { account_id, cursor, pageSize, sortBy, with_deleted } from '../../operation/list.ts';
import { defineAccountRead } from '../../operation/on-account.ts';
import { extended, object } from '../../wire/object.ts';
import type { CardComponents } from './components.ts';
import { Card, cardSortable } from './entity.ts';
import { CardChanges, CardCreate, card_id, cardFilters } from './params.ts';

const components: CardComponents = [
  { type: 'MEDIA', media_key: '3_1503831318555086849' },
  {
    type: 'DETAILS',
    title: 'Rain barrels in three sizes',
    destination: { type: 'WEBSITE', url: 'https://garden.example.com/barrels' },
  },
];

const card = defineFamily({
  data: Card,
  key: { card_id },
  missing: 'CARD_NOT_FOUND',
  read: 'creatives.read',
  write: 'creatives.write',
  sortable: cardSortable,
  example: {
    name: 'Rain barrels',
    components,
    ...exampleSystemMembers,
    card_uri: 'card://1503831318555086850',
    id: '1503831318555086850',
    card_type: 'IMAGE_WEBSITE',
  },
});

/** The parameters of a request are in a JSON body, so its echo has those of the path only (reference, conventions section 2). */
const echo = ({ account_id, card_id }: Readonly<Record<string, unknown>>) => ({
  account_id,
  ...(card_id === undefined ? {} : { card_id }),
});

const exclusive = [['components', 'slides']] as const;

const mediaErrors = ['INCLUSIVE_PARAMETERS', 'INVALID_IMAGE', 'INVALID_MEDIA', 'MEDIA_NOT_FOUND'] as const;

export const operations = {
  list: defineAccountRead('cards.list', '/12/accounts/:account_id/cards', {
    summary: 'List the cards of an account',
    description:
      'Lists cards that are made of components or slides. Image and video conversation cards and polls have lists of their own.',
    capability: card.read,
    rateLimit: 'ads.core_read',
    envelope: 'list',
    params: object(() => ({
      ...cardFilters(),
      account_id,
      count: pageSize({ initial: 100, max: 200 }),
      cursor,
      sort_by: sortBy(cardSortable),
      with_deleted,
    })),
    data: Card,
    errors: ['UNKNOWN_CARD_TYPE'],
    example: { params: { card_types: 'IMAGE_WEBSITE' }, data: card.example },
  }),
  get: getOf(card, 'cards.get', '/12/accounts/:account_id/cards/:card_id', { summary: 'Get one card' }),
  create: createOf(card, 'cards.create', '/12/accounts/:account_id/cards', {
    summary: 'Create a card',
    description: [
      'A card has exactly one of `components` and `slides`. Components are two: the media, MEDIA with one `media_key` or SWIPEABLE_MEDIA with 2 to 6 `media_keys`, and after them DETAILS with a title and a WEBSITE destination, or a BUTTON with a label and an APP destination. Slides are 2 to 6 pairs of MEDIA and DETAILS. The type of the card follows.',
      "The media are images and videos of the account's media library: images of 1:1 or 1.91:1, at least 800 pixels wide, up to 3 MB, as BMP, JPEG or PNG; videos of 16:9 or 1:1, up to 10 minutes and 500 MB, as MP4 or QuickTime.",
      'A button label is an object with `type` ENUM and a `value`. An APP destination names a country and at least one of `googleplay_app_id` and `ios_app_store_identifier`; a deep link is given only with the id of its store.',
    ].join(' '),
    body: 'json',
    exclusive,
    echo,
    params: extended(CardCreate, () => ({ account_id })),
    errors: ['EXCLUSIVE_PARAMETERS', 'QUOTA_EXCEEDED', ...mediaErrors],
    example: { name: 'Rain barrels', components },
  }),
  update: updateOf(card, 'cards.update', '/12/accounts/:account_id/cards/:card_id', {
    summary: 'Change the name or the content of a card',
    description:
      'Each member given replaces the stored one entirely; components replace slides, and the other way round. Components may be sent as they were returned.',
    body: 'json',
    exclusive,
    echo,
    params: extended(CardChanges, () => ({ account_id, card_id })),
    errors: ['CARD_NOT_FOUND', 'EXCLUSIVE_PARAMETERS', ...mediaErrors],
    example: { name: 'Rain barrels of oak' },
  }),
  delete: deleteOf(card, 'cards.delete', '/12/accounts/:account_id/cards/:card_id', {
    summary: 'Delete a card',
    description: 'It can be attached to nothing any more; `with_deleted` still shows it.',
  }),
};

export { errors } from './errors.ts';

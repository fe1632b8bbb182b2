/** Operator operations on publishers and on the curated categories that group them. */

import { defineOperatorOperation } from '../../operation/define.ts';
import { count, cursor } from '../../operation/list.ts';
import { object } from '../../wire/object.ts';
import { boolean, int } from '../../wire/types.ts';
import { CuratedCategory } from '../curated-categories/entity.ts';
import { exampleCuratedCategory } from '../curated-categories/operations.ts';
import { Publisher } from '../publishers/entity.ts';
import { examplePublisher } from '../publishers/operations.ts';
import { environment } from './environment.ts';

const setPublisher = defineOperatorOperation({
  id: 'admin.publishers.set',
  summary: 'Make a user a publisher, or say anew what holds for one',
  procedure: 'mutation',
  envelope: 'entity',
  params: object(() => ({
    environment,
    user_id: Publisher.shape.user_id,
    monetizable_country_codes: Publisher.shape.monetizable_country_codes,
    promotion_eligible_country_codes: Publisher.shape.promotion_eligible_country_codes,
    monetization_restricted: boolean().default(false).describe('Whether the videos may not earn money at present.'),
    content_category_ids: Publisher.shape.content_category_ids,
  })),
  data: Publisher,
  errors: ['INVALID_PARAMETER', 'USER_NOT_FOUND'],
  example: {
    params: {
      user_id: examplePublisher.user_id,
      monetizable_country_codes: examplePublisher.monetizable_country_codes,
      promotion_eligible_country_codes: examplePublisher.promotion_eligible_country_codes,
      content_category_ids: examplePublisher.content_category_ids,
    },
    data: examplePublisher,
  },
});

const removePublisher = defineOperatorOperation({
  id: 'admin.publishers.remove',
  summary: 'End that a user is a publisher',
  description: 'Curated categories lose the publisher too.',
  procedure: 'mutation',
  envelope: 'entity',
  params: object(() => ({ environment, user_id: Publisher.shape.user_id })),
  data: Publisher,
  errors: ['NOT_FOUND'],
  example: { params: { user_id: examplePublisher.user_id }, data: examplePublisher },
});

const listPublishers = defineOperatorOperation({
  id: 'admin.publishers.list',
  summary: 'List publishers, the first to become one first',
  procedure: 'query',
  envelope: 'list',
  params: object(() => ({ environment, count, cursor })),
  data: Publisher,
  errors: ['INVALID_PARAMETER'],
  example: { params: {}, data: examplePublisher },
});

const createCuratedCategory = defineOperatorOperation({
  id: 'admin.curated_categories.create',
  summary: 'Make a curated category of publishers',
  procedure: 'mutation',
  envelope: 'entity',
  params: object(() => ({
    environment,
    name: CuratedCategory.shape.name,
    description: CuratedCategory.shape.description,
    country_codes: CuratedCategory.shape.country_codes,
    publisher_user_ids: CuratedCategory.shape.publisher_user_ids,
    videos_monetized_in_last_thirty_days: int({ min: 0 })
      .default(0)
      .describe('How many of their videos earned money in thirty days.'),
  })),
  data: CuratedCategory,
  errors: ['INVALID_PARAMETER'],
  example: {
    params: {
      name: exampleCuratedCategory.name,
      description: exampleCuratedCategory.description,
      country_codes: exampleCuratedCategory.country_codes,
      publisher_user_ids: exampleCuratedCategory.publisher_user_ids,
    },
    data: exampleCuratedCategory,
  },
});

const updateCuratedCategory = defineOperatorOperation({
  id: 'admin.curated_categories.update',
  summary: 'Change a curated category',
  description: 'What is left out stays as it is. A list replaces the list before.',
  procedure: 'mutation',
  envelope: 'entity',
  params: object(() => ({
    environment,
    curated_category_id: CuratedCategory.shape.id,
    name: CuratedCategory.shape.name.optional(),
    description: CuratedCategory.shape.description.optional(),
    country_codes: CuratedCategory.shape.country_codes.optional(),
    publisher_user_ids: CuratedCategory.shape.publisher_user_ids.optional(),
    videos_monetized_in_last_thirty_days: CuratedCategory.shape.videos_monetized_in_last_thirty_days.optional(),
  })),
  data: CuratedCategory,
  errors: ['INVALID_PARAMETER', 'NOT_FOUND'],
  example: {
    params: { curated_category_id: exampleCuratedCategory.id, country_codes: ['US', 'CA'] },
    data: { ...exampleCuratedCategory, country_codes: ['US', 'CA'] },
  },
});

const deleteCuratedCategory = defineOperatorOperation({
  id: 'admin.curated_categories.delete',
  summary: 'Delete a curated category',
  description: 'Nobody finds it any more. Line items that have it keep it.',
  procedure: 'mutation',
  envelope: 'entity',
  params: object(() => ({ environment, curated_category_id: CuratedCategory.shape.id })),
  data: CuratedCategory,
  errors: ['NOT_FOUND'],
  example: { params: { curated_category_id: exampleCuratedCategory.id }, data: exampleCuratedCategory },
});

/** The operator's procedures for publishers and curated categories by resource. */
export const adminCatalogue = {
  publishers: { set: setPublisher, remove: removePublisher, list: listPublishers },
  curated_categories: {
    create: createCuratedCategory,
    update: updateCuratedCategory,
    delete: deleteCuratedCategory,
  },
};

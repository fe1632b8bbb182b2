import { type Contract, parseJson } from '@broadside/core';
import { checkHistorySpan, type HistoryEntity, historySchemas } from '@broadside/core/resources/account-history';
import { chain } from '../../awaitable.ts';
import { mapPage, pageOf } from '../../db/page.ts';
import type { HandlersOf } from '../../pipeline/context.ts';
import { featuresOf } from '../features/find.ts';
import { changesOf } from './changes.ts';

/** Returns the members of a JSON object that are fields of the entity. */
function fieldsOf(entity: HistoryEntity, json: string): Record<string, unknown> {
  const { shape } = historySchemas[entity];
  return Object.fromEntries(Object.entries(Object(parseJson(json))).filter(([name]) => Object.hasOwn(shape, name)));
}

export const handlers: HandlersOf<Contract['account_history']> = {
  list: ({ account, reject }, params) =>
    chain(featuresOf(account), (features) => {
      if (!features.includes('ACCOUNT_HISTORY')) {
        throw reject.error({
          error: 'FEATURE_NOT_AVAILABLE',
          message: 'Account history is in beta; ask the operator for the feature ACCOUNT_HISTORY',
        });
      }
      reject.check(checkHistorySpan(params));
      const { entity_type: entity, entity_id } = params;
      return chain(changesOf(account, params), (page) =>
        mapPage(pageOf(page, params.cursor), (change) => ({
          change_by: { user_id: change.user_id, platform: change.platform },
          change_time: change.change_time,
          change_type: change.change_type,
          changes: fieldsOf(entity, change.changes),
          entity,
          entity_id,
          entity_data: fieldsOf(entity, change.entity_data),
        })),
      );
    }),
};

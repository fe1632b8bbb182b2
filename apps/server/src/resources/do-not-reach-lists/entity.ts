import { defineEntity, type RowOf } from '../../db/entity.ts';
import { doNotReachLists } from './table.ts';

/** The key is empty: an account has one list that is not deleted. */
export const doNotReachList = defineEntity({
  name: 'DO_NOT_REACH_LIST',
  table: doNotReachLists,
  missing: {
    error: 'NOT_FOUND',
    parameter: 'do_not_reach_list_id',
    message: (id) => `There is no do-not-reach list "${id.slice(0, 100)}" in the account`,
  },
  derived: { processing: true, matched_count: null },
});

export type DoNotReachListRow = RowOf<typeof doNotReachList>;

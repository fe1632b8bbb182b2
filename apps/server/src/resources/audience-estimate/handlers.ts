import type { Contract } from '@broadside/core';
import {
  audienceQuery,
  audienceSize,
  checkCriteria,
  checkCriteriaCount,
} from '@broadside/core/resources/audience-estimate';
import type { HandlersOf } from '../../pipeline/context.ts';
import { findFacts, findUsers } from '../targeting-criteria/find.ts';
import { scopeOf } from './scope.ts';

export const handlers: HandlersOf<Contract['audience_estimate']> = {
  async create(context, { targeting_criteria }) {
    const { account, world } = context;
    context.reject.check(checkCriteriaCount(targeting_criteria));
    const users = await findUsers(context, targeting_criteria);
    const facts = await Promise.all(targeting_criteria.map((criterion) => findFacts(account, criterion, users)));
    context.reject.check(checkCriteria(targeting_criteria, facts));
    const query = audienceQuery(targeting_criteria);
    const scope = await scopeOf(context, query, targeting_criteria);
    return { audience_size: audienceSize(await world.audience.count(query, scope)) };
  },
};

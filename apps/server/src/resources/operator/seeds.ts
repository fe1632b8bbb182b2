import type { OperatorContract, OutcomeOf } from '@broadside/core';
import type { HandlersOf } from '../../pipeline/context.ts';
import type { Applied } from '../../seed/applied.ts';
import { issuesOfSeed, SeedFileError } from '../../seed/file-issue.ts';

type Apply = OperatorContract['admin']['seeds']['apply'];
type Named = OutcomeOf<Apply>['named'][number];

/** The operator's procedures for seeding. */
export const adminSeeds: HandlersOf<OperatorContract['admin']['seeds']> = {
  async apply({ world, reject }, { content, directory }) {
    let data: unknown;
    try {
      data = JSON.parse(content);
    } catch {
      throw reject.error({ error: 'INVALID_PARAMETER', parameter: 'content', message: 'Expected JSON for content' });
    }
    try {
      const { ids, ...outcome } = await world.seeds.apply(data, directory ?? '.');
      return { ...outcome, named: namedIn(ids) };
    } catch (error) {
      if (!(error instanceof SeedFileError)) throw error;
      reject.check(issuesOfSeed(error, 'content'));
      throw error;
    }
  },
};

function namedIn(ids: Applied['ids']): Named[] {
  const users = Object.entries(ids.users).map(([name, id]): Named => ({ kind: 'user', name, id }));
  const apps = Object.entries(ids.apps).map(
    ([name, { consumer_key, ...secret }]): Named => ({ kind: 'app', name, id: consumer_key, ...secret }),
  );
  const posts = Object.entries(ids.posts).map(([name, id]): Named => ({ kind: 'post', name, id }));
  const accounts = Object.entries(ids.accounts).flatMap(([name, { id, ids: items }]): Named[] => [
    { kind: 'account', name, id },
    ...Object.entries(items).map(([item, own]): Named => ({ kind: 'item', name: item, id: own, account: name })),
  ]);
  return [...users, ...apps, ...posts, ...accounts];
}

import type { FaultIssue, FaultMatch } from '@broadside/core/resources/control/faults';
import { environments } from '../../world/environment.ts';
import type { World } from '../../world/world.ts';

/** Returns what is wrong with the account of a rule of faults: one that no call can be let into, so that the rule would never fire. */
export async function checkAccount(world: World, { account, environment }: FaultMatch): Promise<FaultIssue[]> {
  if (account === undefined) return [];
  const states = await Promise.all(
    environments.map(async (name) => {
      const record = await world.ads[name].record(account);
      return { name, isThere: record !== undefined && !record.deleted, wasDeleted: record?.deleted === true };
    }),
  );
  const asked = states.filter(({ name }) => environment === undefined || name === environment);
  if (asked.some(({ isThere }) => isThere)) return [];
  const state = asked.some(({ wasDeleted }) => wasDeleted) ? 'was deleted' : 'does not exist';
  const other = states.find(({ isThere }) => isThere);
  const where = asked.map(({ name }) => name).join(' or ');
  const hint = other ? `; it is one of ${other.name}: give match.environment=${other.name}` : '';
  const message = `The account ${account.slice(0, 100)} for match.account ${state} in ${where}${hint}`;
  return [{ error: 'INVALID_PARAMETER', parameter: 'match', value: account, message }];
}

/** Rules of faults on what a world does not have, so that they would never fire. */
import { show } from '@broadside/core';
import type { FaultIssue, FaultMatch } from '@broadside/core/resources/control/faults';
import { environments } from '../../world/environment.ts';
import type { World } from '../../world/world.ts';

/** Returns what is wrong with the account, the app and the user of a rule: those by which no call can be matched. */
export async function checkMatched(world: World, match: FaultMatch): Promise<FaultIssue[]> {
  return [...(await checkAccount(world, match)), ...(await checkCaller(world, match))];
}

/** An account that no call can be let into. */
async function checkAccount(world: World, { account, environment }: FaultMatch): Promise<FaultIssue[]> {
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

/** An app or a user that can make no call. */
async function checkCaller({ identity }: World, { app, user }: FaultMatch): Promise<FaultIssue[]> {
  const issues: FaultIssue[] = [];
  if (app !== undefined && !(await identity.apps.get(app))) issues.push(missing('app', app));
  if (user !== undefined && !(await identity.users.get(user))) issues.push(missing('user', user));
  return issues;
}

function missing(what: 'app' | 'user', value: string): FaultIssue {
  const message = `The ${what} ${show(value)} for match.${what} does not exist in this world`;
  return { error: 'INVALID_PARAMETER', parameter: 'match', value, message };
}

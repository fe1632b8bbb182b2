/** How audiences of all accounts are named, and jobs on them. */
import type { AccountReader } from '../world/account-store.ts';
import { type Environment, environments } from '../world/environment.ts';

/** An account of an environment. */
export interface AccountName {
  readonly environment: Environment;
  readonly account_id: string;
}

/** Returns the account of a call. */
export function accountNameOf({
  environment,
  account,
}: {
  readonly environment: Environment;
  readonly account: AccountReader;
}): AccountName {
  return { environment, account_id: account.account_id };
}

/** An entity that has members: a custom audience or a do-not-reach list. */
export interface AudienceName extends AccountName {
  readonly id: string;
}

/** The subject of a job on an audience. @param id of the audience, or what stands for several */
export function subjectOf({ environment, account_id }: AccountName, id: string): string {
  return `${environment}/${account_id}/${id}`;
}

/** The audience of a subject; `undefined` for what is none. */
export function audienceOf(subject: string): AudienceName | undefined {
  const [environment, account_id, id] = subject.split('/');
  return isEnvironment(environment) && account_id !== undefined && id !== undefined
    ? { environment, account_id, id }
    : undefined;
}

function isEnvironment(name: string | undefined): name is Environment {
  return environments.some((environment) => environment === name);
}

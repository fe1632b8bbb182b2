/** The check that a hand-written statement stays inside one account. */
import type { AnyStatement } from '../db/statement.ts';

const checked = new WeakSet<AnyStatement>();

const TABLES = /\b(?:from|join|update|into)\s+"/gi;

/**
 * Makes sure that a statement names the account for each table that it touches. The account's handle gives the argument
 * `account_id`, so such a statement cannot reach another account, whatever its other arguments are.
 * @throws TypeError for a statement with a table that is not limited to the account
 */
export function checkScope(statement: AnyStatement): void {
  if (checked.has(statement)) return;
  const { text, places } = statement.compiled;
  const tables = text.match(TABLES)?.length ?? 0;
  const limited = places.filter((name) => name === 'account_id').length;
  if (tables === 0 || limited < tables) {
    throw new TypeError(`a statement of an account limits each of its tables by account_id: ${text}`);
  }
  checked.add(statement);
}

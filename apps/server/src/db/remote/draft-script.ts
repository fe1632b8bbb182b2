/** The batch of statements that plays drafts in a transaction. */
import type { Draft } from '../session.ts';
import type { Condition, Step } from './steps.ts';

/** Outside of its transaction a statement would be stored on its own. */
export const inTransaction: Condition = { type: 'not', cond: { type: 'is_autocommit' } };

/**
 * Begins a transaction and runs the statements of drafts in it, each only if the one before it was run. Where there are several, each has
 * a savepoint, which is undone where one of its statements fails or its body has thrown.
 * @param isAgain others were played in a transaction of the same stream, which is undone
 * @returns the steps, and the place of the first statement of each draft
 */
export function script(
  drafts: readonly Draft[],
  isAgain: boolean,
): {
  readonly steps: readonly Step[];
  readonly places: readonly number[];
} {
  const steps: Step[] = isAgain ? [{ sql: 'ROLLBACK', args: [], condition: inTransaction }] : [];
  steps.push({ sql: 'BEGIN IMMEDIATE', args: [] });
  const add = (sql: string, args: Step['args'], ...conditions: Condition[]): void => {
    const [only = inTransaction] = conditions;
    const condition: Condition =
      conditions.length === 0 ? only : { type: 'and', conds: [...conditions, inTransaction] };
    steps.push({ sql, args, condition });
  };
  const places: number[] = [];
  for (const { statements, threw } of drafts) {
    const alone = drafts.length === 1;
    if (!alone) add('SAVEPOINT job', []);
    places.push(steps.length);
    for (const { sql, args } of statements) add(sql, args, { type: 'ok', step: steps.length - 1 });
    if (alone) continue;
    const last: Condition = { type: 'ok', step: steps.length - 1 };
    if (threw) add('ROLLBACK TO job', []);
    else add('ROLLBACK TO job', [], { type: 'not', cond: last });
    add('RELEASE job', []);
  }
  return { steps, places };
}

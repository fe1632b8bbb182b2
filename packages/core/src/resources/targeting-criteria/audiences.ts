/** Which custom audiences can be targeted (specification B, States; reference, audiences section 3). */
import type { AudienceReason, TargetableType } from '../custom-audiences/entity.ts';
import type { OperatorType } from './entity.ts';

/** An audience that the account may use: its own, or one that another account shares. */
interface Usable {
  readonly is: 'usable';
  readonly targetable: boolean;
  readonly reasons_not_targetable: readonly AudienceReason[];
  readonly targetable_types: readonly TargetableType[];
}

/** An audience that the account once could use. */
type Gone =
  | { readonly is: 'deleted' | 'no longer shared' }
  /** A flexible audience that combines one which is no longer shared with the account. */
  | { readonly is: 'built on a lost one'; readonly custom_audience_id: string };

/** The facts that targeting needs of a custom audience that the account may use or once could use. */
export type AudienceFacts = Usable | Gone;

/**
 * Returns a description of the audiences that can be targeted, with the reason why this one cannot; `undefined` if it can.
 * One that the account never could use has no facts, and the description of an id that does not exist.
 */
export function expectedAudience(facts: AudienceFacts | undefined, operator: OperatorType): string | undefined {
  if (!facts) return 'the id of a custom audience of the account, or of one shared with it,';
  const reason = facts.is === 'usable' ? whyNotTargetable(facts, operator) : whyGone(facts);
  return reason === undefined ? undefined : `a custom audience that can be targeted, which this one cannot: ${reason},`;
}

function whyGone(facts: Gone): string {
  switch (facts.is) {
    case 'deleted':
      return 'it has been deleted';
    case 'no longer shared':
      return 'it is no longer shared with the account';
    case 'built on a lost one':
      return `it combines the audience ${facts.custom_audience_id}, which is no longer shared with the account`;
  }
}

function whyNotTargetable(
  { targetable, reasons_not_targetable, targetable_types }: Usable,
  operator: OperatorType,
): string | undefined {
  if (!targetable) return `it is ${reasons_not_targetable.join(' and ')}`;
  // An audience is included by its type, and left out by the type with EXCLUDED_.
  const excluded = operator === 'NE';
  if (targetable_types.some((type) => type.startsWith('EXCLUDED_') === excluded)) return undefined;
  return `its targetable_types are ${targetable_types.join(', ')}`;
}

/** Issues that several rules on line items share. */
import { type Issue, invalidParameter } from '../../wire/issues.ts';
import { show } from '../../wire/show.ts';

/** Rejects a value that the rest of the line item does not allow. */
export function unexpected(
  parameter: string,
  value: string,
  expected: readonly string[],
  condition: string,
): Issue<'INVALID_PARAMETER'> {
  const options = expected.length === 1 ? expected.join() : `one of ${expected.join(', ')}`;
  return invalidParameter(
    parameter,
    value,
    `Expected ${options}, got ${show(value)} for ${parameter} with ${condition}`,
  );
}

/** Rejects an amount above a budget, both in micros. */
export function exceeds(
  parameter: string,
  value: bigint,
  budget: string,
  limit: bigint,
): Issue<'SPEND_EXCEEDS_BUDGET'> {
  const message = `Expected at most ${budget} (${limit}), got ${value} for ${parameter}`;
  return { error: 'SPEND_EXCEEDS_BUDGET', parameter, value, message };
}

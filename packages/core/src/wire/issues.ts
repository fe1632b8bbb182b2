/** Issues that rules of several families report. */
import type { Issue } from './errors.ts';

/** Rejects the value of a parameter. The message says what would be right. */
export function invalidParameter(parameter: string, value: unknown, message: string): Issue<'INVALID_PARAMETER'> {
  return { error: 'INVALID_PARAMETER', parameter, value, message };
}

/** Rejects a request without a parameter; `circumstance` says when it is required: `with objective REACH`. */
export function missingParameter(parameter: string, circumstance: string): Issue<'MISSING_PARAMETER'> {
  return { error: 'MISSING_PARAMETER', parameter, message: `"${parameter}" is required ${circumstance}` };
}

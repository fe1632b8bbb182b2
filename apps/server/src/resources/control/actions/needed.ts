import type { Issue } from '@broadside/core';

/** Returns the issue of a parameter that is needed in a circumstance. */
export function needed(parameter: string, circumstance: string): Issue<'MISSING_PARAMETER'> {
  return { error: 'MISSING_PARAMETER', parameter, message: `"${parameter}" is a required parameter ${circumstance}` };
}

import type { ErrorName, Reject } from '@broadside/core';
import { PostRejectedError } from '../../posts/new-post.ts';

/** The client of posts that the operator creates. */
export const OPERATOR_SOURCE = 'Broadside';

const postErrors = {
  not_found: 'NOT_FOUND',
  invalid: 'INVALID_PARAMETER',
  not_allowed: 'ACTION_NOT_ALLOWED',
  already: 'ALREADY_EXISTS',
  duplicate: 'ALREADY_EXISTS',
} as const;

/** Converts the rejection of a store to an error of the catalogue. @param listed the errors of the operation */
export async function accepted<Name extends ErrorName, Result>(
  reject: Reject<NoInfer<Name> | 'INVALID_PARAMETER'>,
  listed: readonly Name[],
  write: Promise<Result>,
): Promise<Result> {
  try {
    return await write;
  } catch (error) {
    if (!(error instanceof PostRejectedError)) throw error;
    const { parameter, reason, message } = error;
    const isUser = reason === 'not_found' && parameter.endsWith('user_id');
    const name = isUser && listed.some((other) => other === 'USER_NOT_FOUND') ? 'USER_NOT_FOUND' : postErrors[reason];
    const known = name === 'INVALID_PARAMETER' ? name : listed.find((other) => other === name);
    if (known === undefined) throw error;
    throw reject.error({ error: known, parameter, message });
  }
}

/** The place at which an upload goes on: how many rows the server has acknowledged, and the terms that they were sent with. */
import { CallError } from '../errors.ts';
import { isMembers } from '../shape.ts';
import type { Counts } from './acknowledged.ts';
import type { OperationTerms } from './rows.ts';

/** Content of a token. The terms are those of the whole upload: a row that is sent again must say the same again. */
export interface Resumption extends Counts, OperationTerms {
  /** The operation, the account and the list, so that a token is not used for another. */
  readonly target: string;
  readonly hashed: boolean;
}

const PREFIX = 'upload1.';

/** Writes a token. It holds no identifiers. */
export function writeToken(resumption: Resumption): string {
  return PREFIX + btoa(JSON.stringify(resumption)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Reads a token. @throws CallError when it is none of this version */
export function readToken(token: string): Resumption {
  const resumption = token.startsWith(PREFIX) ? decode(token.slice(PREFIX.length)) : undefined;
  if (isResumption(resumption)) return resumption;
  throw new CallError(
    '"resume" is not the token of an upload that this version of the client can go on with',
    'resume',
  );
}

function decode(text: string): unknown {
  try {
    return JSON.parse(atob(text.replaceAll('-', '+').replaceAll('_', '/')));
  } catch {
    return undefined;
  }
}

function isResumption(value: unknown): value is Resumption {
  if (!isMembers(value)) return false;
  const isTime = (time: unknown) => time === undefined || typeof time === 'string';
  const isCount = (count: unknown) => Number.isSafeInteger(count) && Number(count) >= 0;
  const { target, hashed, operation_type: type } = value;
  return (
    typeof target === 'string' &&
    typeof hashed === 'boolean' &&
    (type === 'Update' || type === 'Delete') &&
    ['effective_at', 'expires_at'].every((name) => isTime(value[name])) &&
    ['rows', 'sent', 'refused', 'requests'].every((name) => isCount(value[name]))
  );
}

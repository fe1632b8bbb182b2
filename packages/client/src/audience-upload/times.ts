/**
 * The times of an upload. They are fixed when it begins and stand in every request, so that a request that is sent again,
 * hours later or by a resumed upload, says the same and changes nothing.
 */
import { addMonths, MONTHS_IN_EFFECT } from '@broadside/core/resources/custom-audiences/users';
import { formatTimestamp } from '@broadside/core/wire';
import { CallError } from '../errors.ts';
import { type OperationTerms, type OperationType, readTime } from './rows.ts';

/** Times as a caller gives them. */
export interface GivenTimes {
  readonly operation_type: OperationType;
  readonly effective_at?: Date | string | undefined;
  readonly expires_at?: Date | string | undefined;
}

/**
 * Fixes the times of an upload.
 * @param takesEffectiveAt false for a list whose rows count from the moment of the request, with its own default expiry
 * @param now milliseconds since the epoch
 * @param from the times with which a resumed upload began
 * @throws CallError
 */
export function fixTimes(
  { operation_type, effective_at, expires_at }: GivenTimes,
  takesEffectiveAt: boolean,
  now: number,
  from: Omit<OperationTerms, 'operation_type'> | undefined,
): OperationTerms {
  const given = { effective_at: read('effective_at', effective_at), expires_at: read('expires_at', expires_at) };
  // The times of a deletion have no effect.
  if (operation_type === 'Delete') return { operation_type, effective_at: undefined, expires_at: undefined };
  if (given.effective_at !== undefined && !takesEffectiveAt)
    throw new CallError(
      '"effective_at" does not exist here: the list counts from the moment of the request',
      'effective_at',
    );
  if (from) {
    for (const name of ['effective_at', 'expires_at'] as const) {
      if (given[name] !== undefined && given[name] !== from[name])
        throw new CallError(`The upload that is resumed has ${from[name] ?? 'no'} ${name}; leave it out`, name);
    }
    return { operation_type, effective_at: from.effective_at, expires_at: from.expires_at };
  }
  if (!takesEffectiveAt) return { operation_type, ...given };
  const begin = given.effective_at ?? formatTimestamp(now);
  const end = given.expires_at ?? formatTimestamp(addMonths(now, MONTHS_IN_EFFECT));
  if (end <= begin) throw new CallError('"expires_at" must be later than "effective_at"', 'expires_at');
  return { operation_type, effective_at: begin, expires_at: end };
}

function read(name: 'effective_at' | 'expires_at', value: Date | string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const time = readTime(value);
  if (time !== undefined) return time;
  throw new CallError(`"${name}" must be a Date or a time such as 2026-11-01T00:00:00Z`, name);
}

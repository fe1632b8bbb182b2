/** Calls held against what somebody expects of them. */
import leven from 'leven';
import { show } from '../../../wire/show.ts';
import type { JournalCall } from './entity.ts';

/** Properties that a call is expected to have. Those that are left out do not matter. */
export interface CallPattern {
  /** The id of an operation; `*` stands for any characters, as in `campaigns.*`. */
  readonly operation?: string;
  /** Parameters that were sent, among others. */
  readonly params?: Readonly<Record<string, unknown>>;
  readonly method?: string;
  readonly path?: string;
  readonly status?: number;
  readonly account_id?: string;
  readonly user_id?: string;
  readonly app_id?: string;
  readonly outcome?: 'succeeded' | 'rejected';
}

/** A difference between a call and what is expected of it. */
interface Difference {
  /** The property, or the parameter as `params.name`. */
  readonly of: string;
  readonly expected: string;
  /** What the call has; null for a parameter that was not sent. */
  readonly sent: string | null;
}

/** A call that is not as expected. */
export interface NearCall {
  readonly id: string;
  readonly operation: string | null;
  readonly status: number;
  readonly differs: readonly Difference[];
}

/** Stands in a journal for what is not kept: a secret, or the people of a batch. */
export const LEFT_OUT = '[left out]';

/** Whether a call is as expected; `unknown` where that depends on what it has sent and the journal has not kept. */
export type Match = 'yes' | 'no' | 'unknown';

/** Returns whether a call is as expected, as far as it is kept. */
export function matchOf(pattern: CallPattern, call: JournalCall): Match {
  if (pattern.operation !== undefined && !matchesOperation(pattern.operation, call.operation)) return 'no';
  if (facts.some((fact) => fact.differs(pattern, call))) return 'no';
  const missing = [...missingParams(pattern, call)];
  if (missing.length === 0) return 'yes';
  return missing.every((name) => isLeftOut(call, name)) ? 'unknown' : 'no';
}

/** Returns whether a call is as expected, for sure. */
export function matches(pattern: CallPattern, call: JournalCall): boolean {
  return matchOf(pattern, call) === 'yes';
}

/** Returns whether the value of a parameter is not kept. Of a body that is too long for the journal none is. */
function isLeftOut({ params, left_out_digest }: JournalCall, name: string): boolean {
  if (params[name] === LEFT_OUT) return true;
  return left_out_digest !== undefined && Object.keys(params).length === 0;
}

/** Returns whether a call is for an account. One that did not get as far as the account names it in its parameters. */
export function isForAccount({ account_id, params }: JournalCall, wanted: string): boolean {
  return account_id === wanted || params['account_id'] === wanted;
}

/** Returns whether a call is on behalf of a user. One whose caller was not proved names the user in its token. */
export function isOfUser(call: JournalCall, wanted: string): boolean {
  return userOf(call) === wanted;
}

/** The user on whose behalf a call is, as far as it says so. */
export function userOf({ caller, token_user_id }: JournalCall): string | null {
  return (caller === null ? token_user_id : caller.user_id) ?? null;
}

interface Fact {
  readonly name: string;
  readonly expected: (pattern: CallPattern) => unknown;
  readonly sent: (call: JournalCall) => unknown;
  readonly differs: (pattern: CallPattern, call: JournalCall) => boolean;
}

function fact<Value>(
  name: string,
  expected: (pattern: CallPattern) => Value | undefined,
  sent: Fact['sent'],
  isMet: (call: JournalCall, wanted: Value) => boolean = (call, wanted) => wanted === sent(call),
): Fact {
  const differs: Fact['differs'] = (pattern, call) => {
    const wanted = expected(pattern);
    return wanted !== undefined && !isMet(call, wanted);
  };
  return { name, expected, sent, differs };
}

const facts: readonly Fact[] = [
  fact(
    'method',
    ({ method }) => method?.toUpperCase(),
    ({ method }) => method,
  ),
  fact(
    'path',
    ({ path }) => path,
    ({ path }) => path,
  ),
  fact(
    'status',
    ({ status }) => status,
    ({ status }) => status,
  ),
  fact(
    'account_id',
    ({ account_id }) => account_id,
    ({ account_id, params }) => account_id ?? params['account_id'] ?? null,
    isForAccount,
  ),
  fact('user_id', ({ user_id }) => user_id, userOf, isOfUser),
  fact(
    'app_id',
    ({ app_id }) => app_id,
    ({ caller }) => caller?.app_id ?? null,
  ),
  fact(
    'outcome',
    ({ outcome }) => outcome,
    ({ status }) => (status < 400 ? 'succeeded' : 'rejected'),
  ),
];

/** Returns whether an operation is one that a pattern of its id means. */
export function matchesOperation(expected: string, operation: string | null): boolean {
  if (operation === null) return false;
  if (!expected.includes('*')) return expected === operation;
  // Pieces in their order, without a pattern that could be made to take long.
  const [first = '', ...others] = expected.split('*');
  const last = others.pop() ?? '';
  if (!operation.startsWith(first) || operation.length < first.length + last.length || !operation.endsWith(last)) {
    return false;
  }
  let at = first.length;
  for (const piece of others) {
    const found = operation.indexOf(piece, at);
    if (found === -1 || found + piece.length > operation.length - last.length) return false;
    at = found + piece.length;
  }
  return true;
}

function* missingParams({ params = {} }: CallPattern, call: JournalCall): Generator<string> {
  for (const [name, expected] of Object.entries(params)) if (!isLike(expected, call.params[name])) yield name;
}

/**
 * Returns whether a value was sent that means the expected one: a query has text where JSON has numbers and lists, and of an object
 * only the members that are expected matter.
 */
function isLike(expected: unknown, sent: unknown): boolean {
  if (expected === sent) return true;
  if (Array.isArray(expected)) {
    const items: unknown = typeof sent === 'string' ? sent.split(',') : sent;
    if (!Array.isArray(items) || items.length !== expected.length) return false;
    return expected.every((item, at) => isLike(item, items[at]));
  }
  if (typeof expected === 'object' && expected !== null) {
    if (typeof sent !== 'object' || sent === null) return false;
    const members: Readonly<Record<string, unknown>> = { ...sent };
    return Object.entries(expected).every(([name, value]) => isLike(value, members[name]));
  }
  if (expected === null || sent === null || sent === undefined || typeof sent === 'object') return false;
  return `${expected}` === `${sent}`;
}

/** Calls that are compared letter by letter, the length of their values, and the number of those. */
const COMPARED = 50;
const MOST_LETTERS = 80;
const MOST_PARAMS = 20;
/** Near calls that are shown. */
const NEAR = 3;

/** The calls that come nearest to what was expected, the nearest first. @param calls in the order in which they were answered */
export function nearest(pattern: CallPattern, calls: readonly JournalCall[]): readonly NearCall[] {
  const ofOperation = calls.filter(
    ({ operation }) => !pattern.operation || matchesOperation(pattern.operation, operation),
  );
  const others = ofOperation.length > 0 ? ofOperation : relatives(pattern.operation, calls);
  const missed = others.filter((call) => !matches(pattern, call)).slice(-COMPARED);
  const near = missed.map((call) => ({ call, ...compared(pattern, call) }));
  near.sort((one, other) => one.distance - other.distance);
  return near
    .slice(0, NEAR)
    .map(({ call: { id, operation, status }, differs }) => ({ id, operation, status, differs }));
}

/** Calls of operations that are called much like one of which there is no call. */
function relatives(operation: string | undefined, calls: readonly JournalCall[]): readonly JournalCall[] {
  if (operation === undefined) return calls;
  const family = operation.split('.', 1)[0];
  const distances = new Map<string, number>();
  for (const { operation: called } of calls) {
    if (called === null || distances.has(called)) continue;
    const isFamily = called.split('.', 1)[0] === family;
    distances.set(called, (isFamily ? 0 : 10) + leven(operation.slice(0, MOST_LETTERS), called));
  }
  const least = Math.min(...distances.values());
  return least > operation.length ? [] : calls.filter((call) => distances.get(call.operation ?? '') === least);
}

function compared(pattern: CallPattern, call: JournalCall): { distance: number; differs: readonly Difference[] } {
  const differs: Difference[] = [];
  let distance = 0;
  if (pattern.operation !== undefined && !matchesOperation(pattern.operation, call.operation)) {
    differs.push({ of: 'operation', expected: pattern.operation, sent: call.operation });
  }
  for (const { name, expected, sent, differs: isOther } of facts) {
    if (!isOther(pattern, call)) continue;
    differs.push({ of: name, expected: show(expected(pattern)), sent: show(sent(call)) });
    distance += 1;
  }
  for (const name of missingParams(pattern, call)) {
    const expected = show(pattern.params?.[name]);
    const value = call.params[name];
    const kept = value === undefined ? null : show(value);
    const sent = isLeftOut(call, name) ? LEFT_OUT : kept;
    differs.push({ of: `params.${name}`, expected, sent });
    distance += sent === null || differs.length > MOST_PARAMS ? 1 : unlike(expected, sent);
  }
  return { distance, differs };
}

/** The share of letters by which two texts differ. */
function unlike(one: string, other: string): number {
  const [a, b] = [one.slice(0, MOST_LETTERS), other.slice(0, MOST_LETTERS)];
  return leven(a, b) / Math.max(a.length, b.length, 1);
}

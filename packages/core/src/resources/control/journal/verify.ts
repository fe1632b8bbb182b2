/** Verifies what a journal has against what a test expects of its client. Pure: of calls it makes sentences. */

import { show } from '../../../wire/show.ts';
import type { JournalCall } from './entity.ts';
import { type CallPattern, matches, matchOf, type NearCall, nearest, userOf } from './match.ts';

/** Rules that concern all calls, as sentences. */
export const callRules = [
  'no write was rejected',
  'nothing was retried after a lost answer without looking first',
] as const;

type CallRule = (typeof callRules)[number];

/** A call with its place in time, by one clock that nobody sets. */
export interface TimedCall extends JournalCall {
  readonly arrived_ms: number;
  readonly answered_ms: number;
}

/** Requests that a journal has pushed out, as far as they could be among those that are verified. */
export interface Forgotten {
  readonly requests: number;
  /** When the last of them arrived, by the time of the machine. */
  readonly arrived_ms: number;
  /** When the last of them was answered, by the clock of {@link TimedCall}. */
  readonly answered_ms: number;
}

/** How often a call is expected. */
export interface CallCount {
  readonly at_least: number;
  readonly at_most: number;
}

/** What a test expects. */
export type Expectation = { readonly name?: string } & (
  | { readonly rule: CallRule }
  | { readonly call: CallPattern; readonly count: CallCount }
  /** Calls in this order, others in between. */
  | { readonly order: readonly CallPattern[] }
);

/** What became of an expectation. */
export interface Verdict {
  readonly name: string;
  /** Whether it holds, whatever was forgotten. */
  readonly passed: boolean;
  /** Whether what is kept says so for sure: `false` where a forgotten call, or what is not kept of another one, could make it hold or fail. */
  readonly decided: boolean;
  /** What was found. */
  readonly message: string;
  /** Ids of the calls that count for or, where a rule was broken, against it. */
  readonly calls: readonly string[];
  /** Those that come nearest to what was expected, where it failed. */
  readonly nearest: readonly NearCall[];
}

/** Ids that are shown with a verdict. */
const MOST_IDS = 100;

/**
 * Verifies an expectation. What forgotten calls could decide, or what is left out of those that are kept, does not hold, and is not decided.
 * @param calls in the order in which they were answered
 * @param forgotten what the journal had beside them before
 */
export function verify(
  expectation: Expectation,
  calls: readonly TimedCall[],
  forgotten: Forgotten | undefined,
): Verdict {
  const { isOpen, unknown = [], ...found } = find(expectation, calls, forgotten);
  const name = expectation.name ?? nameOf(expectation);
  const verdict = { name, ...found, calls: found.calls.slice(0, MOST_IDS) };
  const reasons = [
    ...(unknown.length > 0 ? [unknownText(unknown)] : []),
    ...(forgotten !== undefined && isOpen ? [forgottenText(forgotten)] : []),
  ];
  if (reasons.length === 0) return { ...verdict, decided: true };
  return { ...verdict, passed: false, decided: false, message: [found.message, ...reasons].join(' ') };
}

function unknownText([first, ...others]: readonly JournalCall[]): string {
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return (
    `Not decided: what was sent in ${first?.id}${more} is not kept, since it is too long, secret, or people, and could decide this. ` +
    'Expect such calls without those parameters, or have the journal keep longer bodies (BROADSIDE_JOURNAL).'
  );
}

function forgottenText({ requests, arrived_ms }: Forgotten): string {
  const [what, last, one] =
    requests === 1
      ? ['1 earlier request', 'it arrived', 'it']
      : [`${requests} earlier requests`, 'the last one arrived', 'one of them'];
  return (
    `Not decided: the journal has pushed out ${what} (${last} at ${new Date(arrived_ms).toISOString()}), and ${one} could decide this. ` +
    'Verify earlier, verify calls since a later time only, clear the journal before the test, or have it keep more calls (BROADSIDE_JOURNAL).'
  );
}

interface Found extends Omit<Verdict, 'name' | 'decided'> {
  /** Whether calls that were forgotten could make it another verdict. */
  readonly isOpen: boolean;
  /** Calls that are kept, and of which what is left out could make it another verdict. */
  readonly unknown?: readonly JournalCall[];
}

function find(expectation: Expectation, calls: readonly TimedCall[], forgotten: Forgotten | undefined): Found {
  if ('rule' in expectation) return rules[expectation.rule](calls, forgotten);
  return 'order' in expectation ? inOrder(expectation.order, calls) : counted(expectation, calls);
}

/** The name of an expectation that was given none. */
function nameOf(expectation: Expectation): string {
  if ('rule' in expectation) return expectation.rule;
  if ('order' in expectation) return expectation.order.map(patternText).join(', then ');
  return `${patternText(expectation.call)} ${countText(expectation.count)}`;
}

function patternText({ operation, params = {}, ...facts }: CallPattern): string {
  const others = Object.entries(facts).map(([name, value]) => `${name} ${value}`);
  const sent = Object.entries(params).map(([name, value]) => `${name} ${show(value)}`);
  const all = [...sent, ...others];
  return `${operation ?? 'any call'}${all.length === 0 ? '' : ` with ${all.join(', ')}`}`;
}

function countText({ at_least, at_most }: CallCount): string {
  if (at_most === 0) return 'never';
  if (at_least === at_most) return at_least === 1 ? 'exactly once' : `exactly ${at_least} times`;
  if (at_most === Number.POSITIVE_INFINITY) return `at least ${timesText(at_least)}`;
  return at_least === 0 ? `at most ${timesText(at_most)}` : `from ${at_least} to ${at_most} times`;
}

function timesText(times: number): string {
  return times === 1 ? 'once' : `${times} times`;
}

function counted(
  { call, count }: { readonly call: CallPattern; readonly count: CallCount },
  calls: readonly JournalCall[],
): Found {
  const byMatch = Map.groupBy(calls, (one) => matchOf(call, one));
  const found = byMatch.get('yes') ?? [];
  const possible = byMatch.get('unknown') ?? [];
  const passed = found.length >= count.at_least && found.length <= count.at_most;
  const times = found.length === 0 ? 'was not called' : `was called ${timesText(found.length)}`;
  const expected = passed ? '' : `; expected: ${countText(count)}`;
  const near = !passed && found.length < count.at_least ? nearest(call, calls) : [];
  const message = `${patternText(call)} ${times}${expected}.${nearText(near)}`;
  // More calls change nothing once there are too many, or enough where there is no most.
  const isOpen = found.length <= count.at_most && !(passed && count.at_most === Number.POSITIVE_INFINITY);
  const most = found.length + possible.length;
  const isDecided = passed ? most <= count.at_most : most < count.at_least || found.length > count.at_most;
  return { passed, message, calls: idsOf(found), nearest: near, isOpen, unknown: isDecided ? [] : possible };
}

function inOrder(order: readonly CallPattern[], calls: readonly JournalCall[]): Found {
  const places = placesInOrder(order, calls, matches);
  const found = places.flatMap((at) => calls[at] ?? []);
  const pattern = order[places.length];
  // Others may be in between.
  if (pattern === undefined) {
    return { passed: true, message: 'The calls came in this order.', calls: idsOf(found), nearest: [], isOpen: false };
  }
  const from = (places.at(-1) ?? -1) + 1;
  const earlier = calls.slice(0, from).findLast((one) => !found.includes(one) && matches(pattern, one));
  const before = order[places.length - 1];
  const after = before ? ` after ${patternText(before)}` : '';
  const near = earlier ? [] : nearest(pattern, calls.slice(from));
  const early = earlier ? ` It was called before, as ${earlier.id}.` : nearText(near);
  const message = `${patternText(pattern)} was not called${after}.${early}`;
  const possible = placesInOrder(order, calls, (expected, call) => matchOf(expected, call) !== 'no');
  const isPossible = possible.length === order.length;
  const unknown = isPossible ? possible.flatMap((at, step) => unknownAt(order[step], calls[at])) : [];
  return { passed: false, message, calls: idsOf(found), nearest: near, isOpen: true, unknown };
}

/** The places of the first calls that are as an order expects; fewer where it is not whole. */
function placesInOrder(
  order: readonly CallPattern[],
  calls: readonly JournalCall[],
  isMet: (pattern: CallPattern, call: JournalCall) => boolean,
): readonly number[] {
  const places: number[] = [];
  for (const pattern of order) {
    const last = places.at(-1) ?? -1;
    const at = calls.findIndex((call, index) => index > last && isMet(pattern, call));
    if (at === -1) break;
    places.push(at);
  }
  return places;
}

function unknownAt(pattern: CallPattern | undefined, call: JournalCall | undefined): readonly JournalCall[] {
  return pattern === undefined || call === undefined || matches(pattern, call) ? [] : [call];
}

type Rule = (calls: readonly TimedCall[], forgotten: Forgotten | undefined) => Found;

const rules: Readonly<Record<CallRule, Rule>> = {
  'no write was rejected': (calls) => {
    const failed = calls.filter(({ writes, status }) => writes && status >= 400);
    const rejected = failed.filter((call) => !isDropped(call));
    const dropped = failed.length - rejected.length;
    if (rejected.length === 0) {
      return passing(`No write was rejected${dropped > 0 ? `; faults dropped ${dropped} before the work` : ''}.`);
    }
    const [first] = rejected;
    const others = rejected.length > 1 ? `, and ${rejected.length - 1} more` : '';
    return breaking(`${first && rejectionText(first)}${others}.`, rejected);
  },
  'nothing was retried after a lost answer without looking first': (calls, forgotten) => {
    const retries = blindRetries(calls);
    const [first] = retries;
    if (!first) return passing('Nothing was retried after a lost answer without looking first.');
    const { lost, retry } = first;
    const family = familyOf(retry);
    const message =
      `${retry.operation} was called again as ${retry.id} with the same parameters as ${lost.id}, whose answer ` +
      `was lost (${lossText(lost)}), and nothing of ${family} was read in between.`;
    const both = new Set(retries.flatMap((pair) => [pair.lost, pair.retry]));
    const found = breaking(retries.length > 1 ? `${message} ${retries.length - 1} more.` : message, [...both]);
    // A call can be answered, and forgotten, before one that has arrived earlier: it may have been the look.
    const until = forgotten && forgotten.answered_ms + APART_MS;
    return { ...found, isOpen: until !== undefined && retries.every(({ lost }) => lost.arrived_ms < until) };
  },
};

/** Our choice: a write that a fault dropped before the work was not rejected, as its client got no answer. */
function isDropped({ dropped, status }: JournalCall): boolean {
  // Others of the same request were answered on their own.
  return dropped === true && status === 500;
}

function passing(message: string): Found {
  return { passed: true, message, calls: [], nearest: [], isOpen: true };
}

function breaking(message: string, calls: readonly JournalCall[]): Found {
  return { passed: false, message, calls: idsOf(calls), nearest: [], isOpen: false };
}

function rejectionText({ id, operation, method, path, status, errors }: JournalCall): string {
  const [error] = errors;
  const why = error ? ` ${error.code}: ${error.message}` : '';
  return `${operation ?? `${method} ${path}`} (${id}) was rejected with ${status}${why}`;
}

function lossText({ delivery, status }: JournalCall): string {
  return delivery === 'LOST' ? 'the connection ended' : `status ${status}`;
}

/** Statuses that say nothing about what was done: failures of the server, and of what is in front of it. */
const SILENT: ReadonlySet<number> = new Set([500, 502, 504]);

function isLost({ delivery, status }: JournalCall): boolean {
  return delivery === 'LOST' || SILENT.has(status);
}

/** Threads read the time a little apart. No client gives up and tries again, or looks, within it. */
const APART_MS = 1;

interface BlindRetry {
  readonly lost: TimedCall;
  readonly retry: TimedCall;
}

/**
 * Writes that were repeated with the same parameters after one whose answer was lost, without a read of their family in between. They are
 * taken in the order in which they arrived: a client that gives up waiting tries again before the call that it has given up is answered.
 */
function blindRetries(calls: readonly TimedCall[]): readonly BlindRetry[] {
  const found: BlindRetry[] = [];
  const ownFamilyOf = ownFamilies(calls);
  const known = calls.filter(({ operation }) => operation !== null);
  const writes = known.filter((call) => call.writes).sort((one, other) => one.arrived_ms - other.arrived_ms);
  const looks = known.filter((call) => !call.writes && call.delivery === 'SENT' && call.status < 400).values();
  let look = looks.next().value;
  // When the last read of a family arrived, of those that were answered so far.
  const looked = new Map<string, number>();
  // The writes of a family whose answers were lost, by what they have sent, until they are repeated.
  const open = new Map<string, Map<string, TimedCall>>();
  for (const write of writes) {
    for (; look !== undefined && look.answered_ms <= write.arrived_ms + APART_MS; look = looks.next().value) {
      const family = ownFamilyOf(look);
      looked.set(family, Math.max(looked.get(family) ?? look.arrived_ms, look.arrived_ms));
    }
    const family = ownFamilyOf(write);
    const sent = sentBy(write);
    const lost = open.get(family)?.get(sent);
    // What came in one request is no retry of itself.
    const isRetry = lost !== undefined && lost.arrived_ms < write.arrived_ms;
    if (isRetry && (looked.get(family) ?? lost.arrived_ms) <= lost.arrived_ms) found.push({ lost, retry: write });
    if (isLost(write)) open.set(family, (open.get(family) ?? new Map<string, TimedCall>()).set(sent, write));
    else open.get(family)?.delete(sent);
  }
  return found;
}

/**
 * Returns what tells the family of a call, for its caller alone. A call that failed before its caller was proved, as with many faults, is
 * that of who came with the same key and token, as far as calls with them were proved.
 */
function ownFamilies(calls: readonly JournalCall[]): (call: JournalCall) => string {
  const proved = new Map<string, string | undefined>();
  for (const call of calls) {
    const caller = callerOf(call);
    if (caller === undefined) continue;
    const signer = signerOf(call);
    // Without a signature, several can have come with nothing that tells them apart.
    proved.set(signer, proved.has(signer) && proved.get(signer) !== caller ? undefined : caller);
  }
  return (call) => {
    const signer = signerOf(call);
    return `${familyOf(call)} ${callerOf(call) ?? proved.get(signer) ?? signer}`;
  };
}

/** What a call has sent, as text: the same for calls that mean the same. */
function sentBy({ operation, left_out_bytes, left_out_digest, path, params, body }: JournalCall): string {
  const hasParams = Object.keys(params).length > 0;
  // Of a body that is too long to be kept, the parameters of the path are not known either.
  return `${operation} ${left_out_bytes} ${left_out_digest} ${hasParams ? canonical(params) : `${path} ${body}`}`;
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return value.map(canonical).join(',');
  if (typeof value !== 'object' || value === null) return `${value}`;
  const members: Readonly<Record<string, unknown>> = { ...value };
  const names = Object.keys(members).sort();
  return `{${names.map((name) => `${name}:${canonical(members[name])}`).join(';')}}`;
}

function familyOf({ operation }: JournalCall): string {
  return (operation ?? '').split('.', 1)[0] ?? '';
}

function callerOf({ caller }: JournalCall): string | undefined {
  return caller === null ? undefined : `${caller.user_id} ${caller.app_id}`;
}

/** What a call came with, whether or not it was right. */
function signerOf(call: JournalCall): string {
  return `signed ${call.consumer_key} ${userOf(call)}`;
}

function idsOf(calls: readonly JournalCall[]): readonly string[] {
  return calls.map(({ id }) => id);
}

function nearText([near]: readonly NearCall[]): string {
  if (!near) return '';
  const differs = near.differs.map(
    ({ of, expected, sent }) => `${of} was ${sent ?? 'not sent'} instead of ${expected}`,
  );
  return ` Nearest: ${near.operation ?? 'a call of no operation'} (${near.id}, ${near.status}), where ${differs.join(', ')}.`;
}

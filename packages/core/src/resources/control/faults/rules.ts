/** Which rules make sense: known operations, errors that these can answer, effects that go together. */
import type { ErrorName } from '../../../errors/error-name.ts';
import { errorsOf } from '../../../errors/operation-errors.ts';
import { nearestName } from '../../../operation/nearest-name.ts';
import type { AnyOperation } from '../../../operation/operation.ts';
import { type Issue, invalidParameter } from '../../../wire/issues.ts';
import { show } from '../../../wire/show.ts';
import { timestampMs } from '../../../wire/timestamp.ts';
import { noSuchOperation } from '../named-operations.ts';
import { canFail, concerns, hasBody, hasTurn, matchesId } from './matching.ts';
import { FaultEffect, type FaultMatch, type FaultRule } from './params.ts';
import { damagesBody } from './phases.ts';

/** An issue of a rule. */
export type FaultIssue = Issue<'INVALID_PARAMETER' | 'MISSING_PARAMETER' | 'EXCLUSIVE_PARAMETERS'>;

/** Effects after the answer, in the work that a call leaves behind. */
export const laterEffects = ['media_processing', 'scheduled_post', 'audience_processing'] as const;
/** The name of such an effect. */
export type LaterEffect = (typeof laterEffects)[number];

/** The effects that replace the work and its answer. A rule has one of them at most. */
const replacing = ['error', 'status', 'rate_limit', 'drop'] as const;

/** Returns what is wrong with a rule. @param operations all of the contract */
export function checkFault(rule: FaultRule, operations: readonly AnyOperation[]): FaultIssue[] {
  const { match = {}, effect, until, ttl_seconds } = rule;
  const issues: FaultIssue[] = [...checkOperations(match, operations), ...checkTurn(match), ...checkEffects(effect)];
  if (until !== undefined && ttl_seconds !== undefined) issues.push(exclusive('ttl_seconds', 'until'));
  if (issues.length > 0) return issues;
  const later = laterEffects.find((name) => effect[name] !== undefined);
  if (later !== undefined) return checkLater(match, later);
  const concerned = operations.filter((operation) => concerns(match, operation));
  if (concerned.length === 0) return [concernsNothing(match, operations)];
  return [...checkError(effect, concerned), ...checkLimit(effect, concerned), ...checkBody(effect, concerned)];
}

/** The times of a world, in milliseconds since the epoch. */
interface WorldTimes {
  readonly world_ms: number;
  /** Of the clock that windows of rate limits pass by. */
  readonly limits_ms: number;
}

/** Returns what is wrong with the times at which a rule ends: one that is over already would never fire, and nobody would learn why. */
export function checkEnds({ until, effect }: FaultRule, { world_ms, limits_ms }: WorldTimes): FaultIssue[] {
  return [
    ...checkEnd('until', until, { now_ms: world_ms, clock: 'the world’s' }),
    ...checkEnd('effect.rate_limit.until', effect.rate_limit?.until, {
      now_ms: limits_ms,
      clock: 'that of rate limits',
    }),
  ];
}

function checkEnd(
  place: string,
  until: string | undefined,
  { now_ms, clock }: { readonly now_ms: number; readonly clock: string },
): FaultIssue[] {
  if (until === undefined || timestampMs(until) > now_ms) return [];
  const now = new Date(now_ms).toISOString();
  const message = `Expected a time after ${clock}, ${now}, got ${show(until)} for ${place}`;
  return [{ ...invalidParameter(parameterOf(place), until, message), details: 'in the past' }];
}

/** What is wrong with a rule that concerns no operation. It says which member is too much, if one is. */
function concernsNothing(match: FaultMatch, operations: readonly AnyOperation[]): FaultIssue {
  const { account, user, ...others } = match;
  const without = (given: FaultMatch) => operations.filter((operation) => concerns(given, operation));
  const ofAccounts = without({ ...others, user });
  const ofUsers = without({ ...others, account });
  if (account !== undefined && ofAccounts.length > 0) {
    const [first] = ofAccounts;
    const message =
      others.path !== undefined && ofAccounts.some((operation) => 'capability' in operation.access)
        ? `${show(others.path)} for match.path is not a path of ${show(account)} for match.account`
        : `${first?.id} is not called on an account, so match.account matches no call`;
    return invalidParameter('match', account, message);
  }
  if (user !== undefined && ofUsers.length > 0) {
    const message = `${ofUsers[0]?.id} is called by an app and not on behalf of a user, so match.user matches no call`;
    return invalidParameter('match', user, message);
  }
  const message = 'No operation matches all that "match" says: there is none with this path, kind and environment';
  return { error: 'INVALID_PARAMETER', parameter: 'match', message };
}

/** The turn of no call ever comes, and nobody would learn why. */
function checkTurn(match: FaultMatch): FaultIssue[] {
  if (hasTurn(match)) return [];
  const { every, first, after, probability } = match;
  if (probability === 0) {
    return [
      invalidParameter('match', 0, 'Expected a number above 0, got 0 for match.probability: it would never fire'),
    ];
  }
  const other = after === undefined ? `match.every=${every}` : `match.after=${after}`;
  const both = every !== undefined && after !== undefined ? `match.every=${every} and ${other}` : other;
  const message = `None of the first ${first} calls can match ${both}: give a greater match.first, or leave it out`;
  return [invalidParameter('match', first, message)];
}

function checkOperations(
  { operation: patterns = [], path }: FaultMatch,
  operations: readonly AnyOperation[],
): FaultIssue[] {
  const known = operations.filter(canFail).map(({ id }) => id);
  const issues: FaultIssue[] = [];
  for (const pattern of patterns) {
    if (known.some((id) => matchesId(pattern, id))) continue;
    const message = operations.some((operation) => matchesId(pattern, operation.id))
      ? `${show(pattern)} in match.operation is of the operator, whose operations have no faults: a rule could not be taken back otherwise`
      : noSuchOperation({ name: pattern, place: 'match.operation' }, known);
    issues.push(invalidParameter('match', pattern, message));
  }
  if (path !== undefined && !path.startsWith('/')) {
    const message = `Expected a path such as /12/accounts/:account_id/campaigns, got ${show(path)} for match.path`;
    issues.push(invalidParameter('match', path, message));
  }
  return issues;
}

function checkEffects(effect: FaultEffect): FaultIssue[] {
  const given = Object.keys(effect);
  const { retry_after, rate_limit, drop, body, media_processing, scheduled_post } = effect;
  const later = laterEffects.filter((name) => effect[name] !== undefined);
  const issues: FaultIssue[] = [];
  if (given.length === 0) {
    const names = Object.keys(FaultEffect.shape).join(', ');
    issues.push(missing('effect', `{"status": 503} or another of ${names}`));
  }
  if (later.length > 0 && given.length > 1) {
    const [name = ''] = later;
    const other = given.find((one) => one !== name) ?? '';
    issues.push(exclusive(`effect.${name}`, `effect.${other}`));
  }
  const replaced = replacing.filter((name) => effect[name] !== undefined && !(name === 'drop' && drop === 'mid_body'));
  const [first, second] = replaced;
  if (first !== undefined && second !== undefined) issues.push(exclusive(`effect.${second}`, `effect.${first}`));
  if (drop !== undefined && body !== undefined) issues.push(exclusive('effect.body', 'effect.drop'));
  if (retry_after !== undefined && !fails(effect)) {
    const message = 'effect.retry_after stands beside a failure: a status, or an error with status 503';
    issues.push(invalidParameter('effect', retry_after, message));
  }
  if (rate_limit !== undefined && (rate_limit.until === undefined) === (rate_limit.seconds === undefined)) {
    if (rate_limit.until === undefined) issues.push(missing('effect.rate_limit.until', 'it or seconds'));
    else issues.push(exclusive('effect.rate_limit.seconds', 'effect.rate_limit.until'));
  }
  if (media_processing) issues.push(...checkMedia(media_processing));
  if (scheduled_post?.fail === false) {
    issues.push(invalidParameter('effect', false, 'Expected true, got false for effect.scheduled_post.fail'));
  }
  return issues;
}

function checkMedia({ fail, delay_seconds, hold }: NonNullable<FaultEffect['media_processing']>): FaultIssue[] {
  const place = 'effect.media_processing';
  if (!hold) return fail || delay_seconds !== undefined ? [] : [missing(`${place}.fail`, 'it, delay_seconds or hold')];
  const other = fail ? 'fail' : delay_seconds === undefined ? undefined : 'delay_seconds';
  return other === undefined ? [] : [exclusive(`${place}.hold`, `${place}.${other}`)];
}

function fails({ status, error }: FaultEffect): boolean {
  return status !== undefined || error === 'SERVICE_UNAVAILABLE' || error === 'OVER_CAPACITY';
}

/** What comes later has no operation any more. */
function checkLater(match: FaultMatch, effect: LaterEffect): FaultIssue[] {
  const known: ReadonlySet<string> = new Set([
    ...(effect === 'media_processing' ? ['user'] : ['account', 'environment']),
    ...['every', 'first', 'after', 'probability'],
  ]);
  return Object.entries(match).flatMap(([name, value]) => {
    if (value === undefined || known.has(name)) return [];
    const message = `${effect} happens after the call: it is matched by ${[...known].join(', ')} only, not by match.${name}`;
    return [invalidParameter('match', value, message)];
  });
}

function checkError({ error }: FaultEffect, concerned: readonly AnyOperation[]): FaultIssue[] {
  if (error === undefined) return [];
  const common = commonErrors(concerned);
  if (common.some((name) => name === error)) return [];
  const unable = concerned.filter((operation) => !errorsOf(operation).some((name) => name === error));
  const who =
    concerned.length === 1
      ? concerned[0]?.id
      : unable.length === concerned.length
        ? 'None of these operations'
        : unable[0]?.id;
  const verb = concerned.length === 1 || unable.length < concerned.length ? 'does not answer' : 'answers';
  const near = nearestName(error.toUpperCase(), common);
  const all = concerned.length === 1 ? 'It answers' : `All ${concerned.length} operations answer`;
  const hint = near === undefined ? '.' : `; did you mean ${near}?`;
  const message = `${who} ${verb} ${show(error)}${hint} ${all} ${common.join(', ')}`;
  return [invalidParameter('effect', error, message)];
}

function checkLimit({ rate_limit }: FaultEffect, concerned: readonly AnyOperation[]): FaultIssue[] {
  if (rate_limit === undefined) return [];
  const unlimited = concerned.filter(({ rateLimit }) => rateLimit === null);
  if (unlimited.length < concerned.length) return [];
  const message = `${unlimited[0]?.id} has no rate limit, so effect.rate_limit cannot take effect`;
  return [invalidParameter('effect', undefined, message)];
}

function checkBody(effect: FaultEffect, concerned: readonly AnyOperation[]): FaultIssue[] {
  if (!damagesBody(effect) || concerned.some(hasBody)) return [];
  const place = effect.body === undefined ? 'effect.drop' : 'effect.body';
  const value = effect.body ?? effect.drop;
  const message = `The answer of ${concerned[0]?.id} has no body, so ${show(value)} for ${place} cannot take effect`;
  return [invalidParameter('effect', value, message)];
}

/** The errors that each of some operations can answer. */
function commonErrors(operations: readonly AnyOperation[]): readonly ErrorName[] {
  const [first, ...others] = operations.map(errorsOf);
  return (first ?? []).filter((name) => others.every((errors) => errors.includes(name)));
}

/** Returns an error of the catalogue by its name. @param operations those that a rule concerns */
export function errorNamed(name: string, operations: readonly AnyOperation[]): ErrorName | undefined {
  return operations.flatMap(errorsOf).find((known) => known === name);
}

/** The parameter is the one that was sent; messages name its member. */
function parameterOf(place: string): string {
  return place.split('.', 1)[0] ?? place;
}

function exclusive(place: string, other: string): FaultIssue {
  const message = `${place} and ${other} cannot be used together`;
  return { error: 'EXCLUSIVE_PARAMETERS', parameter: parameterOf(place), message };
}

function missing(place: string, expected: string): FaultIssue {
  return {
    error: 'MISSING_PARAMETER',
    parameter: parameterOf(place),
    message: `${place} is missing: expected ${expected}`,
  };
}

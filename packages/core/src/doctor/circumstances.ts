/** Problems besides the signature: the time, and the caller's facts about key, token, nonce and body. */
import type { SignedRequest } from '../auth/parse.ts';
import { type AuthProblem, checkTimestamp } from '../auth/rules.ts';
import { type Finding, finding } from './mistakes.ts';

/** Facts of the caller about a request besides its signature. */
export interface KnownFacts {
  /** If omitted, no secrets mean an unknown key. */
  readonly consumer?: 'known' | 'unknown' | undefined;
  /** `missing`: the operation requires a token, and the request has none. */
  readonly token?: 'known' | 'unknown' | 'other_app' | 'revoked' | 'missing' | undefined;
  readonly nonceUsed?: boolean | undefined;
  readonly bodyHashWrong?: boolean | undefined;
}

/** Offsets of time zones in use, in minutes. */
const ZONE_OFFSETS: ReadonlySet<number> = new Set([
  ...Array.from({ length: 27 }, (_, index) => (index - 12) * 60),
  ...[-570, -210, -150, 210, 270, 330, 345, 390, 525, 570, 630, 765, 825],
]);
/** Maximum distance from a zone's offset that is attributed to it: synchronized clocks are right to a few seconds. */
const ZONE_TOLERANCE_SECONDS = 90;
/** A time in smaller units is recognized when it is this close to the present, in seconds: 10 years. */
const ERA_SECONDS = 315_576_000;

/** Returns the problems with the time of a signed request. */
export function timeFindings(timestamp: number, nowSeconds: number): readonly Finding[] {
  const problem = checkTimestamp(timestamp, nowSeconds);
  if (problem === undefined) return [];
  if (unitOf(String(timestamp), nowSeconds) !== undefined) return [finding('timestamp_in_milliseconds')];
  const ahead = timestamp - Math.floor(nowSeconds);
  const minutes = Math.round(ahead / 1800) * 30;
  for (const zone of [minutes, Math.round(ahead / 900) * 15]) {
    if (zone !== 0 && ZONE_OFFSETS.has(zone) && Math.abs(ahead - zone * 60) <= ZONE_TOLERANCE_SECONDS) {
      return [finding('timestamp_in_local_time', `It is ${hours(zone)} hours ${ahead > 0 ? 'ahead' : 'behind'}.`)];
    }
  }
  return [finding('clock_skew', problem.message)];
}

function hours(minutes: number): number {
  return Math.abs(minutes) / 60;
}

/** Returns the unit of a timestamp that is too large to be in seconds. */
function unitOf(text: string, nowSeconds: number): string | undefined {
  if (!/^[0-9]{12,19}$/.test(text)) return undefined;
  const value = Number(text);
  for (const [unit, perSecond] of [
    ['milliseconds', 1e3],
    ['microseconds', 1e6],
    ['nanoseconds', 1e9],
  ] as const) {
    if (Math.abs(value / perSecond - nowSeconds) < ERA_SECONDS) return unit;
  }
  return undefined;
}

/** Returns the problems of a request that cannot be parsed as a signed one. */
export function problemFindings(
  problems: readonly AuthProblem[],
  timestampText: string | undefined,
  nowSeconds: number,
): readonly Finding[] {
  return problems.map(({ code, message }): Finding => {
    switch (code) {
      case 'malformed_timestamp': {
        const unit = unitOf(timestampText ?? '', nowSeconds);
        if (unit !== undefined) return finding('timestamp_in_milliseconds', `It is in ${unit}.`);
        return finding(code, message);
      }
      case 'timestamp_out_of_window':
        return finding('clock_skew', message);
      case 'used_nonce':
        return finding('reused_nonce', message);
      case 'invalid_consumer':
        return finding('unknown_consumer_key', message);
      case 'invalid_token':
        return finding('unknown_token', message);
      case 'invalid_signature':
        return finding('signature_malformed', message);
      default:
        return finding(code, message);
    }
  });
}

/**
 * Returns the problems with key and token, in the order in which a server detects them; they make the signature
 * unverifiable.
 */
export function identityFindings(request: SignedRequest, facts: KnownFacts, hasSecrets: boolean): readonly Finding[] {
  const findings: Finding[] = [];
  if (facts.consumer === 'unknown' || (facts.consumer === undefined && facts.token === undefined && !hasSecrets)) {
    const { consumerKey } = request.oauth;
    const detail = /^\s|\s$|^["']|["']$/.test(consumerKey) ? 'The key has white space or quotes around it.' : undefined;
    findings.push(finding('unknown_consumer_key', detail));
  }
  if (facts.token === 'unknown') {
    const detail = /^\s|\s$|^["']|["']$/.test(request.oauth.token ?? '')
      ? 'The token has white space or quotes around it.'
      : undefined;
    findings.push(finding('unknown_token', detail));
  }
  if (facts.token === 'other_app') findings.push(finding('token_of_other_app'));
  if (facts.token === 'missing') findings.push(finding('token_missing'));
  return findings;
}

/** Returns problems that are independent of the signature. */
export function laterFindings(facts: KnownFacts): readonly Finding[] {
  const findings: Finding[] = [];
  if (facts.bodyHashWrong) findings.push(finding('wrong_body_hash'));
  if (facts.token === 'revoked') findings.push(finding('revoked_token'));
  if (facts.nonceUsed) findings.push(finding('reused_nonce'));
  return findings;
}

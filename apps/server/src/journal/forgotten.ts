/** What a journal knows of requests that it no longer has. */
import type { Forgotten } from '@broadside/core/resources/control/journal';

/** Counts requests that were forgotten with others. */
export function joined(one: Forgotten | undefined, other: Forgotten | undefined): Forgotten | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return {
    requests: one.requests + other.requests,
    arrived_ms: Math.max(one.arrived_ms, other.arrived_ms),
    answered_ms: Math.max(one.answered_ms, other.answered_ms),
  };
}

/** Requests of which nothing but their number is known, and that they had been answered by a time. */
export function forgottenBy(
  requests: number,
  { arrived_ms, answered_ms }: Omit<Forgotten, 'requests'>,
): Forgotten | undefined {
  return requests === 0 ? undefined : { requests, arrived_ms, answered_ms };
}

import type { Clock } from '../world/clock.ts';

const DAY_MS = 86_400_000;

/** The end of a time of grace: in milliseconds, and as a timestamp, which has whole seconds. */
export function dueIn(clock: Clock, days: number): { readonly due_ms: number; readonly delete_at: string } {
  const due_ms = clock.now() + days * DAY_MS;
  return { due_ms, delete_at: new Date(due_ms).toISOString().replace(/\.\d+Z$/, 'Z') };
}

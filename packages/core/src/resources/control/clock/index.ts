export {
  CLOCKS_END_MS,
  type Happening,
  type HappeningName,
  happeningNames,
  type LimitsClock,
  limitsClocks,
  type WorldClock,
} from './entity.ts';
export type { ClockAdvance, ClockSet } from './params.ts';
export { type ClockIssue, checkChanges, checkTarget, type Destination, furthest, resolveAdvance } from './rules.ts';

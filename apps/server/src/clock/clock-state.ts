/** What is told of the clock of a world: its state, what came of an advance, and why it cannot be changed. */
import type { ClockIssue } from '@broadside/core/resources/control/clock';
import type { Database } from '../db/database.ts';
import type { Clock, WallClock } from '../world/clock.ts';
import type { Happenings } from './happenings.ts';

/** The clock cannot be changed like this; the issues say what is right. */
export class ClockRejectedError extends Error {
  override readonly name = 'ClockRejectedError';
  readonly issues: readonly ClockIssue[];

  constructor(issues: ClockRejectedError['issues']) {
    super(issues[0]?.message);
    this.issues = issues;
  }
}

/** The state of a clock. */
export interface ClockState {
  readonly now_ms: number;
  readonly rate: number;
  readonly frozen: boolean;
  readonly limits: 'wall' | 'world';
  /** It was never set or advanced. */
  readonly follows_machine: boolean;
  readonly advancing: boolean;
}

/** What came of an advance. */
export interface Advanced {
  readonly from_ms: number;
  readonly state: ClockState;
  readonly happenings: Happenings;
  /** False where more jobs were due than one advance runs: the clock stands before the time that was asked for. */
  readonly complete: boolean;
}

/** What the time of a world follows. */
export interface TimeServices {
  /** The platform's. */
  readonly database: Database;
  readonly wall: WallClock;
  /** A clock that the one who opened the world holds. */
  readonly given?: Clock | undefined;
}

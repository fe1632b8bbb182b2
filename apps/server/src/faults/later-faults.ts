/** Faults of the work that calls leave behind, as its jobs meet them. */
import type { LaterEffect } from '@broadside/core/resources/control/faults';
import type { Environment } from '../world/environment.ts';

/** What befalls work after a call. */
export interface LaterFault {
  readonly id: string;
  readonly fails: boolean;
  /** It does not end by itself. */
  readonly holds: boolean;
  readonly delay_ms: number;
}

/** What such work is about. */
export interface LaterSubject {
  readonly environment?: Environment;
  readonly account_id?: string;
  readonly user_id?: string;
}

/** The rules of a world that concern such work. */
export interface LaterFaults {
  /** False where no rule can fire: nothing else is asked then. */
  readonly armed: boolean;
  /** Returns what befalls the work, and counts it; `undefined` where nothing does. */
  later(effect: LaterEffect, about: LaterSubject): Promise<LaterFault | undefined>;
}

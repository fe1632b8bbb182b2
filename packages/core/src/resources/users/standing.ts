/** How a person or an app stands on the platform: suspended or not, and whether all that is held on them is to be deleted. */

/** What is stored of it. */
export interface StandingFlags {
  /** Nobody sees them, and nothing can be called in their name: suspended, or to be deleted. */
  readonly suspended: boolean;
  /** What the operator gave as the reason for a suspension; null for none. */
  readonly suspended_reason: string | null;
  /** When all is deleted, as a timestamp; null for never. */
  readonly delete_at: string | null;
  /** While they are to be deleted: whether they are suspended all the same when that is cancelled. */
  readonly stays_suspended: boolean;
}

/** Suspends. @param reason without one, that of a suspension before stays */
export function suspended(before: StandingFlags, reason?: string): StandingFlags {
  const suspended_reason = reason ?? before.suspended_reason;
  return { ...before, suspended: true, suspended_reason, stays_suspended: before.delete_at !== null };
}

/** Ends a suspension. Who is to be deleted stays hidden until that is cancelled. */
export function restored(before: StandingFlags): StandingFlags {
  return { ...before, suspended: before.delete_at !== null, suspended_reason: null, stays_suspended: false };
}

/** Has all be deleted at a time. */
export function deletedAt(before: StandingFlags, delete_at: string): StandingFlags {
  const stays_suspended = before.delete_at === null ? before.suspended : before.stays_suspended;
  return { ...before, suspended: true, delete_at, stays_suspended };
}

/** Cancels a deletion: they are suspended again if they were. */
export function kept(before: StandingFlags): StandingFlags {
  if (before.delete_at === null) return before;
  return { ...before, suspended: before.stays_suspended, delete_at: null, stays_suspended: false };
}

export {
  PublicationFailure,
  ScheduledPost,
  type ScheduledStatus,
  scheduledStatuses,
} from './entity.ts';
export {
  checkDeletable,
  checkDensity,
  checkEditable,
  checkScheduledTime,
  MAX_DAYS_AHEAD,
  MAX_IN_WINDOW,
  type ScheduledState,
  windowAround,
} from './rules.ts';

export {
  PublicationFailure,
  ScheduledPost,
  scheduledStatuses,
} from './entity.ts';
export {
  checkDeletable,
  checkDensity,
  checkEditable,
  checkScheduledTime,
  windowAround,
} from './rules.ts';

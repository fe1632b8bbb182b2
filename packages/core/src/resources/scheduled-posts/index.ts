export {
  PublicationFailure,
  ScheduledPost,
  type ScheduledStatus,
  scheduledStatuses,
} from './entity.ts';

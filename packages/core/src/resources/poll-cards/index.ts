export {
  choicesOf,
  displayPoll,
  MAX_CHOICE,
  maxPollMinutes,
  minPollMinutes,
  PollCard,
  type PollCardType,
  pollCardTypes,
  pollEnd,
  type StoredPoll,
} from './entity.ts';
export { checkPoll, type PollIssue, resolvePoll } from './rules.ts';

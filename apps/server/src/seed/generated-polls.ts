/** Polls of generated posts and who votes in them: determined by the seed and the number of the post alone. */
import { snowflakeAt } from '../world/ids.ts';
import { languages } from './languages.ts';
import { at, kinds, type WorldPlan } from './plan.ts';
import type { WrittenPost } from './post-text.ts';
import type { SeededPoll, SeededVote } from './rows.ts';

/** Of the posts that can have a poll. */
const SHARE = 0.01;
/** Maximum number of votes in a poll. All of them are rows, so that nobody votes twice later. */
const MAX_VOTES = 40;
const DURATIONS = [60, 1440, 1440, 4320, 10_080];
const MAX_LABEL = 25;
// As with media, whose posts have no polls: ids differ from those of posts and people of the same time.
const LOW = (1 << 21) | (1 << 20);

/** A poll, and its votes by the numbers of people. */
export interface GeneratedPoll {
  readonly poll: SeededPoll;
  readonly votes: readonly (Omit<SeededVote, 'poll_id' | 'user_id'> & { readonly user: number })[];
}

/**
 * Returns the poll of a post; `undefined` for most. Originals of people whom everybody sees have them.
 * @param written the text of the post, which has no media
 */
export function pollOfPost(
  plan: WorldPlan,
  post: number,
  { lang }: Pick<WrittenPost, 'lang'>,
): GeneratedPoll | undefined {
  const { posts, users, seed, parameters } = plan;
  if (at(posts.kind, post) !== kinds.original || at(users.protected, at(posts.author, post)) === 1) return undefined;
  const stream = seed.stream('polls', post);
  if (!stream.chance(SHARE)) return undefined;
  const labels = languages[lang].topics.filter((topic) => [...topic].length <= MAX_LABEL);
  const first = stream.below(labels.length);
  const count = Math.min(labels.length, 2 + stream.below(3));
  const choices = Array.from({ length: count }, (_, index) => labels[(first + index) % labels.length] ?? '');
  const start_ms = at(posts.created_ms, post);
  const duration_minutes = stream.pick(DURATIONS);
  const end_ms = start_ms + duration_minutes * 60_000;
  const until = Math.min(end_ms, parameters.until_ms);
  const wanted = Math.min(users.count, MAX_VOTES, stream.below(6) + 3 * at(posts.likes, post));
  const nearest = stream.below(users.count);
  const counts = [0, 0, 0, 0];
  const votes: { user: number; choice: number; created_ms: number }[] = [];
  for (let vote = 0; vote < wanted; vote++) {
    const user = (nearest + vote) % users.count;
    const soonest = Math.max(start_ms, at(users.created_ms, user));
    // Small numbers come more often, so that most polls have a favourite.
    const choice = 1 + stream.low(count);
    const created_ms = soonest + Math.floor((until - soonest) * stream.fraction());
    // Some join too late.
    if (soonest >= until) continue;
    votes.push({ user, choice, created_ms });
    counts[choice - 1] = at(counts, choice - 1) + 1;
  }
  const id = snowflakeAt(start_ms, BigInt(LOW | stream.below(1 << 20)));
  const [votes_1 = 0, votes_2 = 0, votes_3 = 0, votes_4 = 0] = counts;
  return { poll: { id, choices, duration_minutes, start_ms, end_ms, votes_1, votes_2, votes_3, votes_4 }, votes };
}

/** Statements that find and delete what the platform store holds on a person. Each reads a bounded number of rows. */
import { and, asc, eq, gt, sql } from 'drizzle-orm';
import { query } from '../db/query-builder.ts';
import { rows, statement } from '../db/statement.ts';
import { types } from '../db/value-types.ts';
import { follows } from '../follows/platform-table.ts';
import { requestTokens } from '../identity/platform-table.ts';
import { media } from '../media/platform-table.ts';
import { notifications } from '../notifications/platform-table.ts';
import { polls, pollVotes } from '../polls/platform-table.ts';
import { likes, posts } from '../posts/platform-table.ts';

const size = { count: types.int };

/** Posts of an author, deleted ones too. */
export const listPostsOf = statement({ author_id: posts.author_id, after: posts.id, ...size }, (args) =>
  query
    .select({ id: posts.id })
    .from(posts)
    .where(and(eq(posts.author_id, args.author_id), gt(posts.id, args.after)))
    .orderBy(asc(posts.id))
    .limit(args.count.placeholder),
);
// Likes and votes are found by post and poll, which is what they are read by: an index by person would cost each of them for what is
// rarely done. They are gone through in the order of their keys, a number of rows at a time.
const from = { first: types.long, second: types.long, ...size };

/** The likes of a person among so many rows from a key on, and the last key of these. */
export const scanLikes = statement({ ...from, user_id: types.long }, ({ first, second, count, user_id }) =>
  rows(
    { post_id: likes.post_id, user_id: likes.user_id, created_ms: likes.created_ms },
    (columns) => sql`SELECT ${columns} FROM (
      SELECT * FROM ${likes} WHERE (${likes.post_id}, ${likes.user_id}) > (${first}, ${second})
      ORDER BY ${likes.post_id}, ${likes.user_id} LIMIT ${count}
    ) AS ${likes} WHERE ${likes.user_id} = ${user_id}`,
  ),
);
export const endOfLikes = statement(from, ({ first, second, count }) =>
  rows(
    { first: likes.post_id, second: likes.user_id },
    (columns) => sql`SELECT ${columns} FROM ${likes} WHERE (${likes.post_id}, ${likes.user_id}) > (${first}, ${second})
      ORDER BY ${likes.post_id}, ${likes.user_id} LIMIT 1 OFFSET ${count} - 1`,
  ),
);
export const deleteLike = statement({ post_id: likes.post_id, user_id: likes.user_id }, (key) =>
  query.delete(likes).where(and(eq(likes.post_id, key.post_id), eq(likes.user_id, key.user_id))),
);

/** The same of votes. */
export const scanVotes = statement({ ...from, user_id: types.long }, ({ first, second, count, user_id }) =>
  rows(
    {
      poll_id: pollVotes.poll_id,
      user_id: pollVotes.user_id,
      choice: pollVotes.choice,
      created_ms: pollVotes.created_ms,
    },
    (columns) => sql`SELECT ${columns} FROM (
      SELECT * FROM ${pollVotes} WHERE (${pollVotes.poll_id}, ${pollVotes.user_id}) > (${first}, ${second})
      ORDER BY ${pollVotes.poll_id}, ${pollVotes.user_id} LIMIT ${count}
    ) AS ${pollVotes} WHERE ${pollVotes.user_id} = ${user_id}`,
  ),
);
export const endOfVotes = statement(from, ({ first, second, count }) =>
  rows(
    { first: pollVotes.poll_id, second: pollVotes.user_id },
    (
      columns,
    ) => sql`SELECT ${columns} FROM ${pollVotes} WHERE (${pollVotes.poll_id}, ${pollVotes.user_id}) > (${first}, ${second})
      ORDER BY ${pollVotes.poll_id}, ${pollVotes.user_id} LIMIT 1 OFFSET ${count} - 1`,
  ),
);
export const deleteVote = statement({ poll_id: pollVotes.poll_id, user_id: pollVotes.user_id }, (key) =>
  query.delete(pollVotes).where(and(eq(pollVotes.poll_id, key.poll_id), eq(pollVotes.user_id, key.user_id))),
);
const counters = [polls.votes_1, polls.votes_2, polls.votes_3, polls.votes_4] as const;
/** Take a vote back, by the position of its choice, from 1. */
export const uncountVote = counters.map((column) =>
  statement(
    { id: polls.id },
    ({ id }) =>
      query
        .update(polls)
        .set({ [column.name]: sql`max(0, ${column} - 1)` })
        .where(eq(polls.id, id)),
    ({ id }) => `${id}`,
  ),
);

/** Follows of a person, and of others that follow them. */
export const listFollowing = statement({ user_id: types.long, ...size }, ({ user_id, count }) =>
  query.select().from(follows).where(eq(follows.follower_id, user_id)).limit(count.placeholder),
);
export const listFollowers = statement({ user_id: types.long, ...size }, ({ user_id, count }) =>
  query.select().from(follows).where(eq(follows.followed_id, user_id)).limit(count.placeholder),
);
export const deleteFollow = statement({ follower_id: follows.follower_id, followed_id: follows.followed_id }, (key) =>
  query.delete(follows).where(and(eq(follows.follower_id, key.follower_id), eq(follows.followed_id, key.followed_id))),
);

/** The owners of so many media from an id on. */
export const scanMedia = statement({ after: media.id, ...size }, ({ after, count }) =>
  query
    .select({ id: media.id, owner_user_id: media.owner_user_id })
    .from(media)
    .where(gt(media.id, after))
    .orderBy(asc(media.id))
    .limit(count.placeholder),
);

export const deleteNotifications = statement({ user_id: notifications.user_id }, ({ user_id }) =>
  query.delete(notifications).where(eq(notifications.user_id, user_id)),
);
// Few: they expire within minutes.
export const deleteRequestTokens = statement({ user_id: types.text }, ({ user_id }) =>
  query.delete(requestTokens).where(eq(requestTokens.user_id, user_id)),
);

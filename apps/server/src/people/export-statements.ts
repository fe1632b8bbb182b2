/** Statements that read what the platform store holds on a person or an app, for an export: no secrets, a bounded number of rows each. */
import { and, asc, eq, getTableColumns, gt, sql } from 'drizzle-orm';
import { query } from '../db/query-builder.ts';
import { rows, statement } from '../db/statement.ts';
import { types } from '../db/value-types.ts';
import { follows } from '../follows/platform-table.ts';
import { accessTokens, bearerTokens, sessions, users } from '../identity/platform-table.ts';
import { media } from '../media/platform-table.ts';
import { notifications } from '../notifications/platform-table.ts';
import { posts } from '../posts/platform-table.ts';

const { password_hash: _, screen_name_folded: __, ...person } = getTableColumns(users);
const { blob_key, preview_blob_key: ___, ...medium } = getTableColumns(media);

export const findPerson = statement({ id: users.id }, ({ id }) =>
  query.select(person).from(users).where(eq(users.id, id)).limit(1),
);
export const listSessions = statement({ user_id: sessions.user_id }, ({ user_id }) =>
  query
    .select({ created_ms: sessions.created_ms, expires_ms: sessions.expires_ms })
    .from(sessions)
    .where(eq(sessions.user_id, user_id)),
);
export const listTokens = statement({ user_id: accessTokens.user_id }, ({ user_id }) =>
  query
    .select({
      app_id: accessTokens.app_id,
      access_level: accessTokens.access_level,
      created_at: accessTokens.created_at,
      revoked_at: accessTokens.revoked_at,
      by_approval: accessTokens.by_approval,
    })
    .from(accessTokens)
    .where(eq(accessTokens.user_id, user_id)),
);
export const listNotifications = statement({ user_id: notifications.user_id }, ({ user_id }) =>
  query.select().from(notifications).where(eq(notifications.user_id, user_id)).orderBy(asc(notifications.id)),
);
export const listPosts = statement({ author_id: posts.author_id, after: posts.id, count: types.int }, (args) =>
  query
    .select()
    .from(posts)
    .where(and(eq(posts.author_id, args.author_id), gt(posts.id, args.after)))
    .orderBy(asc(posts.id))
    .limit(args.count.placeholder),
);
export const listFollowing = statement({ user_id: types.long, after: types.long, count: types.int }, (args) =>
  query
    .select()
    .from(follows)
    .where(and(eq(follows.follower_id, args.user_id), gt(follows.followed_id, args.after)))
    .orderBy(asc(follows.followed_id))
    .limit(args.count.placeholder),
);
export const listFollowers = statement({ user_id: types.long, after: types.long, count: types.int }, (args) =>
  query
    .select()
    .from(follows)
    .where(and(eq(follows.followed_id, args.user_id), gt(follows.follower_id, args.after)))
    .orderBy(asc(follows.follower_id))
    .limit(args.count.placeholder),
);
/** What is known of media, without the names of blobs, which open them. */
export const findMedium = statement({ id: media.id }, ({ id }) =>
  query.select(medium).from(media).where(eq(media.id, id)).limit(1),
);
export const findBlob = statement({ id: media.id }, ({ id }) =>
  query.select({ blob_key }).from(media).where(eq(media.id, id)).limit(1),
);

/** Access tokens of an app among so many rows from a number on, and the last of these. */
export const scanTokensOf = statement({ after: types.long, count: types.int, app_id: types.text }, (args) =>
  rows(
    {
      user_id: accessTokens.user_id,
      access_level: accessTokens.access_level,
      created_at: accessTokens.created_at,
      revoked_at: accessTokens.revoked_at,
      by_approval: accessTokens.by_approval,
    },
    (columns) => sql`SELECT ${columns} FROM (
      SELECT * FROM ${accessTokens} WHERE rowid > ${args.after} ORDER BY rowid LIMIT ${args.count}
    ) AS ${accessTokens} WHERE ${accessTokens.app_id} = ${args.app_id}`,
  ),
);
export const endOfTokens = statement({ after: types.long, count: types.int }, ({ after, count }) =>
  rows(
    { number: sql`rowid`.mapWith(types.long) },
    (columns) =>
      sql`SELECT ${columns} FROM ${accessTokens} WHERE rowid > ${after} ORDER BY rowid LIMIT 1 OFFSET ${count} - 1`,
  ),
);
export const listBearerTokens = statement({ app_id: bearerTokens.app_id }, ({ app_id }) =>
  query
    .select({ created_at: bearerTokens.created_at, revoked_at: bearerTokens.revoked_at })
    .from(bearerTokens)
    .where(eq(bearerTokens.app_id, app_id)),
);

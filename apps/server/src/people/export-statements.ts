/** Statements that read what the platform store holds on a person, for an export: no secrets, a bounded number of rows each. */
import { and, asc, eq, getTableColumns, gt } from 'drizzle-orm';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { types } from '../db/value-types.ts';
import { follows } from '../follows/platform-table.ts';
import { accessTokens, sessions, users } from '../identity/platform-table.ts';
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

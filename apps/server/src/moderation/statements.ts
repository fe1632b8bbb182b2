/** Statements of the moderation of posts. */
import { and, asc, desc, eq, getTableColumns, isNull, lt, sql } from 'drizzle-orm';
import { query } from '../db/query-builder.ts';
import { rows, statement } from '../db/statement.ts';
import { among, orNull, types } from '../db/value-types.ts';
import { posts } from '../posts/platform-table.ts';
import { heldPromotions, moderatedPosts } from './platform-table.ts';

const { post_id, state, reason, decided_ms } = moderatedPosts;

export const findDecision = statement({ post_id }, (args) =>
  query.select({ state, reason, decided_ms }).from(moderatedPosts).where(eq(post_id, args.post_id)).limit(1),
);
export const putDecision = statement(getTableColumns(moderatedPosts), (decision) =>
  query
    .insert(moderatedPosts)
    .values(decision)
    .onConflictDoUpdate({
      target: post_id,
      set: { state: decision.state, reason: decision.reason, decided_ms: decision.decided_ms },
    }),
);
export const deleteDecision = statement({ post_id }, (args) =>
  query.delete(moderatedPosts).where(eq(post_id, args.post_id)),
);
export const setTakenDown = statement(
  { id: posts.id, taken_down_ms: orNull(types.int) },
  (args) => query.update(posts).set({ taken_down_ms: args.taken_down_ms }).where(eq(posts.id, args.id)),
  ({ id }) => `${id}`,
);

const shown = { id: posts.id, author_id: posts.author_id, text: posts.text, state, reason, decided_ms };
const page = { before: post_id, count: types.int };
const isThere = isNull(posts.deleted_ms);

export const listDecided = statement(page, (args) =>
  query
    .select(shown)
    .from(moderatedPosts)
    .innerJoin(posts, eq(posts.id, post_id))
    .where(and(lt(post_id, args.before), isThere))
    .orderBy(desc(post_id))
    .limit(args.count.placeholder),
);
export const listInState = statement({ ...page, state }, (args) =>
  query
    .select(shown)
    .from(moderatedPosts)
    .innerJoin(posts, eq(posts.id, post_id))
    .where(and(eq(state, args.state), lt(post_id, args.before), isThere))
    .orderBy(desc(post_id))
    .limit(args.count.placeholder),
);

/** Why posts of these ids were taken down, of those that were. */
export const listReasons = statement({ ids: types.longs }, ({ ids }) =>
  query
    .select({ id: post_id, reason })
    .from(moderatedPosts)
    .where(and(among(post_id, ids), eq(state, 'TAKEN_DOWN'))),
);

const held = getTableColumns(heldPromotions);

export const holdPromotion = statement(held, (promotion) =>
  query
    .insert(heldPromotions)
    .values(promotion)
    .onConflictDoUpdate({
      target: [held.post_id, held.environment, held.account_id, held.promoted_post_id],
      set: { approval_status: promotion.approval_status },
    }),
);
// From what is held, which is little: a post may have very many reposts.
export const listHeldPosts = statement({ post_id: held.post_id }, (args) =>
  rows(
    { post_id: held.post_id },
    (
      columns,
    ) => sql`SELECT DISTINCT ${columns} FROM ${heldPromotions} CROSS JOIN ${posts} ON ${posts.id} = ${held.post_id}
      WHERE ${posts.id} = ${args.post_id} OR ${posts.reposted_id} = ${args.post_id}`,
  ),
);
export const listHeld = statement({ post_id: held.post_id, count: types.int }, (args) =>
  query
    .select()
    .from(heldPromotions)
    .where(eq(held.post_id, args.post_id))
    .orderBy(asc(held.environment), asc(held.account_id), asc(held.promoted_post_id))
    .limit(args.count.placeholder),
);
const { approval_status: _, ...key } = held;
export const releasePromotion = statement(key, (args) =>
  query
    .delete(heldPromotions)
    .where(
      and(
        eq(held.post_id, args.post_id),
        eq(held.environment, args.environment),
        eq(held.account_id, args.account_id),
        eq(held.promoted_post_id, args.promoted_post_id),
      ),
    ),
);
export const releaseAll = statement({ post_id: held.post_id }, (args) =>
  query.delete(heldPromotions).where(eq(held.post_id, args.post_id)),
);

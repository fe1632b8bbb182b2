/** The operator's procedures on posts: in the name of people, and decisions on what others see. */
import { type Issue, type OperatorContract, operatorContract, type Reject } from '@broadside/core';
import type { ModeratedPost } from '@broadside/core/resources/operator';
import { pageOf } from '../../db/page.ts';
import type { HandlersOf } from '../../pipeline/context.ts';
import { detectLanguage } from '../../posts/detect-language.ts';
import { findUser } from '../users/find.ts';
import { accepted, OPERATOR_SOURCE } from './accepted.ts';

type Handlers = HandlersOf<OperatorContract['admin']>;

const { posts, polls, follows } = operatorContract.admin;

const noPost = (post_id: string): Issue<'NOT_FOUND'> => ({
  error: 'NOT_FOUND',
  parameter: 'post_id',
  value: post_id,
  message: `There is no post ${post_id}`,
});

async function found(
  reject: Reject<'NOT_FOUND'>,
  post_id: string,
  decided: Promise<ModeratedPost | undefined>,
): Promise<ModeratedPost> {
  const post = await decided;
  if (post) return post;
  throw reject.error(noPost(post_id));
}

/** Posts. */
export const adminPosts: Handlers['posts'] = {
  async create(context, { user_id, lang, source, ...post }) {
    await findUser(context.reject, context.world, user_id, 'user_id');
    const { world, actor } = context;
    const create = world.posts.create(actor, {
      ...post,
      author_id: user_id,
      lang: lang ?? (await detectLanguage(post.text)),
      source: source ?? OPERATOR_SOURCE,
    });
    return { id: await accepted(context.reject, posts.create.errors, create) };
  },
  async repost(context, { user_id, post_id, source }) {
    await findUser(context.reject, context.world, user_id, 'user_id');
    const { world, actor } = context;
    const repost = { author_id: user_id, post_id, source: source ?? OPERATOR_SOURCE };
    return { id: await accepted(context.reject, posts.repost.errors, world.posts.repost(actor, repost)) };
  },
  async delete({ world, actor, reject }, { post_id }) {
    if (await world.moderation.delete(actor, post_id)) return { id: post_id };
    throw reject.error(noPost(post_id));
  },
  async like(context, { user_id, post_id }) {
    await findUser(context.reject, context.world, user_id, 'user_id');
    const like = context.world.posts.like(context.actor, user_id, post_id, true);
    return { changed: await accepted(context.reject, posts.like.errors, like) };
  },
  async unlike(context, { user_id, post_id }) {
    await findUser(context.reject, context.world, user_id, 'user_id');
    const unlike = context.world.posts.like(context.actor, user_id, post_id, false);
    return { changed: await accepted(context.reject, posts.unlike.errors, unlike) };
  },
  async list({ world }, params) {
    return pageOf(await world.moderation.list(params), params.cursor);
  },
  report({ world, actor, reject }, { post_id, reason }) {
    return found(reject, post_id, world.moderation.report(actor, post_id, reason));
  },
  take_down({ world, actor, reject }, { post_id, reason }) {
    return found(reject, post_id, world.moderation.takeDown(actor, post_id, reason));
  },
  restore({ world, actor, reject }, { post_id }) {
    return found(reject, post_id, world.moderation.restore(actor, post_id));
  },
};

/** Votes. */
export const adminPolls: Handlers['polls'] = {
  async vote(context, { choice, ...vote }) {
    await findUser(context.reject, context.world, vote.user_id, 'user_id');
    const cast = context.world.polls.vote(context.actor, { ...vote, choice });
    return { poll_id: `${await accepted(context.reject, polls.vote.errors, cast)}`, choice };
  },
};

/** Follows. */
export const adminFollows: Handlers['follows'] = {
  async create(context, { user_id, followed_user_id }) {
    await findUser(context.reject, context.world, user_id, 'user_id');
    const follow = context.world.follows.follow(context.actor, user_id, followed_user_id);
    return { state: await accepted(context.reject, follows.create.errors, follow) };
  },
  async approve({ world, actor }, { user_id, followed_user_id }) {
    return { changed: await world.follows.approve(actor, user_id, followed_user_id) };
  },
  async delete({ world, actor }, { user_id, followed_user_id }) {
    return { changed: await world.follows.unfollow(actor, user_id, followed_user_id) };
  },
};

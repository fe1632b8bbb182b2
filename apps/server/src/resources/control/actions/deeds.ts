/** Actions of people: votes, likes, follows and reposts. */
import { controlContract } from '@broadside/core';
import type { HandlersOf } from '../../../pipeline/context.ts';
import { pollNumber } from '../../../polls/polls.ts';
import type { PostRow } from '../../../posts/store.ts';
import { accepted, OPERATOR_SOURCE } from '../../operator/find.ts';
import type { ActionsContract } from './contract.ts';
import { haveDone } from './crowd.ts';
import type { Changed } from './outcome.ts';

type Deeds = Pick<HandlersOf<ActionsContract>, 'vote' | 'like' | 'repost' | 'follow'>;
type DeedContext = Parameters<Deeds['like']>[0];

const { errors } = controlContract.control.actions.like;

async function requirePost({ world, reject }: DeedContext, post_id: string): Promise<PostRow> {
  const post = await world.posts.get(BigInt(post_id));
  if (post) return post;
  const message = `There is no post ${post_id}`;
  throw reject.error({ error: 'NOT_FOUND', parameter: 'post_id', value: post_id, message });
}

async function showPost(context: DeedContext, post_id: string): Promise<Changed> {
  const { id, author_id, public_metrics } = await requirePost(context, post_id);
  return { entity: 'POST', id: `${id}`, after: { author_id: `${author_id}`, ...public_metrics } };
}

async function showPoll({ world }: DeedContext, post: PostRow): Promise<Changed[]> {
  const number = pollNumber(post);
  const polls = number === undefined ? [] : await world.polls.read([number]);
  return polls.map(({ id, choices, end_ms, closed }) => ({
    entity: 'POLL',
    id: `${id}`,
    after: {
      options: choices.map((choice) => ({ ...choice })),
      voting_status: closed ? 'closed' : 'open',
      end_datetime: new Date(end_ms).toISOString(),
    },
  }));
}

/** Actions of people. */
export const deeds: Deeds = {
  async vote(context, { post_id, choice, ...crowd }) {
    const post = await requirePost(context, post_id);
    const number = pollNumber(post);
    const voted = haveDone(context, crowd, {
      isLeft: async ({ polls }, user_id) => number === undefined || !(await polls.hasVoted(number, user_id)),
      run: ({ polls }, user_id) => polls.vote(context.actor, { user_id, post_id, choice }),
    });
    const people = await accepted(context.reject, errors, voted);
    return { changed: await showPoll(context, post), ...people };
  },

  async like(context, { post_id, ...crowd }) {
    await requirePost(context, post_id);
    const liked = haveDone(context, crowd, {
      isLeft: async ({ posts }, user_id) => !(await posts.hasLiked(user_id, post_id)),
      run: ({ posts }, user_id) => posts.like(context.actor, user_id, post_id, true),
    });
    const people = await accepted(context.reject, errors, liked);
    return { changed: [await showPost(context, post_id)], ...people };
  },

  async repost(context, { post_id, ...crowd }) {
    const post = await requirePost(context, post_id);
    const reposted = haveDone(context, crowd, {
      isLeft: async ({ posts }, author_id) => !(await posts.hasReposted(author_id, post)),
      run: ({ posts }, author_id) => posts.repost(context.actor, { author_id, post_id, source: OPERATOR_SOURCE }),
    });
    const people = await accepted(context.reject, errors, reposted);
    return { changed: [await showPost(context, post_id)], ...people };
  },

  async follow(context, { followed_user_id: id, ...crowd }) {
    const { world, reject } = context;
    const standing = () => world.identity.users.standing(id);
    if (!(await standing())) {
      const message = `There is no user ${id}`;
      throw reject.error({ error: 'NOT_FOUND', parameter: 'followed_user_id', value: id, message });
    }
    const follows = {
      isLeft: async (inside: typeof world, user_id: string) => !(await inside.follows.has(user_id, id)),
      run: (inside: typeof world, user_id: string) => inside.follows.follow(context.actor, user_id, id),
    };
    const followed = haveDone(context, crowd, follows, new Set([id]));
    const people = await accepted(reject, errors, followed);
    return { changed: [{ entity: 'USER', id, after: { ...(await standing()) } }], ...people };
  },
};

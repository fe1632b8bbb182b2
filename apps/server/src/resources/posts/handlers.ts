import type { FullContract } from '@broadside/core';
import { type ConversationSettings, checkPosting, type ReplySettings } from '@broadside/core/resources/posts';
import type { HandlersOf } from '../../pipeline/context.ts';
import { publishedFacts } from '../../posts/v1/facts.ts';
import { promotableAmong } from '../promotable-users/find.ts';
import { listPosts } from './list.ts';
import { publishPost } from './publish.ts';

const replySettings = {
  EVERYONE: 'everyone',
  FOLLOWING: 'following',
  MENTIONED_USERS: 'mentionedUsers',
} as const satisfies Readonly<Record<ConversationSettings, ReplySettings>>;

export const handlers: HandlersOf<FullContract['posts']> = {
  lookup: ({ world, user_id, baseUrl, problemUrl }, params) =>
    world.posts.lookUp(params, { user_id, baseUrl, problemUrl }),

  list: listPosts,

  async create(context, { as_user_id, conversation_settings, trim_user, post_mode, ...post }) {
    const { account, baseUrl, permissions, reject, user_id, world } = context;
    const author = `${as_user_id}`;
    const [promotable] = await promotableAmong(account, [author]);
    reject.check(
      checkPosting({
        caller: user_id === null ? null : { user_id, permissions },
        as_user_id: author,
        promotable_user_type: promotable?.promotable_user_type,
        nullcast: post.nullcast,
      }),
    );
    const reply_settings = replySettings[conversation_settings];
    const id = await publishPost(context, { ...post, user_id: author, contributor_id: user_id, reply_settings });
    return world.posts.showCreated(id, post_mode, { user_id, baseUrl, trim_user });
  },

  async rename({ account, actor, baseUrl, reject, user_id, world }, { post_id, name }) {
    const found = await world.posts.get(post_id);
    const promotable = found ? await promotableAmong(account, [`${found.author_id}`]) : [];
    const row = promotable.length === 0 || name === undefined ? found : await world.posts.rename(actor, post_id, name);
    if (!row || promotable.length === 0) {
      const message = `No promotable user of the account has a post ${post_id}`;
      throw reject.error({ error: 'POST_NOT_FOUND', parameter: 'post_id', value: post_id, message });
    }
    const listing = { post_type: 'PUBLISHED', scheduled_at: null } as const;
    const [shown] = await world.posts.showListed([publishedFacts(row)], [listing], {
      user_id,
      baseUrl,
      trim_user: false,
    });
    if (!shown) throw new TypeError('a post that is shown is there');
    return shown;
  },
};

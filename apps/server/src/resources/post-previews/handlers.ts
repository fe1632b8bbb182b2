import type { Contract } from '@broadside/core';
import { type PostPreview, PREVIEW_MS } from '@broadside/core/resources/post-previews';
import { type Awaitable, chain } from '../../awaitable.ts';
import type { AccountContext, HandlersOf } from '../../pipeline/context.ts';
import { previewPath } from '../../post-view/preview-address.ts';
import { isTakenDown } from '../../posts/store.ts';
import { draftsById } from '../draft-posts/find.ts';
import { promotableAmong } from '../promotable-users/find.ts';
import { scheduledById } from '../scheduled-posts/find.ts';

export const handlers: HandlersOf<Contract['post_previews']> = {
  list(context, { post_ids, post_type }) {
    const { world, environment, account, caller, baseUrl } = context;
    const ids = post_ids.map(String);
    const shared = {
      post_type,
      environment,
      account_id: account.account_id,
      app_id: caller.kind === 'user' ? caller.app_id : null,
      expires_ms: world.clock.now() + PREVIEW_MS,
    } as const;
    return chain(knownOf[post_type](context, ids), (known) =>
      ids
        .filter((id) => known.has(id))
        .map((post_id) => previewOf(post_id, baseUrl + previewPath(world.platformKey, { ...shared, post_id }))),
    );
  },
};

/** Finds those of the posts that the account has in a state. */
const knownOf = {
  DRAFT: ({ account }, ids) => draftsById(account, ids),
  SCHEDULED: ({ account }, ids) => scheduledById(account, ids),
  PUBLISHED: ({ world, account }, ids) =>
    chain(world.shown.posts(ids.map(BigInt)), (known) => {
      const rows = [...known.values()].filter((row) => !row.deleted && !isTakenDown(row));
      const authors = [...new Set(rows.map(({ author_id }) => `${author_id}`))];
      return chain(promotableAmong(account, authors), (promotable) => {
        const users = new Set(promotable.map(({ user_id }) => user_id));
        return new Set(rows.filter(({ author_id }) => users.has(`${author_id}`)).map(({ id }) => `${id}`));
      });
    }),
} satisfies Record<string, (context: AccountContext, ids: readonly string[]) => Awaitable<Known>>;

/** The ids of posts. */
interface Known {
  has(id: string): boolean;
}

/**
 * Attributes of the frame: no script of the preview runs, even if there were one; it can open links in tabs of their own, and
 * show videos on the whole screen.
 */
const FRAME =
  "width='550' height='640' loading='lazy' sandbox='allow-popups allow-popups-to-escape-sandbox' allow='fullscreen' referrerpolicy='no-referrer'";

function previewOf(post_id: string, src: string): PostPreview {
  const title = `Preview of post ${post_id}`;
  return { post_id, preview: `<iframe class='post-preview' src='${src}' title='${title}' ${FRAME}></iframe>` };
}

import { type Contract, changesAnything, changesOf } from '@broadside/core';
import { changeContent, checkContent, checkContentOfNew, resolveContent } from '@broadside/core/resources/draft-posts';
import { checkMediaMix } from '@broadside/core/resources/posts';
import { chain } from '../../awaitable.ts';
import type { HandlersOf } from '../../pipeline/context.ts';
import { readHandlers } from '../../pipeline/read-handlers.ts';
import { draftPost } from './entity.ts';
import { authorOfList, checkComposer, findShown, listDrafts } from './find.ts';

export const handlers: HandlersOf<Contract['draft_posts']> = {
  ...readHandlers(draftPost, 'draft_post_id'),

  list: ({ account, reject }, { user_id: asked, ...query }) =>
    chain(authorOfList(reject, account, asked), (user_id) =>
      user_id === null ? { data: [], next_cursor: null } : listDrafts(account, { ...query, user_id }),
    ),

  async create(context, { as_user_id: user_id, ...content }) {
    const { account, actor, reject, world } = context;
    reject.check(checkContentOfNew(content));
    reject.check(checkMediaMix(await findShown(reject, context, content)));
    return account.write(actor, async (writer) => {
      await checkComposer(reject, context, writer, { user_id, nullcast: content.nullcast });
      return writer.of(draftPost).insert({ ...resolveContent(content), user_id }, world.snowflakes.next());
    });
  },

  async update(context, { draft_post_id, ...changes }) {
    const { account, actor, reject } = context;
    // In advance too, because it is the better answer.
    const found = await account.of(draftPost).find(reject, draft_post_id);
    // Saved as it was loaded, it depends on nothing: not on who may post by now.
    if (!changesAnything(found, changeContent(found, changes))) return found;
    reject.check(checkContent(changeContent(found, changes)));
    reject.check(checkMediaMix(await findShown(reject, context, changesOf(found, changes))));
    return account.write(actor, async (writer) => {
      const before = await writer.of(draftPost).find(reject, draft_post_id);
      const content = changeContent(before, changes);
      reject.check(checkContent(content));
      await checkComposer(reject, context, writer, { user_id: before.user_id, nullcast: content.nullcast });
      return writer.of(draftPost).update(before, content);
    });
  },

  delete({ account, actor, reject }, { draft_post_id }) {
    return account.write(actor, async (writer) => {
      const gone = await writer.of(draftPost).purge(await writer.of(draftPost).find(reject, draft_post_id));
      return { ...gone, status: 'DELETED' };
    });
  },

  async preview({ account, record, environment, world, user_id, baseUrl, reject }, { draft_post_id }) {
    const { id, name, text } = await account.of(draftPost).find(reject, draft_post_id);
    if (user_id === null) throw new TypeError('a user calls the advertising interface');
    await world.notifications.notifyDraft({
      user_id,
      environment,
      account_id: record.id,
      draft_post_id: id,
      title: name ?? text,
    });
    return { message: sentTo(await world.sessions.count(user_id), `${baseUrl}/notifications`) };
  },
};

/** Says in how many browsers a person is notified. @param address where their notifications are listed */
function sentTo(browsers: number, address: string): string {
  if (browsers === 0) return `No browser is signed in as you. Sign in, and find the draft at ${address}.`;
  return `The draft is shown in ${browsers === 1 ? 'the browser' : `${browsers} browsers`} in which you are signed in, and at ${address}.`;
}

import { type Contract, changesAnything, changesOf, timestampMs } from '@broadside/core';
import { changeContent, checkContent, checkContentOfNew, resolveContent } from '@broadside/core/resources/draft-posts';
import { checkDeletable, checkEditable, checkScheduledTime } from '@broadside/core/resources/scheduled-posts';
import { chain } from '../../awaitable.ts';
import { mapPage } from '../../db/page.ts';
import type { HandlersOf } from '../../pipeline/context.ts';
import { readHandlers } from '../../pipeline/read-handlers.ts';
import { authorOfList, checkComposer, findShown } from '../draft-posts/find.ts';
import { checkScheduledQuota, checkWindow } from './density.ts';
import { scheduledPost } from './entity.ts';
import { listScheduled, showScheduled } from './find.ts';

export const handlers: HandlersOf<Contract['scheduled_posts']> = {
  ...readHandlers(scheduledPost, 'scheduled_post_id', (_, rows) => rows.map(showScheduled)),

  list: ({ account, reject }, { user_id: asked, ...query }) =>
    chain(authorOfList(reject, account, asked), (user_id) =>
      user_id === null
        ? { data: [], next_cursor: null }
        : chain(listScheduled(account, { ...query, user_id }), (page) => mapPage(page, showScheduled)),
    ),

  async create(context, { as_user_id, scheduled_at, ...content }) {
    const { account, actor, ads, environment, reject, world } = context;
    const post = { ...resolveContent(content), user_id: `${as_user_id}`, scheduled_at };
    reject.check([...checkContentOfNew(content), ...checkScheduledTime(scheduled_at, ads.now())]);
    // The mix of media is found out at the time (reference, creatives section 8).
    await findShown(reject, context, content);
    const id = world.snowflakes.next();
    // All of it in advance too, so that a rejected post leaves no job.
    await checkComposer(reject, context, account, post);
    await checkWindow(reject, account, { id, scheduled_at });
    const name = { environment, account_id: account.account_id, id };
    return world.publications.schedule(name, timestampMs(scheduled_at), () =>
      account.write(actor, async (writer) => {
        reject.check(checkScheduledTime(scheduled_at, writer.now));
        await checkComposer(reject, context, writer, post);
        await checkWindow(reject, writer, { id, scheduled_at });
        await checkScheduledQuota(reject, writer);
        const state = { scheduled_status: 'SCHEDULED', completed_at: null, post_id: null, failure: null } as const;
        const row = { ...post, ...state, contributor_id: context.user_id };
        return showScheduled(await writer.of(scheduledPost).insert(row, id));
      }),
    );
  },

  async update(context, { scheduled_post_id: id, scheduled_at, ...changes }) {
    const { account, actor, ads, environment, reject, world } = context;
    const found = await account.of(scheduledPost).find(reject, id);
    // It may have been published since it was loaded.
    if (!changesAnything(found, { ...changeContent(found, changes), scheduled_at })) return showScheduled(found);
    reject.check(checkEditable(found, ads.now()));
    reject.check(checkContent(changeContent(found, changes)));
    const isMoved = scheduled_at !== undefined && scheduled_at !== found.scheduled_at;
    if (isMoved) reject.check(checkScheduledTime(scheduled_at, ads.now()));
    await findShown(reject, context, changesOf(found, changes));
    const write = () =>
      account.write(actor, async (writer) => {
        const before = await writer.of(scheduledPost).find(reject, id);
        reject.check(checkEditable(before, writer.now));
        const content = changeContent(before, changes);
        reject.check(checkContent(content));
        await checkComposer(reject, context, writer, { user_id: before.user_id, nullcast: content.nullcast });
        if (isMoved) {
          reject.check(checkScheduledTime(scheduled_at, writer.now));
          await checkWindow(reject, writer, { id, scheduled_at });
        }
        const after = isMoved ? { ...content, scheduled_at } : content;
        return showScheduled(await writer.of(scheduledPost).update(before, after));
      });
    if (!isMoved) return write();
    const name = { environment, account_id: account.account_id, id };
    return world.publications.schedule(name, timestampMs(scheduled_at), write);
  },

  delete({ account, actor, reject }, { scheduled_post_id }) {
    return account.write(actor, async (writer) => {
      const before = await writer.of(scheduledPost).find(reject, scheduled_post_id);
      reject.check(checkDeletable(before));
      return showScheduled(await writer.of(scheduledPost).purge(before, { scheduled_status: 'DELETED' }));
    });
  },
};

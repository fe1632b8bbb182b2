/** What the platform does later, done now: processing of media and audiences, and the publication of scheduled posts. */
import type { Issue } from '@broadside/core';
import { CustomAudience } from '@broadside/core/resources/custom-audiences';
import { DoNotReachList, displayList } from '@broadside/core/resources/do-not-reach-lists';
import { ScheduledPost } from '@broadside/core/resources/scheduled-posts';
import type { UploadRow } from '../../../media/store.ts';
import type { HandlersOf } from '../../../pipeline/context.ts';
import type { AccountStore } from '../../../world/account-store.ts';
import { customAudience, showOwn } from '../../custom-audiences/find.ts';
import { doNotReachList } from '../../do-not-reach-lists/find.ts';
import {
  failNow,
  publishNow,
  type ScheduledPostRow,
  scheduledPost,
  showScheduled,
} from '../../scheduled-posts/find.ts';
import { accountOf } from './account-of.ts';
import type { ActionsContract } from './contract.ts';
import { type Changed, changed, type Outcome } from './outcome.ts';

type Later = Pick<HandlersOf<ActionsContract>, 'process_media' | 'process_audience' | 'publish' | 'fail'>;
type MediaParams = Parameters<Later['process_media']>[1];

function checkFailure({ outcome, ...given }: MediaParams): Issue<'INVALID_PARAMETER'>[] {
  if (outcome === 'FAILED') return [];
  return (['code', 'name', 'message'] as const).flatMap((parameter) => {
    const value = given[parameter];
    if (value === undefined) return [];
    const message = `"${parameter}" is of an error: leave it out, or give outcome=FAILED`;
    return [{ error: 'INVALID_PARAMETER', parameter, value, message }];
  });
}

function showMedia({ id, media_key, state, failure, content_type, total_bytes, width, height }: UploadRow): Changed {
  const size = width === null || height === null ? {} : { width, height };
  const error = failure ? { error: failure } : {};
  return { entity: 'MEDIA', id: `${id}`, after: { media_key, state, content_type, total_bytes, ...size, ...error } };
}

async function showAudience(account: AccountStore, id: string): Promise<Changed> {
  const audience = await account.of(customAudience).get(id);
  if (audience) {
    const { matched_count } = audience;
    return changed('CUSTOM_AUDIENCE', CustomAudience, showOwn(audience), { matched_count });
  }
  const list = await account.of(doNotReachList).get(id);
  if (!list) throw new TypeError(`there is no audience ${id}`);
  const { matched_count } = list;
  return changed('DO_NOT_REACH_LIST', DoNotReachList, displayList(list), { matched_count });
}

type PublishContext = Parameters<Later['publish']>[0];
type PublishParams = Parameters<Later['publish']>[1];

/** Ends a scheduled post whose publication has not begun. */
async function settlePost(
  context: PublishContext,
  { scheduled_post_id: id, ...at }: PublishParams,
  end: (account: AccountStore) => Promise<void>,
): Promise<Outcome> {
  const { reject } = context;
  const { account } = await accountOf(context, at);
  const before = await account.of(scheduledPost).find(reject, id);
  if (before.scheduled_status !== 'SCHEDULED' || before.publishing) throw reject.error(alreadyEnded(before));
  await end(account);
  const after = await account.of(scheduledPost).find(reject, id);
  return { changed: [changed('SCHEDULED_POST', ScheduledPost, showScheduled(after))] };
}

function alreadyEnded({ id, scheduled_status, publishing }: ScheduledPostRow): Issue<'WRONG_STATE'> {
  const state = publishing ? 'is being published' : `is ${scheduled_status}`;
  const message = `The scheduled post ${id} ${state}; only one that is SCHEDULED can be published or fail`;
  return { error: 'WRONG_STATE', parameter: 'scheduled_post_id', value: id, message };
}

/** Actions on what the platform does later. */
export const later: Later = {
  async process_media({ world, reject }, params) {
    const { media_id, outcome, code = 1, name = 'InvalidMedia', message = 'The media could not be processed' } = params;
    reject.check(checkFailure(params));
    const row = await world.media.get(media_id);
    const about = { parameter: 'media_id', value: media_id } as const;
    if (!row) throw reject.error({ error: 'NOT_FOUND', ...about, message: `There is no upload ${media_id}` });
    const after = await world.media.settle(row, outcome === 'FAILED' ? { code, name, message } : undefined);
    if (after) return { changed: [showMedia(after)] };
    const right = 'only media that are pending or in_progress can be processed';
    const hint = row.state === 'receiving' ? '; finalize the upload first' : '';
    throw reject.error({ error: 'WRONG_STATE', ...about, message: `The media are ${row.state}: ${right}${hint}` });
  },

  async process_audience(context, { audience_id, matched_count, ...at }) {
    const { reject, world } = context;
    const { account } = await accountOf(context, at);
    if (await world.processing.settle({ ...at, id: audience_id }, matched_count)) {
      return { changed: [await showAudience(account, audience_id)] };
    }
    throw reject.error({
      error: 'NOT_FOUND',
      parameter: 'audience_id',
      value: audience_id,
      message: `The account has no audience and no do-not-reach list ${audience_id.slice(0, 100)}`,
    });
  },

  publish: (context, params) =>
    settlePost(context, params, () => {
      const { environment, account_id, scheduled_post_id: id } = params;
      return publishNow(context.world, { environment, account_id, id });
    }),

  fail: (context, { code, message, ...params }) =>
    settlePost(context, params, (account) =>
      failNow(context.actor, account, params.scheduled_post_id, { code, message }),
    ),
};

/** Decisions of the platform: reviews, suspensions, and campaigns that wait for their advertiser. */
import type { Issue } from '@broadside/core';
import { Account, type ApprovalStatus } from '@broadside/core/resources/accounts';
import { App } from '@broadside/core/resources/apps';
import { Campaign } from '@broadside/core/resources/campaigns';
import { MediaCreative } from '@broadside/core/resources/media-creatives';
import { PromotedAccount } from '@broadside/core/resources/promoted-accounts';
import { PromotedPost } from '@broadside/core/resources/promoted-posts';
import { restored, suspended } from '@broadside/core/resources/users';
import { chain } from '../../../awaitable.ts';
import type { HandlersOf } from '../../../pipeline/context.ts';
import type { AccountRow } from '../../../world/account-directory.ts';
import { campaign, findCampaign, showCampaign } from '../../campaigns/find.ts';
import { fundingInstrument } from '../../funding-instruments/find.ts';
import { findApp, postsWithCard, type Reviewed, reviewPromoted } from '../../operator/find.ts';
import { type ActedAccount, accountOf } from './account-of.ts';
import type { ActionsContract } from './contract.ts';
import { showInstrument } from './funds.ts';
import { needed } from './needed.ts';
import { type Changed, changed, type Outcome } from './outcome.ts';

type Decisions = Pick<
  HandlersOf<ActionsContract>,
  'approve' | 'reject' | 'review' | 'suspend' | 'restore' | 'hold' | 'release'
>;
type ReviewContext = Parameters<Decisions['approve']>[0];
type ReviewParams = Parameters<Decisions['approve']>[1];
type SuspensionContext = Parameters<Decisions['suspend']>[0];

const promoted = {
  MEDIA_CREATIVE: MediaCreative,
  PROMOTED_ACCOUNT: PromotedAccount,
  PROMOTED_POST: PromotedPost,
} as const;

function showAccount(row: AccountRow): Changed {
  return changed('ACCOUNT', Account, row, { suspended: row.suspended });
}

async function reviewAccount({ actor }: ReviewContext, { ads, record }: ActedAccount, approval_status: ApprovalStatus) {
  const row = await ads.updateAccount(actor, record.id, () => ({ approval_status }));
  return [showAccount(row ?? record)];
}

function reviewInstrument(
  { actor, reject }: ReviewContext,
  { account }: ActedAccount,
  id: string,
  approval_status: ApprovalStatus,
): Promise<Changed[]> {
  return account.write(actor, async (writer) => {
    const row = await writer.of(fundingInstrument).get(id);
    if (!row || row.deleted) throw reject.error(missing('FUNDING_INSTRUMENT', id));
    if (row.approval_status !== approval_status) {
      await writer.of(fundingInstrument).derive(id, { approval_status });
      const before = { approval_status: row.approval_status };
      await writer.recordChange({ entity: 'FUNDING_REVIEW', entity_id: id, before, after: { id, approval_status } });
    }
    return [await showInstrument(writer, id)];
  });
}

function missing(entity: ReviewParams['entity'], value: string): Issue<'NOT_FOUND'> {
  const message = `The account has no ${entity} ${value.slice(0, 100)}`;
  return { error: 'NOT_FOUND', parameter: 'entity_id', value, message };
}

function reviewPromotions(
  { actor, reject }: ReviewContext,
  { account }: ActedAccount,
  entity: Reviewed,
  ids: readonly string[],
  approval_status: ApprovalStatus,
): Promise<Changed[]> {
  return account.write(actor, async (writer) => {
    const found: Changed[] = [];
    for (const id of ids) {
      const row = await reviewPromoted(writer, entity, id, approval_status);
      if (!row) throw reject.error(missing(entity, id));
      found.push(changed(entity, promoted[entity], row));
    }
    return found;
  });
}

function decide(approval_status: ApprovalStatus): Decisions['approve'] {
  return async (context, { entity, entity_id, ...at }): Promise<Outcome> => {
    const { reject } = context;
    const acted = await accountOf(context, at);
    if (entity === 'ACCOUNT') {
      if (entity_id === undefined || entity_id === at.account_id) {
        return { changed: await reviewAccount(context, acted, approval_status) };
      }
      const message = `Leave entity_id out for the account, or give ${at.account_id}`;
      throw reject.error({ error: 'INVALID_PARAMETER', parameter: 'entity_id', value: entity_id, message });
    }
    if (entity_id === undefined) throw reject.error(needed('entity_id', `for ${entity}`));
    if (entity === 'FUNDING_INSTRUMENT') {
      return { changed: await reviewInstrument(context, acted, entity_id, approval_status) };
    }
    if (entity !== 'CARD') {
      return { changed: await reviewPromotions(context, acted, entity, [entity_id], approval_status) };
    }
    const ids = await postsWithCard(context, acted.account, entity_id);
    return { changed: await reviewPromotions(context, acted, 'PROMOTED_POST', ids, approval_status) };
  };
}

function setSuspended(isSuspended: boolean): Decisions['suspend'] {
  return async (context, { environment, account_id, consumer_key, user_id }): Promise<Outcome> => {
    const { actor, reject, world } = context;
    if (account_id !== undefined) {
      const { ads, record } = await accountOf(context, { environment, account_id });
      const row = await ads.updateAccount(actor, record.id, () => ({ suspended: isSuspended }));
      return { changed: [showAccount(row ?? record)] };
    }
    if (consumer_key !== undefined) {
      const { id } = await findApp(context, consumer_key);
      const change = isSuspended ? suspended : restored;
      const app =
        (await world.identity.apps.setStanding(actor, id, (before) => change(before))) ??
        (await findApp(context, consumer_key));
      return { changed: [changed('APP', App, app)] };
    }
    if (user_id === undefined) {
      throw reject.error(needed('account_id', 'without consumer_key and user_id'));
    }
    return { changed: [await suspendUser(context, user_id, isSuspended ? suspended : restored)] };
  };
}

async function suspendUser(
  { actor, reject, world }: SuspensionContext,
  user_id: string,
  change: typeof restored,
): Promise<Changed> {
  const after = await world.identity.users.setStanding(actor, user_id, (before) => change(before));
  if (after) return { entity: 'USER', id: user_id, after: { ...after } };
  throw reject.error({
    error: 'NOT_FOUND',
    parameter: 'user_id',
    value: user_id,
    message: `There is no user ${user_id}`,
  });
}

function setHeld(awaiting_approval: boolean): Decisions['hold'] {
  return async (context, { campaign_id, ...at }) => {
    const { account, record } = await accountOf(context, at);
    return account.write(context.actor, async (writer) => {
      const before = await findCampaign(context.reject, writer, campaign_id);
      const row = { ...before, awaiting_approval };
      if (before.awaiting_approval !== awaiting_approval) {
        await writer.of(campaign).derive(before.id, { awaiting_approval });
        await writer.recordChange({
          entity: 'CAMPAIGN_APPROVAL',
          entity_id: before.id,
          before: { awaiting_approval: before.awaiting_approval },
          after: { id: before.id, awaiting_approval },
        });
      }
      return chain(showCampaign(writer, record, writer.now, row), (shown) => ({
        changed: [changed('CAMPAIGN', Campaign, shown)],
      }));
    });
  };
}

/** Decisions of the platform. */
export const decisions: Decisions = {
  approve: decide('ACCEPTED'),
  reject: decide('REJECTED'),
  review: decide('UNDER_REVIEW'),
  suspend: setSuspended(true),
  restore: setSuspended(false),
  hold: setHeld(true),
  release: setHeld(false),
};

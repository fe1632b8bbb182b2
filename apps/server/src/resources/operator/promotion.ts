import { ApiError, type OperatorContract, refuse } from '@broadside/core';
import { checkAppIdentifier, creativeTypeOf, unusableMedia } from '@broadside/core/rules';
import type { Context, HandlersOf } from '../../pipeline/context.ts';
import { found } from '../../pipeline/found.ts';
import type { AccountReader, AccountStore, AccountWriter } from '../../world/account-store.ts';
import type { Environment } from '../../world/world.ts';
import { findPromotableUser } from '../promotable-users/handlers.ts';
import { findUser } from '../users/find.ts';
import { findAccount } from './find-account.ts';

type Family = 'promotable_users' | 'account_media' | 'account_apps' | 'approvals';

/** The store of an account that is there. @throws ApiError ACCOUNT_NOT_FOUND */
async function open(
  { world }: Context,
  { environment, account_id }: { readonly environment: Environment; readonly account_id: string },
): Promise<AccountStore> {
  const ads = world.ads[environment];
  await findAccount(ads, account_id);
  return ads.account(account_id);
}

const already = (parameter: string, value: string, message: string) =>
  new ApiError({ error: 'ALREADY_EXISTS', parameter, value, message });

const noMedia = (media_key: string) =>
  new ApiError({
    error: 'NOT_FOUND',
    parameter: 'media_key',
    value: media_key,
    message: `There are no media ${media_key} that can be used; they must be uploaded and processed`,
  });

async function findMedia({ world }: Context, media_key: string) {
  const row = await world.media.usable(media_key);
  if (!row) throw noMedia(media_key);
  return { kind: row.kind, width: row.width ?? 0, height: row.height ?? 0 };
}

function findAccountApp(account: AccountReader, id: string) {
  const message = `The account has no app ${id}`;
  return found(account.account_apps.get(id), false, {
    error: 'NOT_FOUND',
    parameter: 'account_app_id',
    value: id,
    message,
  });
}

type Approval = Parameters<HandlersOf<OperatorContract['admin']>['approvals']['set']>[1];

/** What was reviewed, if it is there; and the way to write down what came of it. */
async function findReviewed(writer: AccountWriter, entity: Approval['entity'], id: string) {
  switch (entity) {
    case 'PROMOTED_POST': {
      const row = await writer.promoted_posts.get(id);
      return row && { row, set: (to: Partial<typeof row>) => writer.promoted_posts.update(row, to) };
    }
    case 'PROMOTED_ACCOUNT': {
      const row = await writer.promoted_accounts.get(id);
      return row && { row, set: (to: Partial<typeof row>) => writer.promoted_accounts.update(row, to) };
    }
    case 'MEDIA_CREATIVE': {
      const row = await writer.media_creatives.get(id);
      return row && { row, set: (to: Partial<typeof row>) => writer.media_creatives.update(row, to) };
    }
  }
}

/** Writes down what a review came to. @returns whether there is what was reviewed */
async function approve(writer: AccountWriter, { entity, entity_id, approval_status }: Approval): Promise<boolean> {
  const reviewed = await findReviewed(writer, entity, entity_id);
  if (!reviewed || reviewed.row.deleted) return false;
  await reviewed.set({ approval_status });
  await writer.reviewContent(reviewed.row.line_item_id);
  return true;
}

/** The operator's procedures of promotion. */
export const adminPromotion: Pick<HandlersOf<OperatorContract['admin']>, Family> = {
  promotable_users: {
    async create(context, { user_id, ...where }) {
      const account = await open(context, where);
      await findUser(context.world, user_id, 'user_id');
      return account.write(context.actor, async (writer) => {
        const [known] = await writer.promotableAmong([user_id]);
        if (known) {
          const message = `The user is promotable as ${known.promotable_user_type} already, as ${known.id}`;
          throw already('user_id', user_id, message);
        }
        return writer.promotable_users.insert({ user_id, promotable_user_type: 'REPOSTS_ONLY', deleted: false });
      });
    },
    async delete(context, { promotable_user_id, ...where }) {
      const account = await open(context, where);
      return account.write(context.actor, async (writer) => {
        const row = await findPromotableUser(writer, promotable_user_id, false);
        if (row.promotable_user_type !== 'FULL') return writer.promotable_users.update(row, { deleted: true });
        throw new ApiError({
          error: 'INVALID_PARAMETER',
          parameter: 'promotable_user_id',
          value: promotable_user_id,
          message: 'An account has exactly one FULL promotable user; only users of type REPOSTS_ONLY can be removed',
        });
      });
    },
  },

  account_media: {
    async create(context, { media_key, ...where }) {
      const account = await open(context, where);
      const media = await findMedia(context, media_key);
      const creative_type = creativeTypeOf(media);
      if (!creative_type) throw new ApiError(unusableMedia(media_key, media));
      // Before the account knows them: media that lapse would leave it with a name for nothing.
      if (!(await context.world.media.keep(media_key))) throw noMedia(media_key);
      return account.write(context.actor, async (writer) => {
        const known = await writer.accountMediaOf(media_key);
        if (known) throw already('media_key', media_key, `The account has these media already, as ${known}`);
        return writer.account_media.insert({ media_key, creative_type, deleted: false });
      });
    },
  },

  account_apps: {
    async create(context, { environment, account_id, deep_link_pattern, ...app }) {
      const account = await open(context, { environment, account_id });
      refuse(checkAppIdentifier(app));
      const { os_type, app_store_identifier } = app;
      return account.write(context.actor, async (writer) => {
        const known = await writer.accountAppOf(os_type, app_store_identifier);
        if (known) {
          throw already('app_store_identifier', app_store_identifier, `The account has this app already, as ${known}`);
        }
        return writer.account_apps.insert({ ...app, deep_link_pattern: deep_link_pattern ?? null, deleted: false });
      });
    },
    async update(context, { account_app_id, environment, account_id, ...changes }) {
      const account = await open(context, { environment, account_id });
      return account.write(context.actor, async (writer) => {
        const row = await findAccountApp(writer, account_app_id);
        return writer.account_apps.update(row, {
          conversion_tracking_enabled: changes.conversion_tracking_enabled ?? row.conversion_tracking_enabled,
          deep_link_pattern:
            changes.deep_link_pattern === undefined ? row.deep_link_pattern : changes.deep_link_pattern,
        });
      });
    },
    async delete(context, { account_app_id, ...where }) {
      const account = await open(context, where);
      return account.write(context.actor, async (writer) => {
        const row = await findAccountApp(writer, account_app_id);
        return writer.account_apps.update(row, { deleted: true });
      });
    },
  },

  approvals: {
    async set(context, params) {
      const { account_id, entity, entity_id, approval_status } = params;
      const account = await open(context, params);
      if (await account.write(context.actor, (writer) => approve(writer, params))) {
        return { account_id, entity, entity_id, approval_status };
      }
      const message = `The account has no ${entity} with this id`;
      throw new ApiError({ error: 'NOT_FOUND', parameter: 'entity_id', value: entity_id, message });
    },
  },
};

import type { Issue, OperatorContract } from '@broadside/core';
import { checkAppIdentifier } from '@broadside/core/resources/account-apps';
import { creativeTypeOf, unusableMedia } from '@broadside/core/resources/account-media';
import { chain } from '../../awaitable.ts';
import type { Context, HandlersOf, Rejecting } from '../../pipeline/context.ts';
import { only } from '../../pipeline/read-handlers.ts';
import type { AccountStore } from '../../world/account-store.ts';
import type { Environment } from '../../world/environment.ts';
import { accountApp } from '../account-apps/find.ts';
import { accountMedia, showAllAccountMedia } from '../account-media/find.ts';
import { findAccount } from '../accounts/find.ts';
import { promotableUser } from '../promotable-users/find.ts';
import { findUser } from '../users/find.ts';
import { reviewPromoted } from './reviews.ts';

type Family = 'promotable_users' | 'account_media' | 'account_apps' | 'approvals';

/** Returns the store of an existing account. */
async function open(
  { world, reject }: Context & Rejecting<'ACCOUNT_NOT_FOUND'>,
  { environment, account_id }: { readonly environment: Environment; readonly account_id: string },
): Promise<AccountStore> {
  await findAccount({ world, reject }, environment, account_id);
  return world.ads[environment].account(account_id);
}

const already = (parameter: string, value: string, message: string): Issue<'ALREADY_EXISTS'> => ({
  error: 'ALREADY_EXISTS',
  parameter,
  value,
  message,
});

const noMedia = (media_key: string): Issue<'NOT_FOUND'> => ({
  error: 'NOT_FOUND',
  parameter: 'media_key',
  value: media_key,
  message: `There are no media ${media_key} that can be used; they must be uploaded and processed`,
});

async function findMedia({ world, reject }: Context & Rejecting<'NOT_FOUND'>, media_key: string) {
  const row = await world.media.usable(media_key);
  if (!row) throw reject.error(noMedia(media_key));
  return { kind: row.kind, width: row.width ?? 0, height: row.height ?? 0 };
}

/** The operator's procedures for promotion. */
export const adminPromotion: Pick<HandlersOf<OperatorContract['admin']>, Family> = {
  promotable_users: {
    async create(context, { user_id, ...where }) {
      const account = await open(context, where);
      await findUser(context.reject, context.world, user_id, 'user_id');
      return account.write(context.actor, async (writer) => {
        const known = await writer.of(promotableUser).existing({ user_id });
        if (known) {
          const message = `The user is promotable as ${known.promotable_user_type} already, as ${known.id}`;
          throw context.reject.error(already('user_id', user_id, message));
        }
        return writer.of(promotableUser).insert({ user_id, promotable_user_type: 'REPOSTS_ONLY' });
      });
    },
    async delete(context, { promotable_user_id, ...where }) {
      const account = await open(context, where);
      return account.write(context.actor, async (writer) => {
        const row = await writer.of(promotableUser).find(context.reject, promotable_user_id);
        if (row.promotable_user_type !== 'FULL') return writer.of(promotableUser).delete(row);
        throw context.reject.error({
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
      if (!creative_type) throw context.reject.error(unusableMedia(media_key, media));
      // Before storing the account media: if the upload expired in between, they would refer to nothing.
      if (!(await context.world.media.keep(media_key))) throw context.reject.error(noMedia(media_key));
      const row = await account.write(context.actor, async (writer) => {
        const known = await writer.of(accountMedia).existing({ media_key });
        if (known)
          throw context.reject.error(
            already('media_key', media_key, `The account has these media already, as ${known.id}`),
          );
        return writer.of(accountMedia).insert({ media_key, creative_type });
      });
      return chain(showAllAccountMedia(context, [row]), only);
    },
  },

  account_apps: {
    async create(context, { environment, account_id, deep_link_pattern, ...app }) {
      const account = await open(context, { environment, account_id });
      context.reject.check(checkAppIdentifier(app));
      const { os_type, app_store_identifier } = app;
      return account.write(context.actor, async (writer) => {
        const known = await writer.of(accountApp).existing({ os_type, app_store_identifier });
        if (known) {
          const message = `The account has this app already, as ${known.id}`;
          throw context.reject.error(already('app_store_identifier', app_store_identifier, message));
        }
        return writer.of(accountApp).insert({ ...app, deep_link_pattern: deep_link_pattern ?? null });
      });
    },
    async update(context, { account_app_id, environment, account_id, ...changes }) {
      const account = await open(context, { environment, account_id });
      return account.write(context.actor, async (writer) => {
        const row = await writer.of(accountApp).find(context.reject, account_app_id);
        return writer.of(accountApp).update(row, {
          conversion_tracking_enabled: changes.conversion_tracking_enabled ?? row.conversion_tracking_enabled,
          deep_link_pattern:
            changes.deep_link_pattern === undefined ? row.deep_link_pattern : changes.deep_link_pattern,
        });
      });
    },
    async delete(context, { account_app_id, ...where }) {
      const account = await open(context, where);
      return account.write(context.actor, (writer) => writer.of(accountApp).remove(context.reject, account_app_id));
    },
  },

  approvals: {
    async set(context, params) {
      const { account_id, entity, entity_id, approval_status } = params;
      const account = await open(context, params);
      if (await account.write(context.actor, (writer) => reviewPromoted(writer, entity, entity_id, approval_status))) {
        return { account_id, entity, entity_id, approval_status };
      }
      const message = `The account has no ${entity} with this id`;
      throw context.reject.error({ error: 'NOT_FOUND', parameter: 'entity_id', value: entity_id, message });
    },
  },
};

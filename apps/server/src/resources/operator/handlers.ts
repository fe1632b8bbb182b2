import type { OperatorContract, Reject } from '@broadside/core';
import { checkCallbackUrls, checkFrameOrigins } from '@broadside/core/resources/apps';
import { checkAudit } from '@broadside/core/resources/operator';
import { checkPermissions } from '@broadside/core/resources/user-access';
import { checkIdentifiers, checkTraits } from '@broadside/core/resources/users';
import { pageOf } from '../../db/page.ts';
import { NameTakenError } from '../../identity/identity-writes.ts';
import type { HandlersOf } from '../../pipeline/context.ts';
import { findAccount } from '../accounts/find.ts';
import { addFeatures, removeFeatures } from '../features/find.ts';
import { createFundingInstrument } from '../funding-instruments/find.ts';
import { findUser } from '../users/find.ts';
import { accountLists } from './account-list.ts';
import { appDecisions, findApp, noApp } from './apps.ts';
import { checkKind } from './audited-kinds.ts';
import { adminBackups } from './backups.ts';
import { adminBusinesses } from './businesses.ts';
import { adminCatalogue } from './catalogue.ts';
import { adminCreatives } from './creatives.ts';
import { moveAccount } from './move-account.ts';
import { newestPage } from './newest-page.ts';
import { adminPeople } from './people.ts';
import { adminFollows, adminPolls, adminPosts } from './posts.ts';
import { adminPromotion } from './promotion.ts';
import { adminSeeds } from './seeds.ts';

/** Converts the error of a taken name to one of the catalogue. */
async function unlessTaken<Result>(
  reject: Reject<'ALREADY_EXISTS'>,
  parameter: string,
  value: string,
  create: Promise<Result>,
): Promise<Result> {
  try {
    return await create;
  } catch (error) {
    if (!(error instanceof NameTakenError)) throw error;
    throw reject.error({ error: 'ALREADY_EXISTS', parameter, value, message: `The ${parameter} ${value} is taken` });
  }
}

function checkTimezone(reject: Reject<'INVALID_PARAMETER'>, timezone: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone });
  } catch {
    throw reject.error({
      error: 'INVALID_PARAMETER',
      parameter: 'timezone',
      value: timezone,
      message: `Expected the IANA name of a time zone such as America/Los_Angeles, got "${timezone}" for timezone`,
    });
  }
}

export const handlers: HandlersOf<OperatorContract['admin']> = {
  users: {
    ...adminPeople,
    create({ world, actor, reject }, { screen_name, name, password, ...traits }) {
      reject.check([...checkTraits(traits), ...checkIdentifiers(traits)]);
      const fields = { screen_name, name: name ?? screen_name, password, traits };
      return unlessTaken(reject, 'screen_name', screen_name, world.identity.users.create(actor, fields));
    },
    async update(context, { user_id, ...changes }) {
      context.reject.check([...checkTraits(changes), ...checkIdentifiers(changes)]);
      const user = await context.world.identity.users.update(context.actor, user_id, changes);
      return user ?? findUser(context.reject, context.world, user_id, 'user_id');
    },
    async list({ world }, { screen_name, ...asked }) {
      const { users } = world.identity;
      if (screen_name === undefined) return newestPage('admin_users', asked, (...place) => users.list(...place));
      const named = await users.byName(screen_name);
      return { data: named ? [named] : [], next_cursor: null };
    },
  },

  apps: {
    ...appDecisions,
    async create(context, params) {
      context.reject.check([...checkCallbackUrls(params.callback_urls), ...checkFrameOrigins(params.frame_origins)]);
      await findUser(context.reject, context.world, params.owner_user_id, 'owner_user_id');
      return unlessTaken(
        context.reject,
        'name',
        params.name,
        context.world.identity.apps.create(context.actor, params),
      );
    },
    get(context, { consumer_key }) {
      return findApp(context, consumer_key);
    },
    async update(context, { consumer_key, ...changes }) {
      context.reject.check([
        ...checkCallbackUrls(changes.callback_urls ?? []),
        ...checkFrameOrigins(changes.frame_origins ?? []),
      ]);
      const { id } = await findApp(context, consumer_key);
      const update = context.world.identity.apps.update(context.actor, id, changes);
      return (await unlessTaken(context.reject, 'name', changes.name ?? '', update)) ?? findApp(context, consumer_key);
    },
    async regenerate_keys(context, { consumer_key }) {
      const { id } = await findApp(context, consumer_key);
      const app = await context.world.identity.apps.regenerateKeys(context.actor, id);
      if (app) return app;
      throw context.reject.error(noApp(consumer_key));
    },
    list({ world }, asked) {
      return newestPage('admin_apps', asked, (...place) => world.identity.apps.list(...place));
    },
  },

  tokens: {
    async create(context, { consumer_key, user_id, access_level }) {
      const { identity } = context.world;
      const app = await findApp(context, consumer_key);
      const user = await findUser(context.reject, context.world, user_id, 'user_id');
      return identity.tokens.issue(context.actor, app, user, access_level ?? app.access_level);
    },
    async revoke({ world, actor, reject }, { access_token }) {
      // The token is not repeated in an error: with its secret it grants access.
      if (await world.identity.tokens.revoke(actor, access_token)) return { access_token };
      throw reject.error({ error: 'NOT_FOUND', parameter: 'access_token', message: 'There is no such valid token' });
    },
  },

  posts: adminPosts,
  polls: adminPolls,
  follows: adminFollows,

  accounts: {
    ...accountLists,
    async create(context, { environment, user_id, name, business_name, timezone }) {
      checkTimezone(context.reject, timezone);
      await findUser(context.reject, context.world, user_id, 'user_id');
      return context.world.ads[environment].createAccount(context.actor, {
        name,
        business_name: business_name ?? null,
        timezone,
        user_id,
        features: [],
      });
    },
    async limit({ world, actor, reject }, { environment, account_id, active_campaigns }) {
      const ads = world.ads[environment];
      await findAccount({ world, reject }, environment, account_id);
      await ads.updateAccount(actor, account_id, () => ({ active_campaign_limit: active_campaigns }));
      return { account_id, active_campaigns };
    },
    move: moveAccount,
  },

  features: {
    async add({ world, actor, reject }, { environment, account_id, feature_keys }) {
      const ads = world.ads[environment];
      await findAccount({ world, reject }, environment, account_id);
      return ads.account(account_id).write(actor, (writer) => addFeatures(writer, feature_keys));
    },
    async remove({ world, actor, reject }, { environment, account_id, feature_keys }) {
      const ads = world.ads[environment];
      await findAccount({ world, reject }, environment, account_id);
      return ads.account(account_id).write(actor, (writer) => removeFeatures(writer, feature_keys));
    },
  },

  funding_instruments: {
    async create({ world, actor, reject }, { environment, account_id, description, ...terms }) {
      const ads = world.ads[environment];
      await findAccount({ world, reject }, environment, account_id);
      return ads
        .account(account_id)
        .write(actor, (writer) => createFundingInstrument(reject, writer, terms, description));
    },
  },

  businesses: adminBusinesses,
  ...adminPromotion,
  ...adminCatalogue,

  creatives: adminCreatives,

  access: {
    async grant(context, { environment, account_id, user_id, permissions }) {
      const ads = context.world.ads[environment];
      await findAccount(context, environment, account_id);
      await findUser(context.reject, context.world, user_id, 'user_id');
      context.reject.check(checkPermissions(permissions));
      await ads.grant(context.actor, account_id, user_id, permissions);
      return { account_id, user_id, permissions };
    },
    async revoke({ world, actor, reject }, { environment, account_id, user_id }) {
      const ads = world.ads[environment];
      await findAccount({ world, reject }, environment, account_id);
      return { account_id, user_id, revoked: (await ads.revoke(actor, account_id, user_id)) !== undefined };
    },
  },

  seeds: adminSeeds,
  backups: adminBackups,

  async audit({ world, reject }, params) {
    reject.check(checkAudit(params));
    if (params.entity !== undefined) checkKind(reject, world.ads.production, params.entity);
    return pageOf(await world.audit.list(params), params.cursor);
  },
};

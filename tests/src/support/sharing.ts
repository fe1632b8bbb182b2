/** Accounts that may share audiences, and audiences that can be targeted. */
import { rejectWithAny } from '@broadside/core';
import { families } from '@broadside/server';
import type { TestWorld } from '@broadside/testkit';
import { OPERATOR } from './operator.ts';
import type { Entity, Stage } from './scenario.ts';

type Environment = 'production' | 'sandbox';

/** Puts accounts into one business, which is named after the first. */
export async function inOneBusiness(
  world: TestWorld,
  account_ids: readonly string[],
  environment: Environment = 'sandbox',
): Promise<void> {
  const ads = world.platform.ads[environment];
  const { createBusiness } = families.businesses;
  const [name = ''] = account_ids;
  const found = await ads.catalogue.of(families.businesses.business).existing({ name_folded: name });
  const business =
    found ?? (await ads.catalogue.write(OPERATOR, (writer) => createBusiness(rejectWithAny, writer, name)));
  for (const account_id of account_ids) {
    const member = { business_id: business.id, business_name: business.name };
    await ads.updateAccount(OPERATOR, account_id, () => member);
  }
}

/** Sets what counting the members of an audience would: whether line items can target it. */
export async function countedAs(
  world: TestWorld,
  account_id: string,
  custom_audience_id: string,
  matched_count: number,
  environment: Environment = 'sandbox',
): Promise<void> {
  await world.platform.ads[environment].account(account_id).write(OPERATOR, async (writer) => {
    await writer
      .of(families.custom_audiences.customAudience)
      .derive(custom_audience_id, { processing: false, matched_count });
  });
}

/** An audience of the scenario's account that can be targeted. */
export async function targetableAudience(stage: Stage, name: string): Promise<Entity> {
  const { id: custom_audience_id } = await stage.one('custom_audiences.create', { name });
  await countedAs(stage.world, stage.account_id, custom_audience_id, 4_321);
  return stage.one('custom_audiences.get', { custom_audience_id });
}

/** Another account of the user of a scenario, of the same business. */
export async function sibling(stage: Stage): Promise<string> {
  const account_id = await stage.world.createAccount('sandbox', stage.user);
  await inOneBusiness(stage.world, [stage.account_id, account_id]);
  return account_id;
}

/** An audience of the scenario's account that four others share, two of them since the same time. @returns its id */
export async function sharedWithMany(stage: Stage, name: string): Promise<string> {
  const { id: custom_audience_id } = await stage.one('custom_audiences.create', { name });
  for (let i = 0; i < 4; i++) {
    if (i !== 2) stage.world.clock.advance(1000);
    const shared = { granted_account_id: await sibling(stage), permission_level: 'READ_ONLY' };
    await stage.ok('custom_audience_permissions.create', { custom_audience_id, ...shared });
  }
  return custom_audience_id;
}

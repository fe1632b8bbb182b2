/** Campaigns and line items for tests of other things, made over the interface of the sandbox. */
import type { TestWorld } from '@broadside/testkit';
import { idOf } from './body.ts';
import type { AccountFixture } from './world.ts';

/** Creates a campaign @returns its id */
export async function createCampaign(
  world: TestWorld,
  { account_id, funding_instrument_id }: Pick<AccountFixture, 'account_id' | 'funding_instrument_id'>,
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const query = { funding_instrument_id, name: 'x', ...more };
  return idOf((await world.request({ method: 'POST', path: `/12/accounts/${account_id}/campaigns`, query })).body);
}

/** Creates a line item that promotes posts. @returns its id */
export async function createLineItem(
  world: TestWorld,
  { account_id, campaign_id }: Pick<AccountFixture, 'account_id' | 'campaign_id'>,
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const query = {
    campaign_id,
    objective: 'ENGAGEMENTS',
    product_type: 'PROMOTED_POSTS',
    placements: 'ALL_ON_PLATFORM',
    start_time: '2026-02-01',
    end_time: '2099-01-01',
    ...more,
  };
  return idOf((await world.request({ method: 'POST', path: `/12/accounts/${account_id}/line_items`, query })).body);
}

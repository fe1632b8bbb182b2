/** What it costs to create and delete one of several does not depend on how many others there are, up to the limits. */
import { costRatio } from '@broadside/cost-ratio';
import { families } from '@broadside/server';
import { createWorld, type TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createCampaign, createLineItem } from '../support/hierarchy.ts';
import { type BaseFixture, createAccountFixture } from '../support/world.ts';

/** The response of a creation: one, or some. */
const Id = z.object({ id: z.string() });
const Made = z.object({ data: z.union([z.array(Id), Id.transform((one) => [one])]) });

const SERVER = { user_id: null, platform: 'SERVER' } as const;
const FEW = 2;
/** Reading all others is several times the work of a call. */
const LIMIT = 1.5;
/** Calls of a run. */
const CALLS = 6;

let world: TestWorld;
let base: BaseFixture;
beforeAll(async () => {
  world = await createWorld();
  base = await createAccountFixture(world);
});
afterAll(() => world.close());

/** A line item of a campaign of its own. */
async function lineItem(): Promise<string> {
  const campaign_id = await createCampaign(world, base, { entity_status: 'DRAFT' });
  return createLineItem(world, { ...base, campaign_id }, { entity_status: 'DRAFT' });
}

/** Creates what `fields` describe, and deletes it, some times. */
async function createAndDelete(name: string, fields: Readonly<Record<string, string>>): Promise<void> {
  const path = `/12/accounts/${base.account_id}/${name}`;
  for (let call = 0; call < CALLS; call++) {
    const { body } = await world.request({ method: 'POST', path, form: fields });
    const id = Made.parse(body).data.at(0)?.id;
    const answer = await world.request({ method: 'DELETE', path: `${path}/${id}` });
    expect(answer.status).toBe(200);
  }
}

async function ratioOf(name: string, few: Readonly<Record<string, string>>, many: Readonly<Record<string, string>>) {
  for (const fields of [few, many, few, many]) await createAndDelete(name, fields);
  return costRatio(
    () => createAndDelete(name, many),
    () => createAndDelete(name, few),
    LIMIT,
  );
}

test('a keyword beside two and beside 900', async () => {
  const [few, many] = [await lineItem(), await lineItem()];
  const { targetingCriterion } = families.targeting_criteria;
  await world.platform.ads.sandbox.account(base.account_id).write(SERVER, async (writer) => {
    const keyword = { targeting_type: 'BROAD_KEYWORD', operator_type: 'EQ', automatic: false } as const;
    const add = (line_item_id: string, word: string) =>
      writer.of(targetingCriterion).insert({ ...keyword, line_item_id, targeting_value: word, name: word });
    for (let i = 0; i < 900; i++) {
      await add(many, `word ${i}`);
      if (i < FEW) await add(few, `word ${i}`);
    }
  });
  const fields = { targeting_type: 'BROAD_KEYWORD', targeting_value: 'another' };
  const ratio = await ratioOf(
    'targeting_criteria',
    { ...fields, line_item_id: few },
    { ...fields, line_item_id: many },
  );
  expect(ratio).toBeLessThan(LIMIT);
});

test('a promoted post in a campaign with two and with 8,000', async () => {
  const [few, many] = [await lineItem(), await lineItem()];
  const [promotedPost] = families.promoted_posts.entities;
  await world.platform.ads.sandbox.account(base.account_id).write(SERVER, async (writer) => {
    const promoted = { entity_status: 'ACTIVE', approval_status: 'ACCEPTED', paused: false } as const;
    const add = (line_item_id: string, post_id: string) =>
      writer.of(promotedPost).insert({ ...promoted, line_item_id, post_id });
    for (let i = 0; i < 8000; i++) {
      await add(many, `${i}`);
      if (i < FEW) await add(few, `${i}`);
    }
  });
  const author_id = world.user.user_id;
  const post_ids = await world.platform.posts.create(SERVER, { author_id, text: 'New', source: 'Test', lang: 'en' });
  const ratio = await ratioOf('promoted_posts', { post_ids, line_item_id: few }, { post_ids, line_item_id: many });
  expect(ratio).toBeLessThan(LIMIT);
});

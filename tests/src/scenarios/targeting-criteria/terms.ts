/** Calls and values that the scenarios of targeting criteria share. */
import { locations } from '@broadside/core/data';
import { families } from '@broadside/server';
import type { TestUser } from '@broadside/testkit';
import { expect } from 'vitest';
import type { Entity, Stage } from '../../support/scenario.ts';

export type Params = Readonly<Record<string, unknown>>;

export interface Terms {
  readonly targeting_type: string;
  readonly targeting_value: string;
  readonly operator_type?: string;
}

export const terms = (targeting_type: string, targeting_value: string, operator_type?: string): Terms => ({
  targeting_type,
  targeting_value,
  ...(operator_type === undefined ? {} : { operator_type }),
});

export const target = (stage: Stage, lineItem: Entity, what: Terms): Promise<Entity> =>
  stage.one('targeting_criteria.create', { line_item_id: lineItem.id, ...what });

export const creation = (lineItem: Entity, what: Terms) => ({
  operation_type: 'Create' as const,
  params: { line_item_id: lineItem.id, ...what },
});

export const deletion = ({ id }: Entity) => ({
  operation_type: 'Delete' as const,
  params: { targeting_criterion_id: id },
});

type Item = ReturnType<typeof creation> | ReturnType<typeof deletion>;

export const batch = (stage: Stage, operations: readonly Item[]): Promise<Entity[]> =>
  stage.many('targeting_criteria.batch', { operations });

export async function batchRejected(stage: Stage, operations: readonly Item[]) {
  const outcome = await stage.call('targeting_criteria.batch', { operations });
  expect(outcome).toMatchObject({ ok: false, status: 400 });
  return outcome.operation_errors ?? [];
}

export const listed = (stage: Stage, lineItem: Entity, params: Params = {}): Promise<Entity[]> =>
  stage.many('targeting_criteria.list', { line_item_ids: [lineItem.id], sort_by: ['created_at-asc'], ...params });

export const someLineItem = async (stage: Stage, params: Params = {}): Promise<Entity> =>
  stage.lineItem(await stage.campaign(), params);

export const rejection = (code: string, parameter: string) => [expect.objectContaining({ code, parameter })];

export const LUEBECK = locations.rows.find(({ place }) => place === 'Lübeck')?.targeting_value ?? '';

export const USA = '96683cc9126741d1';

export const NEWSWATCH = '10027243420';

let publisherCount = 0;

export const OPERATOR = { user_id: null, platform: 'OPERATOR' } as const;

/** Makes somebody a publisher in the sandbox. */
export async function publisher(stage: Stage): Promise<TestUser> {
  const user = await stage.world.createUser(`p${++publisherCount}`);
  const terms = {
    monetizable_country_codes: ['US'],
    promotion_eligible_country_codes: ['US'],
    monetization_restricted: false,
    content_category_ids: ['se'],
  };
  await stage.world.platform.ads.sandbox.catalogue.write(OPERATOR, (writer) =>
    families.publishers.setPublisher(writer, user.user_id, terms),
  );
  return user;
}

export const keywords = ['BROAD_KEYWORD', 'EXACT_KEYWORD', 'PHRASE_KEYWORD', 'UNORDERED_KEYWORD'] as const;

export async function curate(stage: Stage, lineItem: Entity): Promise<void> {
  const account = stage.world.platform.ads.sandbox.account(stage.account_id);
  await account.write(OPERATOR, (writer) =>
    writer.of(families.line_item_curated_categories.lineItemCuratedCategory).insert({
      line_item_id: lineItem.id,
      curated_category_id: '929wbl6ymlfk',
    }),
  );
}

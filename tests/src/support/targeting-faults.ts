/** What brings the errors of targeting criteria about: parameters of a call on an fixture. */
import type { ErrorName } from '@broadside/core';
import { locations } from '@broadside/core/rules';
import type { TestWorld } from '@broadside/testkit';
import type { CallParams } from './call.ts';
import type { AccountFixture } from './world.ts';

type Provoke = (fixture: AccountFixture) => Promise<CallParams> | CallParams;
type Provocations = Readonly<Partial<Record<ErrorName, Provoke>>>;

const terms = (targeting_type: string, targeting_value: string) => ({ targeting_type, targeting_value });

const show = terms('TV_SHOW', '10027243420');
const here = terms('LOCATION', '96683cc9126741d1');
const there = terms('LOCATION', locations.rows.find(({ name }) => name === 'Germany')?.targeting_value ?? '');
const how = terms('ENGAGEMENT_TYPE', 'IMPRESSION');

/** The provocations of each operation, by its id. */
export function targetingFaults(world: () => TestWorld): Readonly<Record<string, Provocations>> {
  /** Gives the line item criteria, in one batch. @returns their ids */
  const give = async ({ account_id, line_item_id }: AccountFixture, ...all: readonly ReturnType<typeof terms>[]) => {
    const json = all.map((what) => ({ operation_type: 'Create', params: { line_item_id, ...what } }));
    const path = `/12/batch/accounts/${account_id}/targeting_criteria`;
    const { body } = await world().request({ method: 'POST', path, json });
    return idsOf(body);
  };
  /** The same, and names the first of them. */
  const deletes =
    (...all: readonly ReturnType<typeof terms>[]): Provoke =>
    async (fixture) => ({ targeting_criterion_id: (await give(fixture, ...all))[0] });
  const aged: Provoke = async (fixture) => {
    await give(fixture, terms('AGE', 'AGE_OVER_18'));
    return terms('AGE', 'AGE_OVER_21');
  };
  const faults: Provocations = {
    INCLUSIVE_PARAMETERS: () => how,
    INVALID_IAB_CATEGORY: () => terms('IAB_CATEGORY', 'IAB0'),
    INVALID_TARGETING_TYPE: () => terms('SHOE_SIZE', '43'),
    INVALID_TV_SHOW_LOCATIONS: () => show,
    REQUEST_TOO_COMPLEX: aged,
    TV_SHOW_OUTSIDE_MARKET: async (fixture) => {
      await give(fixture, there);
      return show;
    },
  };
  const curated: Provoke = async ({ account_id, line_item_id }) => {
    const account = world().platform.ads.sandbox.account(account_id);
    await account.write({ user_id: null, platform: 'OPERATOR' }, (writer) =>
      writer.line_item_curated_categories.insert({
        line_item_id,
        curated_category_id: '929wbl6ymlfk',
        parent_deleted: false,
        deleted: false,
      }),
    );
    return terms('IAB_CATEGORY', 'IAB17');
  };
  const batched = ([name, provoke]: [string, Provoke]) => {
    const made: Provoke = async (fixture) => ({
      operations: [
        {
          operation_type: 'Create',
          params: { line_item_id: fixture.line_item_id, ...(await provoke(fixture)) },
        },
      ],
    });
    return [name, made] as const;
  };
  return {
    'targeting_criteria.create': faults,
    'targeting_criteria.batch': {
      ...Object.fromEntries(Object.entries({ ...faults, INCOMPATIBLE_LINE_ITEM: curated }).map(batched)),
      ACCOUNT_DELETED: async ({ account_id, line_item_id }) => {
        await world().request({ method: 'DELETE', path: `/12/accounts/${account_id}` });
        return { operations: [{ operation_type: 'Create', params: { line_item_id, ...here } }] };
      },
      LINE_ITEM_NOT_FOUND: () => ({
        operations: [{ operation_type: 'Create', params: { line_item_id: 'nosuch', ...here } }],
      }),
      REQUEST_TOO_COMPLEX: () => ({ operations: Array.from({ length: 501 }, () => ({})) }),
      TARGETING_CRITERION_NOT_FOUND: () => ({
        operations: [{ operation_type: 'Delete', params: { targeting_criterion_id: 'nosuch' } }],
      }),
    },
    'targeting_criteria.delete': {
      INCLUSIVE_PARAMETERS: async (fixture) => deletes(terms('CAMPAIGN_ENGAGEMENT', fixture.campaign_id), how)(fixture),
      INVALID_TV_SHOW_LOCATIONS: deletes(here, show),
      TV_SHOW_OUTSIDE_MARKET: deletes(here, show, there),
    },
  };
}

function idsOf(body: unknown): readonly unknown[] {
  const data: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'data') : undefined;
  return Array.isArray(data) ? data.map((entity: unknown) => Object(entity).id) : [];
}

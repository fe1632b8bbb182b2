/** Rights of accounts to an audience, by owning it, by what is shared with them, or by neither. */
import { allOperations } from '@broadside/core';
import { expect } from 'vitest';
import { pathNames } from '../../support/call.ts';
import { type OperationId, type Stage, scenarios } from '../../support/scenario.ts';
import { sibling, targetableAudience } from '../../support/sharing.ts';
import { terms } from './terms.ts';

const scenario = scenarios();

/** Accounts, from those with no access to the owner. */
const relations = ['stranger', 'member', 'revoked', 'READ_ONLY', 'READ_WRITE', 'owner'] as const;
type Relation = (typeof relations)[number];

interface Try {
  readonly id: OperationId;
  /** The relations that are enough. */
  readonly by: readonly Relation[];
  /** Relations that see the audience and may not do this: 403. All others do not find it. */
  readonly forbidden: readonly Relation[];
  readonly params: (audience: string, other: { line_item_id: string; permission: string; to: string }) => object;
  /** The response where the audience is not found; by default 404. */
  readonly missing?: number;
}

const see: readonly Relation[] = ['READ_ONLY', 'READ_WRITE', 'owner'];
const change = { by: ['READ_WRITE', 'owner'], forbidden: ['READ_ONLY'] } as const;
const own = { by: ['owner'], forbidden: ['READ_ONLY', 'READ_WRITE'] } as const;

const tree = (custom_audience_id: string) => ({
  boolean_operator: 'AND',
  child_segments: [{ custom_audience_id, lookback_window: 7 }],
});
const item = (operation_type: string, params: object) => ({ operations: [{ operation_type, params }] });

let serial = 0;

/** All operations that take an audience. */
const tries: readonly Try[] = [
  { id: 'custom_audiences.get', by: see, forbidden: [], params: (custom_audience_id) => ({ custom_audience_id }) },
  { id: 'custom_audiences.targeted', by: see, forbidden: [], params: (custom_audience_id) => ({ custom_audience_id }) },
  {
    id: 'custom_audiences.update',
    ...change,
    params: (custom_audience_id) => ({ custom_audience_id, description: 'By post' }),
  },
  {
    id: 'custom_audiences.users',
    ...change,
    params: (custom_audience_id) => ({
      custom_audience_id,
      ...item('Update', { users: [{ partner_user_id: ['customer-1043'] }] }),
    }),
  },
  {
    id: 'custom_audiences.batch',
    by: see,
    forbidden: [],
    missing: 400,
    params: (id) => item('Create', { name: `Tree ${++serial}`, audience_type: 'FLEXIBLE', segments: tree(id) }),
  },
  {
    id: 'custom_audiences.batch',
    ...change,
    missing: 400,
    params: (custom_audience_id) => item('Update', { custom_audience_id, name: `Name ${++serial}` }),
  },
  {
    id: 'custom_audiences.batch',
    ...own,
    missing: 400,
    params: (custom_audience_id) => item('Delete', { custom_audience_id }),
  },
  { id: 'custom_audiences.delete', ...own, params: (custom_audience_id) => ({ custom_audience_id }) },
  {
    id: 'custom_audience_permissions.list',
    by: see,
    forbidden: [],
    params: (custom_audience_id) => ({ custom_audience_id }),
  },
  {
    id: 'custom_audience_permissions.create',
    ...own,
    params: (custom_audience_id, { to }) => ({
      custom_audience_id,
      granted_account_id: to,
      permission_level: 'READ_ONLY',
    }),
  },
  {
    id: 'custom_audience_permissions.delete',
    ...own,
    params: (custom_audience_id, { permission }) => ({ custom_audience_id, custom_audience_permission_id: permission }),
  },
  {
    id: 'tailored_audience_permissions.list',
    by: see,
    forbidden: [],
    params: (tailored_audience_id) => ({ tailored_audience_id }),
  },
  {
    id: 'tailored_audience_permissions.create',
    ...own,
    params: (tailored_audience_id, { to }) => ({
      tailored_audience_id,
      granted_account_id: to,
      permission_level: 'READ_ONLY',
    }),
  },
  {
    id: 'tailored_audience_permissions.delete',
    ...own,
    params: (tailored_audience_id, { permission }) => ({
      tailored_audience_id,
      tailored_audience_permission_id: permission,
    }),
  },
  {
    id: 'targeting_criteria.create',
    by: see,
    forbidden: [],
    missing: 400,
    params: (id, { line_item_id }) => ({ line_item_id, ...terms('CUSTOM_AUDIENCE', id) }),
  },
  {
    id: 'targeting_criteria.batch',
    by: see,
    forbidden: [],
    missing: 400,
    params: (id, { line_item_id }) => item('Create', { line_item_id, ...terms('CUSTOM_AUDIENCE', id, 'NE') }),
  },
  {
    id: 'audience_estimate.create',
    by: see,
    forbidden: [],
    missing: 400,
    params: (id) => ({ targeting_criteria: [terms('CUSTOM_AUDIENCE', id)] }),
  },
];

/** An account for each relation to audiences of the scenario's account. */
async function accountsOf(stage: Stage): Promise<ReadonlyMap<Relation, { account_id: string; campaign_id: string }>> {
  const accounts = new Map<Relation, { account_id: string; campaign_id: string }>();
  for (const relation of relations) {
    const account_id =
      relation === 'owner'
        ? stage.account_id
        : await (relation === 'stranger' ? stage.world.createAccount('sandbox', stage.user) : sibling(stage));
    const funding_instrument_id = await stage.world.createFundingInstrument(account_id);
    const { id: campaign_id } = await stage.campaign({ account_id, funding_instrument_id });
    accounts.set(relation, { account_id, campaign_id });
  }
  return accounts;
}

scenario('T-AUDIENCES-MATRIX', async (stage) => {
  const taking = allOperations.filter((operation) => pathNames(operation).some((name) => /_audience_id$/.test(name)));
  const tried = new Set<string>(tries.map(({ id }) => id));
  expect(taking.map(({ id }) => id).filter((id) => !tried.has(id))).toEqual([]);
  const accounts = await accountsOf(stage);
  for (const { id, by, forbidden, params, missing = 404 } of tries) {
    const { id: custom_audience_id } = await targetableAudience(stage, `Readers ${++serial}`);
    for (const relation of ['revoked', 'READ_ONLY', 'READ_WRITE'] as const) {
      const granted_account_id = accounts.get(relation)?.account_id;
      const permission_level = relation === 'READ_WRITE' ? relation : 'READ_ONLY';
      const terms = { custom_audience_id, granted_account_id, permission_level };
      const { id: custom_audience_permission_id } = await stage.one('custom_audience_permissions.create', terms);
      if (relation !== 'revoked') continue;
      await stage.ok('custom_audience_permissions.delete', { custom_audience_id, custom_audience_permission_id });
    }
    const to = await sibling(stage);
    const terms = { custom_audience_id, granted_account_id: to, permission_level: 'READ_ONLY' };
    const { id: permission } = await stage.one('custom_audience_permissions.create', terms);
    for (const relation of relations) {
      const account = accounts.get(relation);
      if (!account) throw new TypeError(`there is no account ${relation}`);
      const { account_id, campaign_id } = account;
      const { id: line_item_id } = await stage.lineItem({ id: campaign_id }, { account_id });
      const answer = await stage.call(id, {
        account_id,
        ...params(custom_audience_id, { line_item_id, permission, to }),
      });
      const codes = [...answer.errors, ...(answer.operation_errors ?? []).flat()].map(({ code }) => code);
      const said = `${id} ${relation} ${answer.status} ${JSON.stringify(answer.errors)} ${JSON.stringify(answer.operation_errors)}`;
      if (by.includes(relation)) expect(answer.ok, said).toBe(true);
      else if (forbidden.includes(relation)) expect(codes, said).toEqual(['ACTION_NOT_ALLOWED']);
      else {
        expect(answer.status, said).toBe(missing);
        expect(codes, said).not.toContain('ACTION_NOT_ALLOWED');
      }
    }
  }
});

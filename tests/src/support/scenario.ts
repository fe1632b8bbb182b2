/** Scenarios: what a requirement says, played on each adapter that can express it. */
import { type ContractOperation, type InputOf, type Operation, type OperationOf, operationById } from '@broadside/core';
import type { CreateWorldOptions, TestUser, TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requirementOf } from '../requirements.ts';
import { type Adapter, type AdapterName, adapterNames, adapters, type Errors, type Outcome } from './adapters.ts';
import type { CallParams } from './call.ts';
import { openWorld } from './world.ts';

/** The ids of the operations that have a path. */
export type OperationId = Extract<ContractOperation, { readonly http: object }>['id'];

/** Returns whether an operation with a path has this id. */
export function isOperationId(id: string): id is OperationId {
  const operation = operationById.get(id);
  return operation !== undefined && isPublic(operation);
}

/** Entities as scenarios look at them. */
export type Entity = Readonly<Record<string, unknown>> & { readonly id: string };

/** World and calls of a scenario. */
export class Stage {
  readonly world: TestWorld;
  readonly adapter: Adapter;
  /** An account of the user, for this scenario alone. */
  readonly account_id: string;
  /** A funding instrument of it, in USD, that asks for no daily budget. */
  readonly funding_instrument_id: string;
  readonly user: TestUser;

  constructor(
    world: TestWorld,
    adapter: Adapter,
    account: { account_id: string; funding_instrument_id: string; user: TestUser },
  ) {
    this.world = world;
    this.adapter = adapter;
    this.account_id = account.account_id;
    this.funding_instrument_id = account.funding_instrument_id;
    this.user = account.user;
  }

  /** Calls an operation on the scenario's account unless the parameters name another. */
  call<Id extends OperationId>(id: Id, params: Given<Id> = {}, as: TestUser = this.user): Promise<Outcome> {
    const operation = operationById.get(id);
    if (!operation || !isPublic(operation)) throw new TypeError(`${id} has no path`);
    const account = operation.http.path.includes(':account_id') ? { account_id: this.account_id } : {};
    return this.adapter.call(this.world, operation, { ...account, ...params }, as);
  }

  /** Calls an operation that must succeed. @returns its data */
  async ok<Id extends OperationId>(id: Id, params: Given<Id> = {}, as?: TestUser): Promise<unknown> {
    const outcome = await this.call(id, params, as);
    expect(outcome.errors, `${id} ${JSON.stringify(outcome.operation_errors)}`).toEqual([]);
    expect(outcome.ok, `${id} ${JSON.stringify(outcome.operation_errors)}`).toBe(true);
    return outcome.data;
  }

  /** Calls an operation that must succeed with one entity. */
  async one<Id extends OperationId>(id: Id, params: Given<Id> = {}, as?: TestUser): Promise<Entity> {
    const data = await this.ok(id, params, as);
    if (isEntity(data)) return data;
    throw new TypeError(`${id} gave no entity`);
  }

  /** Calls an operation that must succeed with entities. */
  async many<Id extends OperationId>(id: Id, params: Given<Id> = {}, as?: TestUser): Promise<Entity[]> {
    const data = await this.ok(id, params, as);
    if (Array.isArray(data) && data.every(isEntity)) return data;
    throw new TypeError(`${id} gave no entities`);
  }

  /** Calls an operation that must be rejected with a status. @returns the errors */
  async rejected<Id extends OperationId>(id: Id, params: Given<Id>, status = 400, as?: TestUser): Promise<Errors> {
    const outcome = await this.call(id, params, as);
    expect(outcome.ok, `${id} succeeded`).toBe(false);
    expect([outcome.status, outcome.errors]).toEqual([status, outcome.errors]);
    return outcome.errors;
  }

  /** Creates a campaign. */
  campaign(params: Loose<'campaigns.create'> = {}): Promise<Entity> {
    const { funding_instrument_id } = this;
    return this.one('campaigns.create', { funding_instrument_id, name: 'Campaign', ...params });
  }

  /** Creates a line item in a campaign, ENGAGEMENTS unless it says otherwise. */
  lineItem(campaign: Entity, params: Loose<'line_items.create'> = {}): Promise<Entity> {
    return this.one('line_items.create', { ...lineItemOf(campaign), ...params });
  }

  /** A funding instrument of the account, made behind the interface. */
  fundingInstrument(fields: Parameters<TestWorld['createFundingInstrument']>[1] = {}): Promise<string> {
    return this.world.createFundingInstrument(this.account_id, fields);
  }

  /** The rows of a table of the sandbox that belong to the account. */
  async rows(table: 'campaigns' | 'line_items' | 'change_log'): Promise<(readonly unknown[])[]> {
    const { database } = this.world.platform.ads.sandbox;
    return [
      ...(await database.query(`SELECT * FROM "${table}" WHERE "account_id" = ? ORDER BY "seq"`, [this.account_id])),
    ];
  }
}

type Loose<Id extends OperationId> = { readonly [Name in keyof InputOf<OperationOf<Id>>]?: unknown };
/** Parameters under the names that the operation has, with any values: scenarios send wrong ones too. */
type Given<Id extends OperationId> = Loose<Id> & CallParams;

/** The parameters of a line item that nothing is wrong with. */
export function lineItemOf(campaign: Entity) {
  return {
    campaign_id: campaign.id,
    objective: 'ENGAGEMENTS',
    product_type: 'PROMOTED_POSTS',
    placements: ['ALL_ON_PLATFORM'],
    start_time: '2026-01-01T00:00:00Z',
    end_time: '2030-01-01T00:00:00Z',
    bid_amount_local_micro: 1_000_000,
  };
}

function isPublic(operation: object): operation is Operation {
  return 'http' in operation && operation.http !== null;
}

function isEntity(value: unknown): value is Entity {
  return typeof value === 'object' && value !== null && 'id' in value;
}

/** The adapters of a requirement. */
function adaptersOf(id: string): readonly AdapterName[] {
  const { on } = requirementOf(id);
  return on === 'every adapter' ? adapterNames : on.only;
}

/** Returns the title of a test that covers a requirement without being a scenario. */
export function about(id: string): string {
  return `${id} ${requirementOf(id).text}`;
}

export type PlayScenario = (id: string, play: (stage: Stage) => Promise<void>) => void;

/** Opens a world for the scenarios of a file. Each scenario has an account of its own in it. */
export function scenarios(options: CreateWorldOptions = {}): PlayScenario {
  let world: TestWorld;
  beforeAll(async () => {
    world = await openWorld(options);
  });
  afterAll(async () => {
    expect(world.failures).toEqual([]);
    await world.close();
  });
  return (id, play) => {
    describe(about(id), () => {
      test.for([...adaptersOf(id)])('%s', async (name) => {
        const user = world.user;
        const account_id = await world.createAccount('sandbox', user);
        const funding_instrument_id = await world.createFundingInstrument(account_id);
        await play(new Stage(world, adapters[name], { account_id, funding_instrument_id, user }));
      });
    });
  };
}

/** Updates that send back what was loaded, derived from the contract: which they are, and the requests that they make. */
import { allOperations, type Operation, pathParameters } from '@broadside/core';
import type { Answer, TestRequest, TestWorld } from '@broadside/testkit';
import { z } from 'zod';
import { member } from './body.ts';
import { requestFor, validParams } from './call.ts';
import { familyFixtures, familyOf } from './families.ts';
import { type AccountFixture, createAccountFixture } from './world.ts';

/** An entity as it was loaded. */
export type Loaded = Readonly<Record<string, unknown>>;

/** The place of parameters. */
type Place = 'query' | 'form' | 'json';

/** An update of an entity that can be loaded. */
export interface Restating {
  readonly update: Operation;
  readonly get: Operation;
  /** The batch that updates such entities too. */
  readonly batch: Operation | undefined;
  /** The parameter that identifies an entity. */
  readonly key: string;
  /** The members that the update does not take. */
  readonly fixed: readonly string[];
}

/** Every update of an entity that can be loaded, by the contract. */
export const restatings: readonly Restating[] = allOperations.flatMap((update) => {
  const { http, data, params } = update;
  if (http.method !== 'PUT' || !(data instanceof z.ZodObject)) return [];
  const get = allOperations.find((one) => one.http.method === 'GET' && one.http.path === http.path);
  if (get?.data !== data) return [];
  const batch = allOperations.find((one) => one.batch?.Update && one.data === data);
  const fixed = Object.keys(data.shape).filter((name) => !Object.hasOwn(params.shape, name));
  return [{ update, get, batch, key: pathParameters(get).at(-1) ?? '', fixed }];
});

/** The entities of one update in a world, and what can be done with them. */
export class RestatedEntities {
  readonly #world: TestWorld;
  readonly #restating: Restating;
  readonly #fixture: AccountFixture;

  private constructor(world: TestWorld, restating: Restating, fixture: AccountFixture) {
    this.#world = world;
    this.#restating = restating;
    this.#fixture = fixture;
  }

  /** Makes what the update's example changes. */
  static async create(world: TestWorld, restating: Restating): Promise<RestatedEntities> {
    return new RestatedEntities(world, restating, await createAccountFixture(world, 'sandbox', restating.update));
  }

  /** The places of a request in which the update takes its parameters. */
  get places(): readonly Place[] {
    return this.#restating.update.body === 'json' ? ['json'] : ['query', 'form', 'json'];
  }

  /** A call of the update that changes something. */
  get example(): Loaded {
    return validParams(this.#restating.update, this.#fixture);
  }

  /** The ids of all entities of the account, of which the fixture of the family makes several kinds where it can. */
  async ids(): Promise<readonly string[]> {
    const { update, key } = this.#restating;
    const list = allOperations.find(({ envelope, data }) => envelope === 'list' && data === update.data);
    const own = String(this.example[key]);
    if (key === 'account_id' || !list) return [own];
    const listed = await this.#world.request(requestFor(list, { account_id: this.#fixture.account_id }));
    const Listed = z.array(z.looseObject({ id: z.unknown(), [key]: z.unknown() }).partial());
    const ids = Listed.parse(member(listed.body, 'data')).map((one) => String(one[key] ?? one.id));
    return [...new Set([own, ...ids])];
  }

  async load(id: string): Promise<Loaded> {
    const { get, key } = this.#restating;
    const { status, body, text } = await this.#world.request(
      requestFor(get, { account_id: this.#fixture.account_id, [key]: id }),
    );
    expectStatus(status, text);
    return z.looseObject({}).parse(member(body, 'data'));
  }

  /** Sends members of an entity with the update. In a query or a form, null is left out, and objects are JSON. */
  save(id: string, members: Loaded, place: Place = this.places[0] ?? 'json'): Promise<Answer> {
    const { update, key } = this.#restating;
    const { path } = requestFor(update, { ...this.example, [key]: id });
    const request: TestRequest = { method: 'PUT', path };
    if (place === 'json') return this.#world.request({ ...request, json: members });
    return this.#world.request({ ...request, [place]: Object.entries(members).flatMap(asText) });
  }

  /** Sends members of an entity with the batch, if there is one. */
  async saveInBatch(id: string, members: Loaded, operation_type = 'Update'): Promise<Answer | undefined> {
    const { batch, key } = this.#restating;
    if (!batch) return undefined;
    const operations = [{ operation_type, params: { ...members, [key]: id } }];
    return this.#world.request(requestFor(batch, { account_id: this.#fixture.account_id, operations }));
  }

  /** Makes more entities of other kinds, by the fixture of the family. */
  async spread(stage: Parameters<NonNullable<NonNullable<ReturnType<typeof fixtureOf>>['spread']>>[0]): Promise<void> {
    await fixtureOf(this.#restating.update)?.spread?.(stage);
  }

  get account(): { readonly account_id: string; readonly funding_instrument_id: string } {
    return this.#fixture;
  }
}

function fixtureOf(operation: Operation) {
  return familyFixtures().get(familyOf(operation));
}

function expectStatus(status: number, text: string): void {
  if (status !== 200) throw new TypeError(`${status} ${text.slice(0, 500)}`);
}

function asText([name, value]: readonly [string, unknown]): readonly [string, string][] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return [[name, value.join(',')]];
  return [[name, typeof value === 'object' ? JSON.stringify(value) : `${value}`]];
}

/** Every entity that can be loaded and updated: clients send all of it back, with what they changed. */
import { allOperations, allows, type Capability, permissions } from '@broadside/core';
import { openapiDocument } from '@broadside/core/openapi';
import type { Answer, TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { member } from '../support/body.ts';
import { type Loaded, RestatedEntities, restatings } from '../support/restating.ts';
import { makeKinds } from '../support/restating-kinds.ts';
import { about } from '../support/scenario.ts';
import { lastChange, openWorld } from '../support/world.ts';

let world: TestWorld;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(async () => {
  expect(world.failures).toEqual([]);
  await world.close();
});

/** Members that change by themselves, written out: any value of them may be sent back. */
const computed: Readonly<Record<string, readonly string[]>> = {
  'accounts.update': ['timezone_switch_at', 'approval_status', 'updated_at'],
  'campaigns.update': ['reasons_not_servable', 'servable', 'effective_status', 'updated_at'],
  'custom_audiences.update': [
    'audience_size',
    'targetable',
    'targetable_types',
    'reasons_not_targetable',
    'updated_at',
  ],
  'media_library.update': ['media_status', 'posted', 'updated_at', 'duration', 'aspect_ratio'],
  'scheduled_posts.update': ['scheduled_status', 'completed_at', 'post_id', 'failure', 'updated_at'],
};

test('the walk covers every update of an entity of its own path', () => {
  const updates = allOperations.filter(({ http }) => http.method === 'PUT').map(({ id }) => id);
  const left = updates.filter((id) => !restatings.some(({ update }) => update.id === id));
  // Neither can be loaded alone.
  expect(left).toEqual(['user_access.grant', 'posts.rename']);
});

test('the OpenAPI document names the members that may come along with each update', () => {
  const Document = z.looseObject({
    paths: z.record(z.string(), z.record(z.string(), z.looseObject({ description: z.string().optional() }))),
  });
  const { paths } = Document.parse(
    openapiDocument({ serverUrl: 'http://sandbox.test', version: '1.0.0', environment: 'sandbox' }),
  );
  const said = Map.groupBy(
    Object.values(paths).flatMap((path) => Object.values(path)),
    (one) => one['operationId'],
  );
  for (const { update, fixed } of restatings) {
    const description = said.get(update.id)?.[0]?.description ?? '';
    const own = computed[update.id] ?? ['updated_at'];
    expect(description, update.id).toContain('The entity can be sent back as it was loaded, with what is to change.');
    const names = (sentence: RegExp) =>
      [...(sentence.exec(description)?.[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name);
    expect(names(/Unchanged, (.*?) are accepted/).toSorted()).toEqual(
      fixed.filter((name) => !own.includes(name)).toSorted(),
    );
    expect(names(/Of (.*?) any value is passed over/).toSorted()).toEqual(
      own.filter((name) => fixed.includes(name)).toSorted(),
    );
  }
});

test('whoever may update an entity may read it, so that a rejection reveals nothing', () => {
  for (const { update, get, batch } of restatings) {
    const [read, ...writes] = [get, update, batch].flatMap((one): Capability[] =>
      one && 'capability' in one.access ? [one.access.capability] : [],
    );
    for (const write of writes) {
      const blind = permissions.filter((one) => allows([one], write) && !(read && allows([one], read)));
      expect(blind, update.id).toEqual([]);
    }
  }
});

const ok = (answer: Answer | undefined, about: string) => {
  if (answer) expect(answer.status, `${about} ${answer.text.slice(0, 700)}`).toBe(200);
};

describe.for(restatings.map((one) => [one.update.id, one] as const))('%s', ([id, restating]) => {
  let entities: RestatedEntities;
  beforeAll(async () => {
    entities = await RestatedEntities.create(world, restating);
    await makeKinds(world, id, entities);
  });

  test(about('T-RESTATED'), async () => {
    for (const one of await entities.ids()) {
      const loaded = await entities.load(one);
      const before = await lastChange(world);
      world.clock.advance(5000);
      for (const place of entities.places) {
        const answer = await entities.save(one, loaded, place);
        ok(answer, `${one} in ${place}`);
        expect(member(answer.body, 'data'), place).toEqual(loaded);
      }
      ok(await entities.saveInBatch(one, loaded), `${one} in a batch`);
      expect(await entities.load(one)).toEqual(loaded);
      expect(await lastChange(world), one).toBe(before);
    }
  });

  test(about('T-RESTATED-TWICE'), async () => {
    const [one = ''] = await entities.ids();
    const example = entities.example;
    const loaded = await entities.load(one);
    const saved = Object.fromEntries(
      Object.keys(loaded).map((name) => [name, Object.hasOwn(example, name) ? example[name] : loaded[name]]),
    );
    world.clock.advance(5000);
    ok(await entities.save(one, saved), 'once');
    const before = await lastChange(world);
    world.clock.advance(5000);
    ok(await entities.save(one, saved), 'twice');
    ok(await entities.saveInBatch(one, saved), 'in a batch');
    expect(await lastChange(world)).toBe(before);
  });

  test(about('T-RESTATED-CHANGED'), async () => {
    const [one = ''] = await entities.ids();
    const loaded = await entities.load(one);
    const before = await lastChange(world);
    const required = restating.update.body === 'json' ? { name: loaded['name'] } : {};
    for (const name of restating.fixed) {
      const changed = { ...required, [name]: otherThan(loaded, name) };
      const answers = [await entities.save(one, changed, 'json'), await entities.saveInBatch(one, changed)];
      for (const answer of answers) {
        if (!answer) continue;
        if ((computed[id] ?? ['updated_at']).includes(name)) ok(answer, name);
        else {
          expect(answer.status, name).toBe(400);
          // The batch of audiences takes a type, which an update does not.
          const isTaken = restating.batch?.batch?.Update?.shape[name] !== undefined && answer !== answers[0];
          const said = isTaken ? `"parameter":"${name}"` : `\\"${name}\\" cannot be changed; it is `;
          expect(answer.text).toContain(said);
        }
      }
    }
    const misspelt = await entities.save(one, { ...required, creatd_at: loaded['created_at'] }, 'json');
    expect([misspelt.status, misspelt.text]).toEqual([400, expect.stringContaining('is not a parameter')]);
    expect(await lastChange(world)).toBe(before);
  });
});

/** Another value than an entity has, of the same form where that is possible. */
function otherThan(loaded: Loaded, name: string): unknown {
  const value = loaded[name];
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1;
  return name.endsWith('_at') ? '2001-01-01' : `x${typeof value === 'string' ? value : ''}`;
}

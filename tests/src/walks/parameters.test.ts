/** Every parameter of every operation: missing, malformed, unknown and given twice is a 400 that names it. */
import { allOperations, isRead, type Operation, type WireType } from '@broadside/core';
import type { Answer, TestRequest, TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { pathNames, requestFor, validParams } from '../support/call.ts';
import { malformedJson, malformedTexts, type Parameter, parametersOf, sentParameters } from '../support/malformed.ts';
import { type AccountFixture, createAccountFixture, lastChange, openWorld } from '../support/world.ts';

let world: TestWorld;
let fixture: AccountFixture;
let changes: number;

beforeAll(async () => {
  world = await openWorld();
  fixture = await createAccountFixture(world);
  changes = await lastChange(world);
});
afterAll(async () => {
  // No request of this file is sound, so none may have written.
  expect(await lastChange(world)).toBe(changes);
  await world.close();
});

const Rejections = z.object({
  errors: z.array(z.looseObject({ code: z.string(), parameter: z.string().optional(), message: z.string() })),
});

/** Error of a response about a parameter. */
function complaintsOf(answer: Answer, name: string): string[] {
  expect(answer.status, answer.text.slice(0, 500)).toBe(400);
  const { errors } = Rejections.parse(answer.body);
  return errors.flatMap(({ code, parameter, message }) => (parameter === name && message.includes(name) ? [code] : []));
}

const places = (operation: Operation) => {
  if (operation.body === 'json') return ['json'] as const;
  return isRead(operation) ? (['query'] as const) : (['query', 'form', 'json'] as const);
};

/** Texts in as many parts as queries need: a target of more than 16,384 characters is rejected as a whole. */
function fitting<Given extends { readonly value: string }>(texts: readonly Given[]): Given[][] {
  const parts: Given[][] = [];
  let left = 0;
  for (const text of texts) {
    const { length } = encodeURIComponent(text.value);
    if (length >= QUERY) continue;
    if (length > left) {
      parts.push([]);
      left = QUERY;
    }
    parts.at(-1)?.push(text);
    left -= length + NAME;
  }
  return parts;
}
/** Room for texts in a query, beside sound parameters, and for the name of each. */
const QUERY = 13_000;
const NAME = 60;

/** An update may restate what is in its path. */
const again = ({ http }: Operation, value: string) => (http.method === 'PUT' ? `${value}x` : value);

/** Values of nothing, which are right where an entity has none: an update restates it. */
const isNothing = (value: unknown) => value === null || value === '' || (Array.isArray(value) && value.length === 0);

function canRestateNothing({ http, batch, data }: Operation, name: string): boolean {
  if ((http.method !== 'PUT' && !batch?.Update) || !(data instanceof z.ZodObject)) return false;
  const member: unknown = data.shape[name];
  return member instanceof z.ZodType && (member.safeParse(null).success || member.safeParse([]).success);
}

const single = allOperations.filter(({ batch }) => !batch);

describe.for(single.map((operation) => [operation.id, operation] as const))('%s', ([, operation]) => {
  const valid = () => validParams(operation, fixture);
  const sent = sentParameters(operation);
  const required = sent.filter((parameter) => parameter.required);
  /** Malformed values, several of which go into one request: of each parameter the first, then of each the second, and so on. */
  const malformed = <Value>(parameters: readonly Parameter[], valuesOf: (type: WireType) => readonly Value[]) => {
    const all = parameters.map(({ name, type }) =>
      valuesOf(type)
        .filter((value) => !(isNothing(value) && canRestateNothing(operation, name)))
        .map((value) => ({ name, type, value })),
    );
    const most = Math.max(...all.map(({ length }) => length));
    return Array.from({ length: most }, (_, nth) => all.flatMap((values) => values[nth] ?? []));
  };

  testWhere(required.length > 0)('reports each missing required parameter by name', async () => {
    for (const { name } of required) {
      const { [name]: _, ...rest } = valid();
      for (const place of places(operation)) {
        const complaints = complaintsOf(await world.request(requestFor(operation, rest, place)), name);
        expect(complaints, `${name} in ${place}`).toEqual(['MISSING_PARAMETER']);
      }
    }
  });

  testWhere(required.length > 1)('misses all required parameters at once', async () => {
    const rest = Object.fromEntries(pathNames(operation).map((name) => [name, valid()[name]]));
    const answer = await world.request(requestFor(operation, rest));
    for (const { name } of required) expect(complaintsOf(answer, name)).toEqual(['MISSING_PARAMETER']);
  });

  testWhere(sent.length > 0)('rejects malformed text for each parameter by name', async () => {
    for (const texts of malformed(sent, malformedTexts)) {
      for (const place of places(operation).filter((where) => where !== 'json')) {
        for (const part of place === 'form' ? [texts] : fitting(texts)) {
          const params = { ...valid(), ...Object.fromEntries(part.map(({ name, value }) => [name, value])) };
          const answer = await world.request(requestFor(operation, params, place));
          for (const { name, type, value } of part) {
            const complaints = complaintsOf(answer, name);
            expect(complaints, `${name}=${JSON.stringify(value.slice(0, 50))} in ${place}`).toHaveLength(1);
            const wrong = type.error ?? 'INVALID_PARAMETER';
            const codes = [
              wrong,
              ...(type.item?.error ? [type.item.error] : []),
              ...(value.includes('\0') ? ['ILLEGAL_CHARACTERS'] : []),
            ];
            expect(codes).toContain(complaints[0]);
          }
        }
      }
    }
  });

  testWhere(sent.length > 0 && !isRead(operation))('rejects malformed JSON for each parameter by name', async () => {
    for (const values of malformed(sent, malformedJson)) {
      const params = { ...valid(), ...Object.fromEntries(values.map(({ name, value }) => [name, value])) };
      const answer = await world.request(requestFor(operation, params, 'json'));
      for (const { name, type, value } of values) {
        expect(complaintsOf(answer, name), `${name}: ${String(JSON.stringify(value, plain))}`).toEqual([
          type.error ?? 'INVALID_PARAMETER',
        ]);
      }
    }
  });

  test('rejects a parameter that it does not have, in any place', async () => {
    for (const place of places(operation)) {
      for (const name of ['no_such_parameter', '__proto__', 'constructor', 'toString']) {
        const params = Object.fromEntries([...Object.entries(valid()), [name, 'x']]);
        const complaints = complaintsOf(await world.request(requestFor(operation, params, place)), name);
        expect(complaints, `${name} in ${place}`).toEqual(['INVALID_PARAMETER']);
      }
    }
  });

  test('rejects a parameter of the path that is given again', async () => {
    for (const name of pathNames(operation)) {
      for (const place of places(operation)) {
        const request = requestFor(operation, valid(), place);
        const twice = { [place]: { ...objectIn(request, place), [name]: again(operation, String(valid()[name])) } };
        expect(complaintsOf(await world.request({ ...request, ...twice }), name), place).toEqual(['INVALID_PARAMETER']);
      }
    }
  });

  testWhere(sent.length > 0)('rejects each parameter that is given twice', async () => {
    const { json: _, ...base } = requestFor(
      operation,
      Object.fromEntries(pathNames(operation).map((name) => [name, valid()[name]])),
    );
    const once = sent.map(({ name, type }): [string, string] => [name, type.values?.[0] ?? '1']);
    const expectComplaint = (answer: Answer, name: string, where: string) =>
      expect(new Set(complaintsOf(answer, name)), `${name} ${where}`).toEqual(new Set(['INVALID_PARAMETER']));
    const expectAll = (answer: Answer, where: string) => {
      for (const { name } of sent) expectComplaint(answer, name, where);
    };
    if (operation.body !== 'json') {
      expectAll(await world.request({ ...base, query: [...once, ...once] }), 'twice in the query');
    }
    if (isRead(operation)) return;
    if (operation.body !== 'json') {
      expectAll(await world.request({ ...base, query: once, form: once }), 'in query and form');
    }
    expectAll(await world.request({ ...base, query: once, json: Object.fromEntries(once) }), 'in query and JSON');
    // Such JSON cannot be read, so that what comes after the first is not known.
    const headers = { 'content-type': 'application/json' };
    for (const { name } of sent) {
      const body = `{${JSON.stringify(name)}:"x",${JSON.stringify(name)}:"x"}`;
      expectComplaint(await world.request({ ...base, body, headers }), name, 'twice in JSON');
    }
  });

  test('takes an id of the path that is too long for one that it can say is wrong', async () => {
    for (const name of pathNames(operation).filter((known) => known !== 'account_id')) {
      const params = { ...valid(), [name]: 'a'.repeat(65) };
      expect(complaintsOf(await world.request(requestFor(operation, params)), name)).toEqual(['INVALID_PARAMETER']);
    }
  });

  // Parameters that only JSON can express have tests of their own.
  const exclusive = operation.body === 'json' ? [] : (operation.exclusive ?? []);
  testWhere(exclusive.length > 0)('rejects parameters that exclude each other', async () => {
    for (const [one, other] of exclusive) {
      const params = { ...valid(), [one]: 'true', [other]: 'abc' };
      expect(complaintsOf(await world.request(requestFor(operation, params)), other)).toEqual(['EXCLUSIVE_PARAMETERS']);
    }
  });
});

/** A test of what only some operations have; for the others there is none to skip. */
function testWhere(applies: unknown): (title: string, body: () => Promise<void>) => void {
  return applies ? (title, body) => test(title, body) : () => {};
}

function plain(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}

const Pairs = z.array(z.tuple([z.string(), z.string()]));

function objectIn(request: TestRequest, place: 'query' | 'form' | 'json'): Record<string, unknown> {
  const held = request[place];
  return Array.isArray(held) ? Object.fromEntries(Pairs.parse(held)) : z.looseObject({}).parse(held ?? {});
}

const batches = allOperations.flatMap((operation) =>
  operation.batch ? [{ id: operation.id, operation, batch: operation.batch }] : [],
);
const kinds = ['Create', 'Update', 'Delete'] as const;

describe.for(batches)('$id', ({ operation, batch }) => {
  const ItemRejections = z.object({
    operation_errors: z.array(z.array(z.looseObject({ code: z.string(), parameter: z.string().optional() }))),
  });
  const send = (operations: unknown) => world.request(requestFor(operation, { ...fixture, operations }));
  const errorsOfItems = async (given: readonly unknown[]) => {
    const answer = await send(given);
    expect(answer.status, answer.text).toBe(400);
    return ItemRejections.parse(answer.body).operation_errors;
  };
  const itemErrors = async (item: unknown) => (await errorsOfItems([item]))[0] ?? [];
  const items = kinds.flatMap((operation_type) => {
    const schema = batch[operation_type];
    return schema ? [{ operation_type, parameters: parametersOf(schema) }] : [];
  });
  const known: Readonly<Record<string, unknown>> = Object.assign({}, ...exampleItems(operation));
  const validItem = (parameters: (typeof items)[number]['parameters']) =>
    // None of these items gets so far that an id would have to exist.
    Object.fromEntries([
      ...parameters.flatMap(({ name, required }) =>
        required ? [[name, { ...known, ...fixture }[name] ?? 'nosuch']] : [],
      ),
      ...(batch.users ? [['users', known['users']]] : []),
    ]);

  test('misses each required parameter of an item by name', async () => {
    for (const { operation_type, parameters } of items) {
      for (const { name } of parameters.filter(({ required }) => required)) {
        const { [name]: _, ...params } = validItem(parameters);
        expect(await itemErrors({ operation_type, params })).toMatchObject([
          { code: 'MISSING_PARAMETER', parameter: name },
        ]);
      }
    }
  });

  test('rejects malformed values of each parameter of an item by name', async () => {
    const malformed = items.flatMap(({ operation_type, parameters }) =>
      parameters.flatMap(({ name, type }) =>
        [...malformedTexts(type), ...malformedJson(type)]
          .filter((value) => !(isNothing(value) && canRestateNothing(operation, name)))
          .map((value) => ({
            name,
            value,
            item: { operation_type, params: { ...validItem(parameters), [name]: value } },
          })),
      ),
    );
    // All items are tried, each as if it came alone.
    for (let from = 0; from < malformed.length; from += batch.max) {
      const some = malformed.slice(from, from + batch.max);
      const errors = await errorsOfItems(some.map(({ item }) => item));
      for (const [index, { name, value }] of some.entries()) {
        expect(errors[index], `${name} ${JSON.stringify(value, plain)}`).toMatchObject([{ parameter: name }]);
      }
    }
  });

  test('rejects an unknown parameter of an item, and an unknown member beside it', async () => {
    for (const { operation_type, parameters } of items) {
      const params = { ...validItem(parameters), no_such: 1 };
      expect(await itemErrors({ operation_type, params })).toMatchObject([{ parameter: 'no_such' }]);
      const item = { operation_type, params: validItem(parameters), no_such: 1 };
      expect(await itemErrors(item)).toMatchObject([{ parameter: 'no_such' }]);
    }
  });

  test('rejects an invalid item', async () => {
    for (const item of [
      null,
      1,
      'Create',
      [],
      {},
      { operation_type: 'Create' },
      { operation_type: 'create', params: {} },
    ]) {
      expect((await itemErrors(item)).length, JSON.stringify(item)).toBeGreaterThan(0);
    }
  });

  test('rejects a parameter beside the batch', async () => {
    const request = requestFor(operation, validParams(operation, fixture));
    for (const name of ['no_such', 'operations', 'account_id']) {
      const answer = await world.request({ ...request, query: { [name]: 'x' } });
      expect(complaintsOf(answer, name)).toEqual(['INVALID_PARAMETER']);
    }
  });

  test.for([
    ['an object', '{}', 'application/json', 400],
    ['nothing', '', 'application/json', 415],
    ['no JSON', '[', 'application/json', 400],
    ['a form', 'a=1', 'application/x-www-form-urlencoded', 415],
    ['plain text', '[]', 'text/plain', 415],
    ['an empty array', '[]', 'application/json', 400],
  ] as const)('rejects %s in place of an array', async ([, body, type, status]) => {
    const request = requestFor(operation, validParams(operation, fixture));
    const form = type.includes('form') ? { form: { a: '1' } } : { body };
    const { json: _, ...rest } = request;
    const answer = await world.request({ ...rest, ...form, headers: { 'content-type': type } });
    expect(answer.status, answer.text).toBe(status);
  });
});

const Items = z.array(z.looseObject({ params: z.looseObject({}) }));

/** The parameters of the items in the example of a batch. */
function exampleItems({ example }: Operation): readonly Readonly<Record<string, unknown>>[] {
  return Items.parse(Object(example.params).operations).map(({ params }) => params);
}

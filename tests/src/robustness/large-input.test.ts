/** Bodies that are large in ways that no client needs: the error answer stays small, and the time grows with the size alone. */
import { costRatio } from '@broadside/cost-ratio';
import type { TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { member } from '../support/body.ts';
import { type AccountFixture, createAccountFixture, openWorld } from '../support/world.ts';

let world: TestWorld;
let fixture: AccountFixture;
let batch: string;

beforeAll(async () => {
  world = await openWorld();
  fixture = await createAccountFixture(world);
  batch = `/12/batch/accounts/${fixture.account_id}/campaigns`;
});
afterAll(async () => {
  expect(world.failures).toEqual([]);
  await world.close();
});

const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`campaign_nam${i}`, i]));

const answerTo = (body: string) =>
  world.request({ method: 'POST', path: batch, headers: { 'content-type': 'application/json' }, body });

describe('the answer to many faults is bounded', () => {
  test('unknown parameters', async () => {
    const path = `/12/accounts/${fixture.account_id}/campaigns/${fixture.campaign_id}`;
    const { status, body, text } = await world.request({ method: 'PUT', path, json: names(9_000) });
    expect(status).toBe(400);
    expect(text.length).toBeLessThan(100_000);
    const errors = member(body, 'errors');
    expect(errors).toHaveLength(21);
    expect(errors).toContainEqual(
      expect.objectContaining({ message: '8980 more names are not parameters of this operation' }),
    );
  });

  test('unknown parameters of the items of a batch', async () => {
    const items = Array.from({ length: 40 }, () => ({ operation_type: 'Create', params: names(200) }));
    const { status, body, text } = await answerTo(JSON.stringify(items));
    expect(status).toBe(400);
    expect(text.length).toBeLessThan(1_000_000);
    expect(member(body, 'operation_errors')).toHaveLength(40);
  });

  test('wrong items of a large batch: a thousand errors, and one of each further item', async () => {
    const items = Array.from({ length: 200 }, () => ({ operation_type: 'Create', params: names(30) }));
    const path = `/12/batch/accounts/${fixture.account_id}/targeting_criteria`;
    const { status, body } = await world.request({ method: 'POST', path, json: items });
    expect(status).toBe(400);
    const errors = member(body, 'operation_errors');
    const counts = Array.isArray(errors) ? errors.map((of: unknown[]) => of.length) : [];
    expect(counts).toHaveLength(200);
    expect(Math.min(...counts)).toBe(1);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThan(1_300);
  });

  test('a value of megabytes is repeated by its beginning', async () => {
    const path = `/12/accounts/${fixture.account_id}/campaigns/${fixture.campaign_id}`;
    const { status, text } = await world.request({ method: 'PUT', path, json: { name: 'x'.repeat(4_000_000) } });
    expect(status).toBe(400);
    expect(text.length).toBeLessThan(5_000);
  });
});

test.each([
  ['values', `[${Array(20_000).fill('1').join(',')}]`, 'too many values'],
  ['digits', `[${'1'.repeat(1_000_000)}]`, 'more than 100 characters'],
  ['empty objects', `[${'{},'.repeat(1_000_000)}{}]`, 'too many values'],
  ['open arrays', '['.repeat(1_000_000), 'too deep'],
] as const)('a body with a million %s is rejected with the reason', async (_what, text, reason) => {
  const { status, body } = await answerTo(text);
  expect(status).toBe(400);
  expect(JSON.stringify(body)).toContain(reason);
});

test.each([[1], [true], [null], [{}], [[]]])(
  'an operation_type of another type, such as %j, is not repeated in the request',
  async (operation_type) => {
    const { status, body } = await answerTo(JSON.stringify([{ operation_type, params: {} }]));
    expect(status).toBe(400);
    expect(member(body, 'request')).toEqual([{ params: { account_id: fixture.account_id }, operation_type: null }]);
  },
);

test('a form has up to 250,000 bytes, and JSON more', async () => {
  const path = `/12/accounts/${fixture.account_id}/campaigns/${fixture.campaign_id}`;
  const sent = async (more: object) => {
    const { status, body } = await world.request({ method: 'PUT', path, ...more });
    return { status, body };
  };
  const name = (bytes: number) => ({ name: 'x'.repeat(bytes) });
  expect(await sent({ form: name(251_000) })).toMatchObject({
    status: 413,
    body: { errors: [{ code: 'REQUEST_TOO_LARGE', message: 'The body may have up to 250000 bytes' }] },
  });
  expect(await sent({ form: name(240_000) })).toMatchObject({ status: 400 });
  expect(await sent({ json: name(251_000) })).toMatchObject({ status: 400 });
});

test.each(['GET', 'PUT'])('the target of a %s has up to 16,384 characters', async (method) => {
  const path = `/12/accounts/${fixture.account_id}/campaigns/${fixture.campaign_id}`;
  const { status, body } = await world.request({ method, path, query: { name: 'x'.repeat(17_000) } });
  expect({ status, body }).toMatchObject({ status: 413, body: { errors: [{ code: 'REQUEST_TOO_LARGE' }] } });
  const shorter = await world.request({ method, path, query: { name: 'x'.repeat(15_000) } });
  expect(shorter.status).toBe(400);
});

describe('rejecting twice as much takes about twice the time', () => {
  const forms: Readonly<Record<string, (size: number) => string>> = {
    'a number': (size) => `[${'1'.repeat(size * 100)}]`,
    'open arrays': (size) => '['.repeat(size * 100),
    'empty objects': (size) => `[${'{},'.repeat(size * 30)}{}]`,
    'unknown names': (size) =>
      JSON.stringify(
        Array.from({ length: 10 }, () => ({ operation_type: 'Create', params: names(Math.floor(size / 25)) })),
      ),
    'a text': (size) => JSON.stringify([{ operation_type: 'Create', params: { name: 'a'.repeat(size * 100) } }]),
  };
  test.each(Object.entries(forms))('%s', async (_name, form) => {
    const [small, large] = [form(2_500), form(10_000)];
    const send = (text: string) => async () => expect((await answerTo(text)).status).toBe(400);
    await send(large)();
    expect(await costRatio(send(large), send(small), 10)).toBeLessThan(10);
  });
});

/** Flexible audiences: specification B, POST /12/batch/.../custom_audiences; reference, audiences section 7. */
import { expect } from 'vitest';
import { member } from '../../support/body.ts';
import { type Entity, type Stage, scenarios } from '../../support/scenario.ts';
import { sibling } from '../../support/sharing.ts';

const scenario = scenarios();

const terms = { frequency: 1, frequency_comparator: 'NUM_GTE', negate: false };
const and = (...child_segments: unknown[]) => ({ boolean_operator: 'AND', child_segments });
const leaf = ({ id }: { readonly id: string }) => ({ custom_audience_id: id });

const creation = (name: string, segments: unknown, audience_type = 'FLEXIBLE') => ({
  operation_type: 'Create',
  params: { name, audience_type, segments },
});
const deletion = ({ id }: Entity) => ({ operation_type: 'Delete', params: { custom_audience_id: id } });
const update = ({ id }: Entity, changes: object) => ({
  operation_type: 'Update',
  params: { custom_audience_id: id, ...changes },
});

const audience = (stage: Stage, name: string) => stage.one('custom_audiences.create', { name });

async function flexible(stage: Stage, name: string, segments: unknown, audience_type?: string): Promise<Entity> {
  const [made] = await stage.many('custom_audiences.batch', { operations: [creation(name, segments, audience_type)] });
  if (!made) throw new TypeError('nothing was created');
  return made;
}

/** The errors of one operation in a batch of its own. */
async function errorsOf(stage: Stage, operation: unknown) {
  const outcome = await stage.call('custom_audiences.batch', { operations: [operation] });
  expect([outcome.ok, outcome.status]).toEqual([false, 400]);
  return outcome.operation_errors?.[0] ?? outcome.errors;
}

scenario('B-FLEXIBLE-CREATE', async (stage) => {
  const [a, b, c] = [await audience(stage, 'a'), await audience(stage, 'b'), await audience(stage, 'c')];
  // The sample of the reference: AND(leaf negated, OR(leaf, leaf negated)).
  const segments = and(
    { custom_audience_id: a.id.toUpperCase(), negate: true, lookback_window: 30, child_segments: [] },
    {
      boolean_operator: 'OR',
      child_segments: [
        { ...leaf(b), frequency: 3, frequency_comparator: 'NUM_LT', lookback_window: 7 },
        { ...leaf(c), negate: true },
      ],
    },
  );
  const made = await flexible(stage, 'Combined', segments);
  expect(made).toEqual({
    id: expect.stringMatching(/^[0-9a-z]{2,9}$/),
    name: 'Combined',
    description: null,
    audience_type: 'FLEXIBLE',
    audience_size: null,
    targetable: false,
    targetable_types: ['FLEXIBLE', 'EXCLUDED_FLEXIBLE'],
    reasons_not_targetable: ['PROCESSING', 'TOO_SMALL'],
    permission_level: 'READ_WRITE',
    owner_account_id: stage.account_id,
    is_owner: true,
    partner_source: 'OTHER',
    metadata: [
      {
        custom_audience_id: made.id,
        account_id: stage.account_id,
        name: 'Combined',
        audience_source: 'FLEXIBLE_AUDIENCE',
        upload_status: 'UPLOADED',
        segments: {
          boolean_operator: 'AND',
          ...terms,
          child_segments: [
            { custom_audience_id: a.id, lookback_window: 30, ...terms, negate: true, child_segments: [] },
            {
              boolean_operator: 'OR',
              ...terms,
              child_segments: [
                {
                  custom_audience_id: b.id,
                  lookback_window: 7,
                  frequency: 3,
                  frequency_comparator: 'NUM_LT',
                  negate: false,
                  child_segments: [],
                },
                { custom_audience_id: c.id, ...terms, negate: true, child_segments: [] },
              ],
            },
          ],
        },
      },
    ],
    created_at: expect.any(String),
    updated_at: made['created_at'],
    deleted: false,
  });
  expect(await stage.one('custom_audiences.get', { custom_audience_id: made.id })).toEqual(made);
  expect((await stage.many('custom_audiences.list', { q: 'comb' }))[0]).toEqual(made);
  expect(await flexible(stage, 'Mobile', and(leaf(a)), 'MOBILE_AUDIENCE')).toMatchObject({
    audience_type: 'MOBILE_AUDIENCE',
    targetable_types: ['MOBILE_AUDIENCE', 'EXCLUDED_MOBILE_AUDIENCE'],
  });
});

scenario('B-FLEXIBLE-ECHO', async (stage) => {
  const { world, account_id } = stage;
  const { id } = await audience(stage, 'a');
  const segments = and({ custom_audience_id: id.toUpperCase(), lookback_window: '7' });
  const json = [creation('Combined', segments)];
  const answer = await world.request({
    method: 'POST',
    path: `/12/batch/accounts/${account_id}/custom_audiences`,
    json,
  });
  expect(answer.body).toEqual({
    request: [
      { params: { name: 'Combined', audience_type: 'FLEXIBLE', segments, account_id }, operation_type: 'Create' },
    ],
    data: [expect.objectContaining({ name: 'Combined' })],
  });
  expect(member(answer.body, 'data')).toMatchObject([
    { metadata: [{ segments: { child_segments: [{ custom_audience_id: id, lookback_window: 7 }] } }] },
  ]);
});

scenario('B-FLEXIBLE-REQUIRED', async (stage) => {
  const segments = and(leaf(await audience(stage, 'a')));
  expect(await errorsOf(stage, { operation_type: 'Create', params: {} })).toMatchObject(
    ['name', 'audience_type', 'segments'].map((parameter) => ({ code: 'MISSING_PARAMETER', parameter })),
  );
  for (const type of ['CRM', 'MOBILE', 'flexible', '']) {
    expect(await errorsOf(stage, creation('x', segments, type))).toMatchObject([
      { code: 'INVALID_PARAMETER', parameter: 'audience_type' },
    ]);
  }
  expect(await errorsOf(stage, creation('x'.repeat(256), segments))).toMatchObject([{ parameter: 'name' }]);
  expect(await errorsOf(stage, { ...creation('x', segments), operation_type: 'Upsert' })).toMatchObject([
    { parameter: 'operation_type' },
  ]);
});

scenario('B-FLEXIBLE-WRONG', async (stage) => {
  const a = leaf(await audience(stage, 'a'));
  for (const [segments, code, place] of [
    ['AND', 'INVALID_PARAMETER', 'segments'],
    [{}, 'MISSING_PARAMETER', 'segments.boolean_operator'],
    [{ boolean_operator: 'AND' }, 'MISSING_PARAMETER', 'segments.child_segments'],
    [and(), 'INVALID_PARAMETER', 'segments.child_segments'],
    [{ ...and(a), boolean_operator: 'NOT' }, 'INVALID_PARAMETER', 'segments.boolean_operator'],
    [{ child_segments: [a] }, 'MISSING_PARAMETER', 'segments.boolean_operator'],
    [and(a, { child_segments: [a] }), 'MISSING_PARAMETER', 'segments.child_segments[1].boolean_operator'],
    [and(a, {}), 'MISSING_PARAMETER', 'segments.child_segments[1].custom_audience_id'],
    [and(a, { ...a, frequency: 0 }), 'INVALID_PARAMETER', 'segments.child_segments[1].frequency'],
    [and(a, { ...a, frequency: 'often' }), 'INVALID_PARAMETER', 'segments.child_segments[1].frequency'],
    [and({ ...a, lookback_window: 3 }), 'INVALID_PARAMETER', 'segments.child_segments[0].lookback_window'],
    [and({ ...a, negate: 1 }), 'INVALID_PARAMETER', 'segments.child_segments[0].negate'],
    [
      and(a, and({ ...a, frequency_comparator: 'EQ' })),
      'INVALID_PARAMETER',
      'segments.child_segments[1].child_segments[0].frequency_comparator',
    ],
    [and({ ...and(a), lookback_window: 7 }), 'INVALID_PARAMETER', 'segments.child_segments[0].lookback_window'],
    [and({ ...a, ...and(a) }), 'INVALID_PARAMETER', 'segments.child_segments[0].custom_audience_id'],
    [and({ ...a, weight: 1 }), 'INVALID_PARAMETER', 'segments.child_segments[0].weight'],
  ] as const) {
    const errors = await errorsOf(stage, creation('x', segments));
    expect(errors[0], JSON.stringify(segments)).toMatchObject({ code, parameter: 'segments' });
    expect(`${errors[0]?.message} `).toContain(` ${place} `.trimStart());
  }
  const several = await errorsOf(stage, creation('x', and({ ...a, frequency: 0, negate: 'x' }, {})));
  expect(several).toHaveLength(3);
  expect(await stage.many('custom_audiences.list')).toHaveLength(1);
});

scenario('B-FLEXIBLE-LEAVES', async (stage) => {
  const own = await audience(stage, 'own');
  const gone = await audience(stage, 'gone');
  await stage.ok('custom_audiences.delete', { custom_audience_id: gone.id });
  const nested = await flexible(stage, 'nested', and(leaf(own)));
  const account_id = await sibling(stage);
  const theirs = await stage.one('custom_audiences.create', { account_id, name: 'theirs' });
  for (const [wrong, code] of [
    ['nosuch', 'NOT_FOUND'],
    [gone.id, 'NOT_FOUND'],
    [theirs.id, 'NOT_FOUND'],
    [nested.id, 'INVALID_PARAMETER'],
  ] as const) {
    const errors = await errorsOf(stage, creation('x', and(leaf(own), and(leaf({ id: wrong })))));
    expect(errors).toMatchObject([{ code, parameter: 'segments', value: wrong }]);
    expect(errors[0]?.message).toContain('segments.child_segments[1].child_segments[0].custom_audience_id');
  }
  const share = { custom_audience_id: theirs.id, granted_account_id: stage.account_id, permission_level: 'READ_ONLY' };
  await stage.ok('custom_audience_permissions.create', { account_id, ...share });
  expect(await flexible(stage, 'x', and(leaf(own), leaf(theirs)))).toMatchObject({ name: 'x' });
  // An audience may be a leaf several times, with different terms.
  expect(await flexible(stage, 'y', and(leaf(own), { ...leaf(own), frequency: 2, negate: true }))).toMatchObject({
    name: 'y',
  });
  // A leaf that is deleted afterwards leaves the audience as it is.
  await stage.ok('custom_audiences.delete', { custom_audience_id: own.id });
  expect(await stage.many('custom_audiences.list', { q: 'y' })).toMatchObject([{ name: 'y', deleted: false }]);
});

scenario('B-FLEXIBLE-LIMITS', async (stage) => {
  const a = leaf(await audience(stage, 'a'));
  const leaves = (count: number) => Array.from({ length: count }, () => a);
  const deep = (levels: number): object => (levels === 0 ? a : and(deep(levels - 1)));
  await flexible(stage, 'wide', and(...leaves(10)));
  await flexible(stage, 'deep', deep(10));
  for (const segments of [and(...leaves(11)), and(and(...leaves(6)), and(...leaves(5))), deep(11)]) {
    expect(await errorsOf(stage, creation('x', segments))).toMatchObject([
      { code: 'INVALID_PARAMETER', parameter: 'segments' },
    ]);
  }
  const batch = (count: number) => Array.from({ length: count }, (_, i) => creation(`flexible ${i}`, and(a)));
  for (const operations of [batch(11), []]) {
    expect(await stage.rejected('custom_audiences.batch', { operations })).toMatchObject([
      { code: 'REQUEST_TOO_COMPLEX' },
    ]);
  }
  expect(await stage.many('custom_audiences.batch', { operations: batch(10) })).toHaveLength(10);
});

scenario('B-FLEXIBLE-BATCH', async (stage) => {
  const [a, old] = [await audience(stage, 'a'), await audience(stage, 'old')];
  const segments = and(leaf(a));
  const outcome = await stage.call('custom_audiences.batch', {
    operations: [
      creation('first', segments),
      deletion(old),
      creation('FIRST', segments),
      creation('second', and(leaf({ id: 'nosuch' }))),
    ],
  });
  expect(outcome.operation_errors).toMatchObject([
    [],
    [],
    [{ code: 'INVALID_PARAMETER', parameter: 'name', details: 'duplicate name' }],
    [{ code: 'NOT_FOUND', parameter: 'segments' }],
  ]);
  const names = async () => (await stage.many('custom_audiences.list')).map(({ name }) => name);
  expect(await names()).toEqual(['old', 'a']);
  const made = await stage.many('custom_audiences.batch', {
    operations: [creation('first', segments), deletion(old), creation('OLD', segments)],
  });
  expect(made).toMatchObject([{ name: 'first' }, { id: old.id, deleted: true }, { name: 'OLD' }]);
  expect(await names()).toEqual(['OLD', 'first', 'a']);
});

scenario('B-FLEXIBLE-IMMUTABLE', async (stage) => {
  const a = await audience(stage, 'a');
  const made = await flexible(stage, 'fixed', and(leaf(a)));
  const custom_audience_id = made.id;
  const immutable = [{ code: 'INVALID_PARAMETER', parameter: 'custom_audience_id', value: custom_audience_id }];
  for (const changes of [{ name: 'other' }, { description: 'x' }]) {
    const params = { custom_audience_id, ...changes };
    expect(await stage.rejected('custom_audiences.update', params)).toMatchObject(immutable);
    expect(await errorsOf(stage, update(made, changes))).toMatchObject(immutable);
  }
  const segments = { boolean_operator: 'OR', child_segments: [leaf(a)] };
  expect(await errorsOf(stage, update(made, { segments, audience_type: 'FLEXIBLE' }))).toMatchObject(immutable);
  expect(await stage.one('custom_audiences.get', { custom_audience_id })).toEqual(made);
});

scenario('B-FLEXIBLE-UPDATE-OTHERS', async (stage) => {
  const a = await audience(stage, 'a');
  const changed = await stage.many('custom_audiences.batch', {
    operations: [update(a, { name: 'b' }), update(a, { description: 'x' })],
  });
  expect(changed).toMatchObject([
    { id: a.id, name: 'b', description: null },
    { id: a.id, name: 'b', description: 'x' },
  ]);
  expect(await errorsOf(stage, update(a, { segments: and(leaf(a)), audience_type: 'FLEXIBLE' }))).toMatchObject([
    { code: 'INVALID_PARAMETER', parameter: 'audience_type' },
    { code: 'INVALID_PARAMETER', parameter: 'segments' },
  ]);
  expect(await errorsOf(stage, update({ id: 'nosuch' }, { name: 'x' }))).toMatchObject([{ code: 'NOT_FOUND' }]);
});

scenario('B-FLEXIBLE-DELETE', async (stage) => {
  const a = await audience(stage, 'a');
  const [one, two] = [await flexible(stage, 'one', and(leaf(a))), await flexible(stage, 'two', and(leaf(a)))];
  const state = { deleted: true, targetable: false, reasons_not_targetable: ['TOO_SMALL'], audience_size: null };
  expect(await stage.one('custom_audiences.delete', { custom_audience_id: one.id })).toMatchObject(state);
  expect(await stage.many('custom_audiences.batch', { operations: [deletion(two), deletion(a)] })).toMatchObject([
    { id: two.id, ...state },
    { id: a.id, ...state },
  ]);
  expect(await stage.many('custom_audiences.list')).toEqual([]);
  expect(await errorsOf(stage, deletion(two))).toMatchObject([
    { code: 'NOT_FOUND', parameter: 'custom_audience_id', value: two.id },
  ]);
  const again = await stage.call('custom_audiences.batch', { operations: [deletion(a), deletion(a)] });
  expect(again.operation_errors).toMatchObject([[{ code: 'NOT_FOUND' }], [{ code: 'NOT_FOUND' }]]);
});

/** Unique names of audiences: specification B, Custom audiences; specification A, Errors. */
import { expect } from 'vitest';
import { type Entity, scenarios } from '../../support/scenario.ts';

const scenario = scenarios();

const taken = [{ code: 'INVALID_PARAMETER', parameter: 'name', details: 'duplicate name' }];

scenario('B-AUDIENCE-NAME', async (stage) => {
  const first = await stage.one('custom_audiences.create', { name: 'Straße' });
  for (const name of ['Straße', 'STRASSE', 'strasse', 'Strasse']) {
    expect(await stage.rejected('custom_audiences.create', { name })).toMatchObject(taken);
  }
  const { id: custom_audience_id } = await stage.one('custom_audiences.create', { name: 'Weg' });
  const rename = (name: string) => stage.one('custom_audiences.update', { custom_audience_id, name });
  expect(await stage.rejected('custom_audiences.update', { custom_audience_id, name: 'straße' })).toMatchObject(taken);
  expect(await rename('WEG')).toMatchObject({ name: 'WEG' });
  await stage.ok('custom_audiences.delete', { custom_audience_id: first.id });
  expect(await rename('strasse')).toMatchObject({ name: 'strasse' });
  await stage.ok('custom_audiences.create', { name: 'Weg' });
  const elsewhere = await stage.world.createAccount();
  await stage.ok('custom_audiences.create', { account_id: elsewhere, name: 'Weg' });
});

scenario('B-AUDIENCE-NAME-RACE', async (stage) => {
  const spellings = ['Readers', 'READERS', 'readers', 'reAders'];
  const item = (name: string, custom_audience_id: string) => ({
    operation_type: 'Create',
    params: {
      name,
      audience_type: 'FLEXIBLE',
      segments: { boolean_operator: 'AND', child_segments: [{ custom_audience_id }] },
    },
  });
  const others: Entity[] = [];
  for (let i = 0; i < 10; i++) others.push(await stage.one('custom_audiences.create', { name: `Other ${i}` }));
  const outcomes = await Promise.all(
    others.flatMap(({ id }, i) => {
      const name = spellings[i % spellings.length] ?? '';
      return [
        stage.call('custom_audiences.create', { name }),
        stage.call('custom_audiences.update', { custom_audience_id: id, name }),
        stage.call('custom_audiences.batch', { operations: [item(name, id)] }),
      ];
    }),
  );
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
  for (const { ok, errors, operation_errors } of outcomes) {
    if (!ok) expect(operation_errors?.[0] ?? errors).toMatchObject(taken);
  }
  expect(await stage.many('custom_audiences.list', { q: 'readers' })).toHaveLength(1);
  // Deletions and creations of one name, again and again: never two of it.
  for (let round = 0; round < 5; round++) {
    const [holder] = await stage.many('custom_audiences.list', { q: 'readers' });
    const again = await Promise.all([
      stage.call('custom_audiences.create', { name: 'Readers' }),
      stage.call('custom_audiences.delete', { custom_audience_id: holder?.id ?? '' }),
      stage.call('custom_audiences.create', { name: 'readers' }),
    ]);
    expect(again[1]?.ok).toBe(true);
    expect((await stage.many('custom_audiences.list', { q: 'readers' })).length).toBeLessThanOrEqual(1);
    if (!again[0]?.ok && !again[2]?.ok) await stage.ok('custom_audiences.create', { name: 'Readers' });
  }
});

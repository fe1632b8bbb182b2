/** Custom audiences: specification B, Custom audiences; reference, audiences section 3. */
import { expect } from 'vitest';
import { scenarios } from '../support/scenario.ts';

const scenario = scenarios();

scenario('B-AUDIENCE-CREATE', async (stage) => {
  const audience = await stage.one('custom_audiences.create', { name: 'Readers', description: 'By post' });
  expect(audience).toEqual({
    id: expect.stringMatching(/^[0-9a-z]{2,9}$/),
    name: 'Readers',
    description: 'By post',
    audience_type: 'CRM',
    audience_size: null,
    targetable: false,
    targetable_types: ['CRM', 'EXCLUDED_CRM'],
    reasons_not_targetable: ['PROCESSING', 'TOO_SMALL'],
    permission_level: 'READ_WRITE',
    owner_account_id: stage.account_id,
    is_owner: true,
    partner_source: 'OTHER',
    created_at: expect.any(String),
    updated_at: audience['created_at'],
    deleted: false,
  });
  expect(await stage.one('custom_audiences.get', { custom_audience_id: audience.id })).toEqual(audience);
  expect(await stage.one('custom_audiences.create', { name: 'Writers' })).toMatchObject({ description: null });
});

scenario('B-AUDIENCE-NAME', async (stage) => {
  const first = await stage.one('custom_audiences.create', { name: 'Straße' });
  const taken = [{ code: 'INVALID_PARAMETER', parameter: 'name', details: 'duplicate name' }];
  for (const name of ['Straße', 'STRASSE', 'strasse']) {
    expect(await stage.rejected('custom_audiences.create', { name })).toMatchObject(taken);
  }
  const { id: custom_audience_id } = await stage.one('custom_audiences.create', { name: 'Weg' });
  expect(await stage.rejected('custom_audiences.update', { custom_audience_id, name: 'straße' })).toMatchObject(taken);
  expect(await stage.one('custom_audiences.update', { custom_audience_id, name: 'WEG' })).toMatchObject({
    name: 'WEG',
  });
  await stage.ok('custom_audiences.delete', { custom_audience_id: first.id });
  expect(await stage.one('custom_audiences.update', { custom_audience_id, name: 'strasse' })).toMatchObject({
    name: 'strasse',
  });
  await stage.ok('custom_audiences.create', { name: 'Weg' });
  const elsewhere = await stage.world.createAccount();
  await stage.ok('custom_audiences.create', { account_id: elsewhere, name: 'Weg' });
});

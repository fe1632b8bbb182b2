import { expect, test } from 'vitest';
import { createWorld } from './world.ts';

test('a world answers signed requests on each listener and is gone when closed', async () => {
  let t = performance.now();
  await using world = await createWorld();
  console.log('create', performance.now() - t);
  t = performance.now();
  for (let i = 0; i < 10; i++) await world.createAccount();
  console.log('10 accounts', performance.now() - t);
  const { account_id, sandbox_account_id } = world.credentials;
  const production = await world.request({ listener: 'ads', path: `/12/accounts/${account_id}` });
  expect(production).toMatchObject({ status: 200, body: { data: { id: account_id } } });
  const sandbox = await world.request({ path: `/12/accounts/${sandbox_account_id}` });
  expect(sandbox).toMatchObject({ status: 200, body: { data: { id: sandbox_account_id } } });
  const api = await world.request({ listener: 'api', path: '/health', as: null });
  expect(api).toMatchObject({ status: 200, body: { status: 'ok' } });
});

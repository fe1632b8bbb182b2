/** Requests arrive in the journal of their world, whatever way they take through the server. */
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { expect, test } from 'vitest';
import { AdapterWorld, OPERATOR_TOKEN, origins } from '../adapters/testing/world.ts';
import type { RecordedRequest } from './records.ts';

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const json = { 'content-type': 'application/json' };

function recordedOf(world: AdapterWorld): readonly RecordedRequest[] {
  const { journal } = world.services;
  if (journal === undefined) throw new TypeError('the world of a test keeps a journal');
  return journal.requests();
}

test('reads, writes, rejections, procedures and unknown paths arrive in the journal', async () => {
  await using world = await AdapterWorld.open();
  const { sandbox } = origins;
  const campaigns = `${sandbox}/12/accounts/${world.credentials.sandbox_account_id}/campaigns`;
  await world.fetch(`${campaigns}?count=1`, {}, true);
  await world.fetch(`${campaigns}?name=`, { method: 'POST', headers: form }, true);
  await world.fetch(campaigns);
  await world.fetch(`${sandbox}/nowhere?a=1`);
  await world.fetch(`${sandbox}/trpc/admin.apps.list`, { headers: { authorization: `Bearer ${OPERATOR_TOKEN}` } });
  await world.fetch(`${sandbox}/trpc/admin.apps.list`, {
    method: 'POST',
    headers: { ...json, authorization: `Bearer ${OPERATOR_TOKEN}` },
  });
  const requests = recordedOf(world);
  expect(
    requests.map(({ method, status, calls }) => [method, status, calls.map(({ operation }) => operation.id)]),
  ).toEqual([
    ['GET', 200, ['campaigns.list']],
    ['POST', 400, ['campaigns.create']],
    ['GET', 401, ['campaigns.list']],
    ['GET', 404, []],
    ['GET', 200, ['admin.apps.list']],
    ['POST', 200, ['admin.apps.list']],
  ]);
  const [read, write] = requests;
  expect(read?.calls[0]?.caller).toMatchObject({ kind: 'user' });
  expect(read?.delivery).toBe('sent');
  expect(read?.body).toContain('"data"');
  expect(new Set(requests.map(({ id }) => id)).size).toBe(requests.length);
  expect(write?.calls[0]?.changes).toEqual([]);
});

test('the changes of a call are those that its transaction has kept', async () => {
  await using world = await AdapterWorld.open();
  const { sandbox_account_id: account } = world.credentials;
  const path = `${origins.sandbox}/12/accounts/${account}/campaigns`;
  const funding = await fundingOf(world, account);
  const url = `${path}?name=Autumn&funding_instrument_id=${funding}&daily_budget_amount_local_micro=1000000`;
  const created = await world.fetch(url, { method: 'POST' }, true);
  const body = (await created.json()) as { readonly data: { readonly id: string } };
  await world.fetch(`${path}/${body.data.id}?name=Winter`, { method: 'PUT' }, true);
  const changes = recordedOf(world).flatMap(({ calls }) => calls.flatMap((call) => call.changes));
  expect(changes.map(({ entity, entity_id, change_type }) => [entity, entity_id, change_type])).toEqual([
    ['CAMPAIGN', body.data.id, 'CREATE'],
    ['CAMPAIGN', body.data.id, 'UPDATE'],
  ]);
  expect(JSON.parse(changes[0]?.text ?? '')).toMatchObject({ name: 'Autumn' });
  expect(JSON.parse(changes[1]?.text ?? '')).toEqual({ name: { before: 'Autumn', after: 'Winter' } });
});

test('an answer that its client does not wait for is lost', async () => {
  await using world = await AdapterWorld.open({
    handlerOf: () => async () => {
      socket.destroy();
      await once(server, 'gone');
      return { data: [], next_cursor: null };
    },
  });
  const { server } = world.apps.sandbox;
  await world.apps.sandbox.listen({ port: 0, host: '127.0.0.1' });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the listener has no port');
  server.on('connection', (one) => one.on('close', () => server.emit('gone')));
  const socket = createConnection({ port: address.port, host: '127.0.0.1' });
  socket.on('error', () => {});
  const host = `127.0.0.1:${address.port}`;
  const authorization = await world.sign('GET', `http://${host}/12/accounts`);
  socket.write(`GET /12/accounts HTTP/1.1\r\nhost: ${host}\r\nauthorization: ${authorization}\r\n\r\n`);
  await expect.poll(() => recordedOf(world).map(({ status, delivery }) => [status, delivery])).toEqual([[200, 'lost']]);
});

async function fundingOf(world: AdapterWorld, account: string): Promise<string> {
  const answer = await world.fetch(`${origins.sandbox}/12/accounts/${account}/funding_instruments`, {}, true);
  const { data } = (await answer.json()) as { readonly data: readonly { readonly id: string }[] };
  return data[0]?.id ?? '';
}

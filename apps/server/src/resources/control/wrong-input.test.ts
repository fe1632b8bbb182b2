/** What the control answers to input that is wrong: the parameter, and what would be right. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWorlds, type WorldsServer } from '../../worlds/testing/worlds-server.ts';

let worlds: WorldsServer;
let id: string;
beforeAll(async () => {
  worlds = await startWorlds(mkdtempSync(path.join(tmpdir(), 'broadside-worlds-')));
  const made = await worlds.control('POST', '/worlds', { name: 'black friday', from: { empty: true } });
  id = made.body.data.id;
});
afterAll(async () => {
  await worlds.server.close();
  rmSync(worlds.directory, { recursive: true, force: true });
});

interface Case {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly parameter: string;
  readonly message: string | RegExp;
  readonly status?: number;
}

const clock = '/worlds/default/clock';
const verify = '/worlds/default/journal/verify';
const cases: readonly Case[] = [
  {
    method: 'POST',
    path: '/worlds',
    body: { from: { wrold: 'default' } },
    parameter: 'from',
    message: '"wrold" is no member of from; did you mean "world"?',
  },
  {
    method: 'POST',
    path: '/worlds',
    body: { from: { nothing: true } },
    parameter: 'from',
    message: '"nothing" is no member of from; known: demo, empty, world, snapshot, seed, generate',
  },
  {
    method: 'POST',
    path: '/worlds',
    body: { from: { seed: { userz: [] } } },
    parameter: 'from.seed.userz',
    message: 'there is no such member here; did you mean "users"?',
  },
  {
    method: 'POST',
    path: '/worlds',
    body: { from: { snapshot: 'nowhere' } },
    parameter: 'from.snapshot',
    message: 'This server has no snapshot "nowhere"; it has none',
    status: 404,
  },
  {
    method: 'GET',
    path: '/worlds/nowhere/clock',
    parameter: 'world_id',
    message: 'This server has no world "nowhere": it may have been deleted, or its time to live is over',
    status: 404,
  },
  {
    method: 'GET',
    path: '/worlds/black%20friday',
    parameter: 'world_id',
    message: /^"black friday" is the name of a world; its id is w/,
    status: 404,
  },
  {
    method: 'PUT',
    path: clock,
    body: {},
    parameter: 'now',
    message: '"now" (a time), "rate" (a number), "frozen" (true or false) or "limits" (wall or world) is required',
  },
  {
    method: 'POST',
    path: `${clock}/advance`,
    body: { by: 5 },
    parameter: 'by',
    message: /^Expected an ISO 8601 duration, such as P90D .* got 5 for by$/,
  },
  {
    method: 'POST',
    path: `${clock}/advance`,
    body: { by: '1 day' },
    parameter: 'by',
    message: /^Expected an ISO 8601 duration, such as P90D .* got "1 day" for by$/,
  },
  {
    method: 'POST',
    path: '/worlds/default/faults',
    body: { match: { operation: 'campaign.*' }, effect: { status: 500 } },
    parameter: 'match',
    message: 'There is no operation "campaign.*", which match.operation names; did you mean campaigns.*?',
  },
  {
    method: 'POST',
    path: '/worlds/default/faults',
    body: { match: { operation: 'campaigns.get' }, effect: { error: 'campaign_not_found' } },
    parameter: 'effect',
    message: /^campaigns.get does not answer "campaign_not_found"; did you mean CAMPAIGN_NOT_FOUND\?/,
  },
  {
    method: 'DELETE',
    path: '/worlds/default/faults/f7',
    parameter: 'fault_id',
    message: 'The world has no rule of faults "f7"; it has none',
    status: 404,
  },
  {
    method: 'GET',
    path: '/worlds/default/journal?operation=campaigns.lst',
    parameter: 'operation',
    message: 'There is no operation "campaigns.lst", which operation names; did you mean campaigns.list?',
  },
  {
    method: 'POST',
    path: verify,
    body: { expectations: ['no write was rejected', { operation: 'campaigns.craete', never: true }] },
    parameter: 'expectations',
    message:
      'There is no operation "campaigns.craete", which expectations[1].operation names; did you mean campaigns.create?',
  },
  {
    method: 'POST',
    path: verify,
    // biome-ignore lint/suspicious/noThenProperty: the word in which an order is said
    body: { expectations: [{ operation: 'campaigns.list', then: { operation: 'campaign.create' } }] },
    parameter: 'expectations',
    message: /which expectations\[0\]\.then\[0\]\.operation names; did you mean campaigns\.create\?$/,
  },
  {
    method: 'POST',
    path: verify,
    body: { expectations: [{ operaton: 'campaigns.list' }] },
    parameter: 'expectations',
    message: '"operaton" is no member of expectations[0]; did you mean "operation"?',
  },
];

test.each(cases)('$method $path with $body says what is right', async (wrong) => {
  const { method, path: target, body, parameter, message, status = 400 } = wrong;
  const answer = await worlds.control(method, target, body);
  expect(answer).toMatchObject({ status, body: { errors: [{ parameter }] } });
  expect(answer.body.errors[0].message).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
});

test('a request without the token of the operator is told which it is', async () => {
  const { body } = await worlds.control('GET', '/worlds', undefined, { authorization: 'Bearer wrong' });
  expect(body.errors[0].message).toMatch(/Authorization: Bearer TOKEN.*BROADSIDE_OPERATOR_TOKEN.*operator\.token/);
});

test('an operation of which all parameters are optional needs no body', async () => {
  const { status, body } = await worlds.control('POST', `/worlds/${id}/fork`);
  expect(status).toBe(200);
  expect(body.data).toMatchObject({ origin: 'WORLD', origin_id: id });
  const missing = await worlds.control('POST', `${clock}/advance`);
  expect(missing).toMatchObject({ status: 400, body: { errors: [{ code: 'MISSING_PARAMETER', parameter: 'by' }] } });
});

test('a clock that is asked to change nothing still follows the machine', async () => {
  await worlds.control('PUT', `/worlds/${id}/clock`, {});
  expect((await worlds.control('GET', `/worlds/${id}/clock`)).body.data.follows_machine).toBe(true);
});

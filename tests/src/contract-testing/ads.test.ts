/**
 * The document and the listener of the advertising interface. The sandbox serves the same operations by the same code, so each
 * of them is held against the document there. Verified here: the two documents agree, and this listener serves its own.
 */
import type { TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Provider } from '../oauth/attacks/provider.ts';
import { ContractTester, exchange } from './contract-tester.ts';
import { type Json, operationsOf, withOnly } from './document.ts';
import { Live } from './live.ts';
import { Requests } from './requests.ts';

/** Operations that are called on this listener too. */
const tried = ['campaigns.list', 'campaigns.create', 'accounts.get'];

let provider: Provider;
let world: TestWorld;
let live: Live;
let ads: Json;
let sandbox: Json;
let tester: ContractTester;

beforeAll(async () => {
  provider = await Provider.open({ mode: 'development' });
  world = provider.world;
  live = await Live.open(world, {});
  [ads, sandbox] = await Promise.all([live.document('ads'), live.document('sandbox')]);
  tester = await ContractTester.of(withOnly(ads, ({ operationId }) => tried.includes(String(operationId))));
});

afterAll(async () => {
  await live[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

/** A member of a document, as text. */
function membersAt(document: Json, ...names: readonly string[]): [string, unknown][] {
  const found = names.reduce<unknown>((part, name) => Reflect.get(Object(part), name), document);
  return Object.entries(Object(found));
}

test('each operation is in the document of the sandbox with the same text', () => {
  const paths = new Map(membersAt(sandbox, 'paths'));
  expect(membersAt(ads, 'paths').length).toBeGreaterThan(0);
  for (const [path, methods] of membersAt(ads, 'paths')) {
    for (const [method, operation] of Object.entries(Object(methods))) {
      expect(Reflect.get(Object(paths.get(path)), method), `${method} ${path}`).toEqual(operation);
    }
  }
});

test.for(['schemas', 'responses', 'headers', 'parameters'])('the %s are those of the sandbox', (kind) => {
  const others = new Map(membersAt(sandbox, 'components', kind));
  for (const [name, component] of membersAt(ads, 'components', kind)) expect(others.get(name), name).toEqual(component);
});

test.for(tried)('%s succeeds and fails as the document says', async (id) => {
  const requests = new Requests(provider);
  const described = operationsOf(ads).find((one) => one.id === id);
  if (!described) throw new TypeError(`the document lacks ${id}`);
  const request = await requests.success('ads', described, await requests.caller());
  for (const [wanted, status] of [
    [request, 2],
    [{ ...request, as: null }, 4],
  ] as const) {
    const wire = await live.sign(wanted);
    const answer = await exchange(wire);
    expect(Math.floor(answer.status / 100)).toBe(status);
    expect((await tester.judge(wire, answer)).differences).toEqual([]);
  }
});

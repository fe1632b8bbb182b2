import type { TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { about } from '../support/scenario.ts';
import { createAccountFixture, openWorld } from '../support/world.ts';
import { credentialMistakes } from './credentials.ts';
import type { MistakeWorld } from './mistake.ts';
import { requestMistakes } from './requests.ts';

let world: TestWorld;
let given: MistakeWorld;

beforeAll(async () => {
  world = await openWorld({ mode: 'development' });
  const fixture = await createAccountFixture(world);
  const [app] = await world.platform.identity.apps.list(1);
  given = {
    user: world.user,
    reader: await world.issueToken(world.user, 'read'),
    stranger: await world.createUser('stranger'),
    account: fixture.account_id,
    funding: fixture.funding_instrument_id,
    campaign: fixture.campaign_id,
    bearer: await world.platform.bearerTokens.tokenOf({ user_id: null, platform: 'SERVER' }, app?.id ?? ''),
    now: Math.floor(world.wallClock.now() / 1000),
  };
});
afterAll(() => world.close());

/** The first error of an answer, in whichever of its forms. */
function errorOf(body: unknown): Readonly<Record<string, unknown>> {
  if (typeof body !== 'object' || body === null) return {};
  const { errors, operation_errors: items }: { errors?: unknown; operation_errors?: unknown } = body;
  const list: unknown = errors ?? (Array.isArray(items) ? items.flat() : undefined);
  const first: unknown = Array.isArray(list) ? list[0] : body;
  return typeof first === 'object' && first !== null ? { ...first } : {};
}

const mistakes = [...credentialMistakes, ...requestMistakes];

test('there are more than 54 mistakes, each of its own', () => {
  expect(new Set(mistakes.map(({ name }) => name)).size).toBe(mistakes.length);
  expect(mistakes.length).toBeGreaterThan(54);
});

test.for(mistakes)(`${about('A-MISTAKES-REQUESTS')}: $name`, async ({ send, status, code, parameter, says }) => {
  const answer = await world.request(send(given));
  const error = errorOf(answer.body);
  const known = [...Object.entries(given)].reduce(
    (text, [name, value]) => (typeof value === 'string' ? text.replaceAll(`{${name}}`, value) : text),
    says,
  );
  const said = `${error['message'] ?? error['detail'] ?? ''}`;
  expect([answer.status, error['code'] ?? error['title'], error['parameter']]).toEqual([status, code, parameter]);
  expect(said).toBe(known);
});

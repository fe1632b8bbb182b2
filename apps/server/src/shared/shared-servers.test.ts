/** Three servers of one platform act as one: what they share is counted, used up and outdated once over all of them. */
import { noRedis } from '@broadside/test-servers/redis';
import { sqldMissing } from '@broadside/test-servers/sqld';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { EventStreams } from '../adapters/pages/notifications/event-streams.ts';
import type { Actor } from '../db/change-log.ts';
import { Servers } from './testing/servers.ts';

const ACTOR: Actor = { user_id: null, platform: 'SERVER' };
const LIMIT = 40;
/** Longer than the deadline of a command, on a slow machine. */
const PATIENCE = { timeout: 60_000, interval: 50 };

if (noRedis !== undefined) console.warn(`tests of shared state are left out: ${noRedis}`);

const kinds = sqldMissing() === undefined ? (['emulator', 'sqld'] as const) : (['emulator'] as const);

describe.skipIf(noRedis !== undefined).each(kinds)('servers that share state, on stores of %s', (stores) => {
  let servers: Servers;

  beforeAll(async () => {
    const rateLimits = { 'ads.core_read': { limit: LIMIT, window_ms: 86_400_000 } };
    servers = await Servers.start(3, { rateLimits, stores });
  });
  afterAll(() => servers.close());

  const everywhere = (work: (index: number) => Promise<number>) => Promise.all([0, 1, 2].map(work));
  const statuses = (target: string) => everywhere(async (index) => (await servers.call(index, 'GET', target)).status);

  test('a signed POST that is sent to all of them at once is accepted once', async () => {
    for (let round = 1; round <= 5; round++) {
      const signed = await servers.sign('POST', '/12/accounts');
      const sent = await everywhere(async (index) => (await servers.at(index).send(signed)).status);
      expect(sent.toSorted()).toEqual([200, 401, 401]);
    }
  });

  test('racing requests to all of them are accepted as often as the limit says', async () => {
    const sent = Array.from({ length: 100 }, async (_, i) => (await servers.call(i % 3, 'GET', '/12/accounts')).status);
    const answers = await Promise.all(sent);
    expect(answers.filter((status) => status === 200)).toHaveLength(LIMIT);
    expect(answers.filter((status) => status === 429)).toHaveLength(100 - LIMIT);
  });

  test('failed attempts to sign in count over all of them', async () => {
    const throttles = servers.all.map(({ world }) => world.shared?.throttle);
    const begun = await Promise.all(
      Array.from({ length: 30 }, (_, i) => throttles[i % 3]?.begin('Somebody', '192.0.2.7')),
    );
    expect(begun.filter((wait) => wait === undefined)).toHaveLength(10);
    await throttles[1]?.succeeded('somebody', '192.0.2.7');
    expect(await throttles[2]?.begin('somebody', '192.0.2.7')).toBeUndefined();
  });

  test('passwords cannot be guessed on one after the other', async () => {
    const tries: number[] = [];
    for (let i = 0; i < 12; i++) tries.push(await servers.at(i % 3).signIn('nobody_here', 'wrong'));
    expect(tries).toEqual([...Array<number>(10).fill(401), 429, 429]);
  });

  test('a permission that one takes is gone everywhere at once', async () => {
    const { user_id } = servers.credentials;
    const { id } = parsed((await servers.call(0, 'POST', '/12/accounts')).body);
    const target = `/12/accounts/${id}/campaigns`;
    for (let round = 0; round < 3; round++) {
      expect(await statuses(target)).toEqual([200, 200, 200]);
      await servers.at(round).world.ads.sandbox.revoke(ACTOR, id, user_id);
      expect(await statuses(target)).toEqual([403, 403, 403]);
      await servers.at(round).world.ads.sandbox.grant(ACTOR, id, user_id, ['ACCOUNT_ADMIN']);
    }
  });

  test('a job that one adds is looked for by the others at once, and a notification reaches their pages', async () => {
    const [first, second] = [servers.at(0).world, servers.at(1).world];
    let woken = 0;
    const keeper = { wake: () => void woken++, expect() {}, forget() {}, runDue: async () => 0 };
    await second.jobs.leaveTo(keeper);
    first.jobs.wake();
    await vi.waitFor(() => expect(woken).toBe(1), PATIENCE);
    second.jobs.wake();
    expect(woken, 'its own message is not for itself').toBe(2);
    const heard: string[] = [];
    second.notifications.listen('17', ({ title }) => void heard.push(title));
    const notice = {
      user_id: '17',
      environment: 'sandbox',
      account_id: 'a',
      draft_post_id: 'b',
      title: 'News',
    } as const;
    await first.notifications.notifyDraft(notice);
    await vi.waitFor(() => expect(heard).toEqual(['News']), PATIENCE);
  });

  test('a bearer token that one invalidates opens nothing anywhere', async () => {
    const { bearer_token } = servers.credentials;
    const opens = () => everywhere(async (index) => ((await appOf(index, bearer_token)) === undefined ? 0 : 1));
    expect(await opens()).toEqual([1, 1, 1]);
    const app = await appOf(0, bearer_token);
    await servers.at(1).world.bearerTokens.invalidateOf(ACTOR, app?.app_id ?? '');
    expect(await opens()).toEqual([0, 0, 0]);
  });

  /** As for a request with the token. */
  async function appOf(index: number, token: string) {
    const { shared, bearerTokens } = servers.at(index).world;
    await shared?.freshen();
    return bearerTokens.appOf(token);
  }

  test('a page of one that was cut off from messages is closed, so that it asks again', async () => {
    const { world, link } = servers.at(1);
    const streams = new EventStreams(world);
    const person = { user_id: '17', name: 'X', screen_name: 'x', session: 's', csrf: 'c' };
    const stream = streams.open(person, 0);
    await servers.redis.command('CLIENT KILL TYPE pubsub');
    await vi.waitFor(() => expect(stream?.destroyed).toBe(true), PATIENCE);
    expect(link?.problem).toBeUndefined();
    streams.close();
  });

  test('requests are answered while servers are cut off from messages', async () => {
    const target = `/12/accounts/${servers.credentials.sandbox_account_id}`;
    const problems = vi.fn();
    for (const { link } of servers.all) link?.onProblem(problems);
    let woken = 0;
    servers.at(1).world.shared?.messages.onGap(() => void woken++);
    await servers.redis.command('CLIENT KILL TYPE pubsub');
    expect(await statuses(target)).toEqual([200, 200, 200]);
    // The trip of each request, which limits do not count.
    while (woken === 0) await Promise.all(servers.all.map(({ world }) => world.shared?.freshen()));
    expect(problems).not.toHaveBeenCalled();
  });

  test('a token that one revokes is rejected everywhere at once', async () => {
    const target = `/12/accounts/${servers.credentials.sandbox_account_id}`;
    expect(await statuses(target)).toEqual([200, 200, 200]);
    await servers.at(2).world.identity.tokens.revoke(ACTOR, servers.credentials.access_token);
    expect(await statuses(target)).toEqual([401, 401, 401]);
  });
});

/** The id of what was created. */
function parsed(body: string): { readonly id: string } {
  return JSON.parse(body).data;
}

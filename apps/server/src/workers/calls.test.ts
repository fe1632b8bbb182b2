/** Calls between the servers of a platform: who is believed, and what is said when nobody answers. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import type { AudienceScope } from '../audience/members/member-tree.ts';
import { ElsewhereError } from '../servers/errors.ts';
import { AskedWorker } from './asked-worker.ts';
import { bodyHash, CallProof } from './call-proof.ts';
import { type AudienceWork, headers, pathOfCall, provedOfCall, writeCall } from './calls.ts';
import { listenForCalls } from './internal-listener.ts';
import { refusalOf } from './open-worker.ts';
import { doCall } from './own-work.ts';
import { partsAt, wholeAt } from './part-calls.ts';
import { SignedCalls, UnreachedError } from './signed-calls.ts';

const KEY = 'the key of a platform';
const NOW = 1_700_000_000_000;
const QUERY = { all: [[{ kind: 'language', value: 'en' }]], none: [] } as const;
const INSIGHTS = {
  keywords: ['ä "b"'],
  negative_keywords: [],
  from_ms: 1,
  to_ms: 2,
  units: { count: 1, length_ms: 1 },
  location: undefined,
};
const LEAF = { kind: 'leaf', negate: false, set: { audience: 'sandbox/a', condition: undefined } } as const;

const NAME = { environment: 'sandbox', account_id: 'acc', id: 'a' } as const;
const OPERATION = {
  operation_type: 'Update',
  effective_s: 1,
  expires_s: 2,
  default_effective: true,
  default_expires: false,
  user_count: 1,
} as const;
const USERS = Uint8Array.from({ length: 18 }, (_, i) => i + 200);

/** Asks one thing. */
const take = (asker: AskedWorker) => asker.take(NAME, { operations: [OPERATION], users: USERS }, 5);

function urlOf(server: Server): string {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new TypeError('it listens on a port');
  return `http://127.0.0.1:${address.port}`;
}

interface Heard {
  readonly asked: unknown[];
  readonly server: Server;
  readonly url: string;
}

/** A worker that counts 7 people, and notes what it is asked. */
async function worker(place = 'here', failure?: Error, until?: Promise<void>): Promise<Heard> {
  const asked: unknown[] = [];
  const note = async <Result>(result: Result, ...words: unknown[]): Promise<Result> => {
    asked.push(words);
    await until;
    if (failure) throw failure;
    return result;
  };
  const work: AudienceWork = {
    take: (...words) => note(undefined, ...words),
    count: (...words) => note(7, ...words),
    search: (words) => note({ post_volume: [1, 2], related_keywords: ['rain'] }, words),
  };
  const server = await listenForCalls({
    host: '127.0.0.1',
    port: 0,
    platformKey: KEY,
    place,
    now: () => NOW,
    answer: (name, body) => doCall({ audienceWork: work, sharedAudience: undefined }, name, body),
    refusalOf,
    logger: pino({ level: 'silent' }),
  });
  onTestFinished(() => void server.close(() => {}).closeAllConnections());
  return { asked, server, url: urlOf(server) };
}

/** One who asks, where the store names these addresses one after the other. */
function asking(urls: readonly (string | undefined)[], options: { key?: string; now?: number; place?: string } = {}) {
  const { key = KEY, now = NOW, place = 'here' } = options;
  const left = [...urls];
  const find = async () => {
    const url = left.length > 1 ? left.shift() : left[0];
    return url === undefined ? undefined : JSON.stringify({ place, url });
  };
  return new AskedWorker({ at: '', facts: { find }, platformKey: key, clock: { now: () => now }, deadline_ms: 10_000 });
}

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => String(error),
  );

test('what is asked arrives as it was, and so do results', async () => {
  const { asked, url } = await worker();
  const asker = asking([url]);
  const scope: AudienceScope = { audiences: new Map([['a', LEAF]]), without: [{ audience: 'sandbox/b' }], blur: ['x'] };
  const calls = new SignedCalls({ platformKey: KEY, clock: { now: () => NOW } });
  const address = { place: 'here', url };
  const whole = wholeAt(address, calls);
  expect(await whole.count(calls.deadline(), QUERY, scope)).toBe(7);
  expect(await whole.count(calls.deadline(), QUERY)).toBe(7);
  // What it is no worker for, others are.
  const followers = partsAt(address, calls, calls.deadline()).countFollowers({ users: ['1'], ranges: 1n });
  await expect(followers).rejects.toBeInstanceOf(UnreachedError);
  await take(asker);
  expect(await whole.search(calls.deadline(), INSIGHTS)).toEqual({ post_volume: [1, 2], related_keywords: ['rain'] });
  expect(asked).toEqual([
    [QUERY, scope],
    [QUERY, undefined],
    [NAME, { operations: [OPERATION], users: expect.anything() }, 5],
    [INSIGHTS],
  ]);
  expect(Buffer.from(USERS).equals(Buffer.from(asked.flat(2).flatMap((x) => usersOf(x))))).toBe(true);
});

function usersOf(word: unknown): number[] {
  return typeof word === 'object' && word !== null && 'users' in word && word.users instanceof Uint8Array
    ? [...word.users]
    : [];
}

test('only a server of the platform is listened to, and only for what it has signed lately', async () => {
  const { asked, url } = await worker();
  const path = pathOfCall('count');
  const body = writeCall<'count'>({ query: QUERY, scope: undefined });
  const call = { path, time: `${NOW}`, id: 'id', place: 'here', body: bodyHash(body) };
  const send = async (
    change: Partial<typeof call>,
    sent: Partial<typeof call & { key: string; bytes: Buffer }> = {},
  ) => {
    const signed = { ...call, ...change };
    const shown = { ...signed, ...sent };
    const answer = await fetch(url + shown.path, {
      method: 'POST',
      body: sent.bytes ?? body,
      headers: {
        [headers.time]: shown.time,
        [headers.id]: shown.id,
        [headers.place]: shown.place,
        [headers.body]: shown.body,
        [headers.proof]: new CallProof(sent.key ?? KEY).of('call', provedOfCall(signed)),
      },
    });
    return { status: answer.status, proof: answer.headers.get(headers.proof) };
  };
  expect((await send({})).status).toBe(200);
  const other = writeCall<'count'>({ query: { all: [], none: [] }, scope: undefined });
  const refused = [
    await send({}, { key: 'another key' }),
    await send({}, { path: pathOfCall('search') }),
    await send({}, { time: `${NOW + 1}` }),
    await send({}, { id: 'other' }),
    await send({}, { place: 'there' }),
    await send({}, { body: bodyHash(other), bytes: other }),
    await send({ time: `${NOW - 300_001}` }),
    await send({ time: `${NOW + 300_001}` }),
    await send({ time: 'soon' }),
  ];
  expect(refused).toEqual(refused.map(() => ({ status: 401, proof: null })));
  expect((await send({}, { bytes: other })).status).toBe(400);
  expect((await send({ path: '/internal/1/drop' })).status).toBe(404);
  expect((await fetch(url + path)).status).toBe(404);
  expect((await send({ place: 'there' })).status).toBe(421);
  expect(asked).toHaveLength(1);
});

test('an answer is believed from a server of the platform only', async () => {
  const impostor = createServer((request, response) => {
    request.resume().on('end', () => response.end('1000000'));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void impostor.close());
  await once(impostor, 'listening');
  expect(await refusal(take(asking([urlOf(impostor)])))).toMatch(/is no worker of this platform/);
  const { url } = await worker();
  expect(await refusal(take(asking([url], { key: 'another' })))).toMatch(/is no worker of this platform/);
  expect(await refusal(take(asking([url], { now: NOW + 600_000 })))).toMatch(/clock differs by minutes/);
});

test('a worker that has moved is found again, and one that is away is named', async () => {
  const [old, { url }] = [await worker(), await worker()];
  const asker = asking([old.url, url]);
  await take(asker);
  old.server.close().closeAllConnections();
  await take(asker);
  expect(old.asked).toHaveLength(1);
  const away = await refusal(take(asking([old.url])));
  expect(away).toBe(`ElsewhereError: The worker of this platform at ${old.url} does not answer; try again later.`);
  expect(await refusal(take(asking([undefined])))).toMatch(/none has been started/);
  // Somebody else has the port by now.
  expect(await refusal(take(asking([url], { place: 'there' })))).toMatch(/does not answer/);
});

// Clients keep a connection for 74 s.
test('a worker that is closed answers the calls under way, and no kept connection delays it', {
  timeout: 30_000,
}, async () => {
  const finish = Promise.withResolvers<void>();
  const { asked, server, url } = await worker('here', undefined, finish.promise);
  const answered = take(asking([url]));
  await expect.poll(() => asked).toHaveLength(1);
  const closed = once(server, 'close');
  server.close();
  finish.resolve();
  await answered;
  await closed;
});

test('a failure is told with its reason where it passes, and without where it is in the log', async () => {
  const busy = await worker('here', new ElsewhereError('The disk is full.'));
  expect(await refusal(take(asking([busy.url])))).toMatch(/^ElsewhereError: .* The disk is full\.$/);
  const broken = await worker('here', new TypeError('secret'));
  expect(await refusal(take(asking([broken.url])))).toMatch(/^ElsewhereError: .* its log says why\.$/);
});

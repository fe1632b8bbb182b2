/** The journal of a world over the time for which the world is open, and at its beginnings. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Credentials } from '@broadside/server';
import { expect, onTestFinished, test } from 'vitest';
import { about } from '../support/scenario.ts';
import { ServedWorlds } from './served-worlds.ts';

/** A server of its own, since it is started again. */
async function server(workers = 1): Promise<ServedWorlds> {
  const served = await new ServedWorlds().start(workers);
  onTestFinished(() => served[Symbol.asyncDispose]());
  return served;
}

interface Made {
  readonly id: string;
  readonly credentials: Credentials;
}

async function made(served: ServedWorlds, target = '/worlds', body: object = { from: { demo: true } }): Promise<Made> {
  return (await served.control('POST', target, body)).body.data;
}

/** The ids of the calls in a journal, the newest first. */
async function idsOf(served: ServedWorlds, world: string): Promise<string[]> {
  const { body } = await served.control('GET', `/worlds/${world}/journal?count=200`);
  return body.data.map(({ id }: { id: string }) => id);
}

const follow = (served: ServedWorlds, world: string, query: string) =>
  served.control('GET', `/worlds/${world}/journal/follow?${query}`);

const FILE = 'journal.sealed';

test(about('J-KEPT'), async () => {
  const served = await server();
  const one = await made(served);
  const owner = (await served.control('GET', '/worlds/default')).body.data;
  const before = new Map<
    string,
    { readonly ids: readonly string[]; readonly position: number; readonly began: string }
  >();
  for (const { id, credentials } of [one, owner]) {
    for (let round = 0; round < 3; round++) await served.client(credentials).accounts.list();
    const { body } = await follow(served, id, 'position=0');
    const ids = await idsOf(served, id);
    expect(ids).toHaveLength(3);
    before.set(id, { ids, position: body.data.position, began: body.data.began_at });
  }
  const { body: page } = await served.control('GET', `/worlds/${one.id}/journal?count=1`);
  const [shown] = page.data;
  await served.start();
  for (const { id, credentials } of [one, owner]) {
    const known = before.get(id);
    expect(await idsOf(served, id)).toEqual(known?.ids);
    const { body: waiting } = await follow(served, id, `position=${known?.position}&wait_seconds=0`);
    expect(waiting.data).toMatchObject({ calls: [], began_at: known?.began });
    expect(waiting.data.position).toBeGreaterThanOrEqual(known?.position ?? 0);
    await served.client(credentials).accounts.list();
    const { body } = await follow(served, id, `position=${known?.position}`);
    expect(body.data.calls).toHaveLength(1);
    expect(body.data.position).toBeGreaterThan(known?.position ?? 0);
    expect(body.data.began_at).toBe(known?.began);
    expect(await idsOf(served, id)).toEqual([body.data.calls[0].id, ...(known?.ids ?? [])]);
  }
  // As it was, and on a page that was begun before.
  expect((await served.control('GET', `/worlds/${one.id}/journal/calls/${shown.id}`)).body.data).toEqual(shown);
  const { body: rest } = await served.control('GET', `/worlds/${one.id}/journal?cursor=${page.next_cursor}`);
  expect(rest.data.map(({ id }: { id: string }) => id)).toEqual(before.get(one.id)?.ids.slice(1));
  // What was not looked at in between is kept as well.
  await served.start();
  await served.start();
  expect(await idsOf(served, one.id)).toHaveLength(4);
});

test(about('J-KEPT-THREADS'), async () => {
  const served = await server(3);
  await served.server.readers?.ready();
  const { credentials } = (await served.control('GET', '/worlds/default')).body.data;
  // Each with a connection of its own, until a thread beside the main one has answered.
  const ids: string[] = [];
  while (!ids.some((id) => id.includes('-t'))) {
    const client = served.client(credentials, (url, init) =>
      fetch(url, { ...init, headers: { ...Object.fromEntries(new Headers(init?.headers)), connection: 'close' } }).then(
        (answer) => {
          ids.push(answer.headers.get('x-request-id') ?? '');
          return answer;
        },
      ),
    );
    await client.accounts.list();
  }
  await served.start(1);
  expect((await idsOf(served, 'default')).toReversed()).toEqual(ids);
});

test(about('J-KEPT-SEALED'), async () => {
  const served = await server();
  const file = path.join(served.directory, FILE);
  const { credentials } = (await served.control('GET', '/worlds/default')).body.data;
  await served.client(credentials).accounts.list();
  await served.stop();
  const bytes = readFileSync(file).toString('latin1');
  for (const text of ['accounts.list', credentials.screen_name, credentials.consumer_key]) {
    expect(bytes).not.toContain(text);
  }
  await served.start();
  // A process that is killed now leaves none, rather than one that lacks its calls.
  expect(existsSync(file)).toBe(false);
  expect(await idsOf(served, 'default')).toHaveLength(1);
  await served.stop();
  expect(existsSync(file)).toBe(true);
  await served.start(1, { BROADSIDE_JOURNAL: 'off' });
  expect(existsSync(file)).toBe(false);
  expect((await served.control('GET', '/worlds/default/journal')).body.errors[0].code).toBe('JOURNAL_CLOSED');
});

test(about('J-BEGINS'), async () => {
  const served = await server();
  const world = await made(served);
  const call = () => served.client(world.credentials).accounts.list();
  await call();
  const { body } = await served.control('POST', `/worlds/${world.id}/snapshots`, {});
  // Once more with the file of a closed world beside its stores.
  await served.start();
  await call();
  expect(await idsOf(served, world.id)).toHaveLength(2);
  const snapshot = body.data.id;
  const fork = await made(served, `/worlds/${world.id}/fork`, {});
  const copy = await made(served, '/worlds', { from: { snapshot } });
  for (const other of [fork, copy]) {
    expect(await idsOf(served, other.id)).toEqual([]);
    await served.client(other.credentials).accounts.list();
    expect(await idsOf(served, other.id)).toHaveLength(1);
  }
  expect(await idsOf(served, world.id)).toHaveLength(2);
  for (const target of ['restore', 'reset']) {
    await call();
    expect((await served.control('POST', `/worlds/${world.id}/${target}`, { snapshot_id: snapshot })).status).toBe(200);
    expect(await idsOf(served, world.id)).toEqual([]);
  }
  // The default world is put back in the place in which its journal would have been kept.
  const own = (await served.control('GET', '/worlds/default')).body.data.credentials;
  await served.client(own).accounts.list();
  expect(await idsOf(served, 'default')).toHaveLength(1);
  expect((await served.control('POST', '/worlds/default/reset', {})).status).toBe(200);
  expect(await idsOf(served, 'default')).toEqual([]);
});

test(about('J-FOLLOW-ENDS'), async () => {
  const served = await server();
  const { id, credentials } = await made(served);
  await served.client(credentials).accounts.list();
  const { body: first } = await follow(served, id, 'position=0');
  const { position, began_at } = first.data;
  const waiting = follow(served, id, `position=${position}&wait_seconds=30`);
  // At once, while the world is still being put back: it is let in when that is done, and told what has become of the journal.
  const anew = waiting.then(({ body }) => follow(served, id, `position=${body.data.position}&wait_seconds=30`));
  const began = performance.now();
  await served.control('POST', `/worlds/${id}/reset`, {});
  const { body: ended } = await waiting;
  // The reset waits for those who are in the world, and would have waited for all of the 30 seconds.
  expect(performance.now() - began).toBeLessThan(25_000);
  expect(ended.data).toEqual({ calls: [], position, began_at });
  const { body: begun } = await anew;
  expect(performance.now() - began).toBeLessThan(25_000);
  expect(begun.data.calls).toEqual([]);
  expect(begun.data.began_at > began_at).toBe(true);
  const next = follow(served, id, `position=${begun.data.position}&wait_seconds=30`);
  await served.client(credentials).accounts.list();
  const { body } = await next;
  expect(body.data.calls).toHaveLength(1);
  expect(body.data.position).toBeGreaterThan(position);
  expect(body.data.began_at).toBe(begun.data.began_at);
  // A position of which this journal knows nothing counts as none.
  const { body: all } = await follow(served, id, `position=${Number.MAX_SAFE_INTEGER}&wait_seconds=0`);
  expect(all.data).toEqual(body.data);
});

test(about('J-FOLLOW-STOP'), async () => {
  const served = await server();
  const { id } = await made(served);
  const began = performance.now();
  // The one world is opened for it; either may not have been reached before the end.
  const waiting = [id, 'default'].map((world) => follow(served, world, 'wait_seconds=30'));
  await served.control('GET', '/worlds');
  await Promise.all([served.stop(), Promise.allSettled(waiting)]);
  expect(performance.now() - began).toBeLessThan(25_000);
});

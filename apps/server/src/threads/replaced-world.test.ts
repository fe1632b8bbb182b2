/** Reader threads while the world that they read is replaced. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCampaign } from '../worlds/testing/signed.ts';
import { type ThreadedServer, threadedServer, threadsIn } from './testing/threaded-server.ts';

let running: ThreadedServer;
beforeAll(async () => {
  running = await threadedServer();
});
afterAll(() => running[Symbol.asyncDispose]());

async function reset(): Promise<void> {
  const { server } = running;
  const token = readFileSync(path.join(server.world.dataDirectory, 'operator.token'), 'utf8').trim();
  const answer = await fetch(`${server.controlUrl}/worlds/default/reset`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  });
  expect(answer.status, await answer.text()).toBe(200);
}

function countIn(body: unknown): number {
  return typeof body === 'object' && body !== null && 'data' in body && Array.isArray(body.data)
    ? body.data.length
    : -1;
}

/** The threads that serve all connections now. @returns those that did so by themselves */
async function servingThreads(): Promise<Set<number>> {
  const before = (await running.log()).length;
  await Promise.all(running.connections.map((one) => one.send(`${running.account}/campaigns`)));
  return threadsIn((await running.log()).slice(before));
}

test('threads leave the world and enter the one that takes its place, on the same connections, round after round', {
  timeout: 300_000,
}, async () => {
  const url = `${running.account}/campaigns`;
  const [first] = running.connections;
  const began = countIn((await first?.send(url))?.body);
  for (let round = 0; round < 3; round++) {
    expect((await createCampaign(running.credentials, `round ${round}`)).status).toBe(200);
    let isDone = false;
    const reading = running.connections.map(async (one) => {
      while (!isDone) {
        const { status, body } = await one.send(url);
        // As before or as after, and never an error.
        expect(status, JSON.stringify(body)).toBe(200);
        expect([began, began + 1]).toContain(countIn(body));
      }
    });
    await reset();
    isDone = true;
    await Promise.all(reading);
    const counts = await Promise.all(running.connections.map(async (one) => countIn((await one.send(url)).body)));
    expect(new Set(counts)).toEqual(new Set([began]));
    // Each of them comes to read the new world itself.
    await expect.poll(servingThreads).toEqual(new Set([0, 1, 2]));
  }
  const problems = (await running.logSoFar()).filter(({ level }) => Number(level) >= 50 || level === 'error');
  expect(problems).toEqual([]);
});

/** Requests that are answered leave nothing of their bodies in memory. */
import { Agent, request as send } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { AdapterWorld } from '../testing/world.ts';

const BODY = ' '.repeat(16_000);
const CONNECTIONS = 8;
const REQUESTS = 1_000;
const ROUNDS = 3;
const SWEEP_MS = 50;

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');

/** Bytes of bodies as they were read. The journal has texts of them. */
function held(): number {
  if (typeof collect !== 'function') throw new TypeError('the garbage cannot be collected');
  collect();
  return process.memoryUsage().arrayBuffers;
}

test('a thousand requests that are answered hold no bodies', async () => {
  await using world = await AdapterWorld.open();
  const origin = await world.apps.sandbox.listen({ port: 0, host: '127.0.0.1' });
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const headers = { 'content-type': 'application/json', 'content-length': BODY.length };
  const post = () =>
    new Promise<number | undefined>((resolve, reject) => {
      send(origin, { method: 'POST', path: '/12/accounts', headers, agent }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode));
      })
        .on('error', reject)
        .end(BODY);
    });
  const all = async (count: number) => {
    const statuses = await Promise.all(Array.from({ length: count }, post));
    expect(new Set(statuses)).toEqual(new Set([401]));
  };
  await all(CONNECTIONS);
  // Other files of the same worker may allocate meanwhile, and V8 releases buffers on threads of its own: a leak grows in each round.
  const grown: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = held();
    await all(REQUESTS);
    await setTimeout(SWEEP_MS);
    grown.push(held() - before);
  }
  expect(Math.min(...grown)).toBeLessThan((REQUESTS * BODY.length) / 4);
  agent.destroy();
});

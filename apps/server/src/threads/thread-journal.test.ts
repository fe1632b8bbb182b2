/** The journal of a world that several threads serve. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { threadedServer } from './testing/threaded-server.ts';

test('calls that other threads have answered are in the journal as soon as their answers have arrived, in order', async () => {
  await using running = await threadedServer({ BROADSIDE_CONTROL_PORT: '0' });
  const directory = running.server.world.dataDirectory;
  const token = readFileSync(path.join(directory, 'operator.token'), 'utf8').trim();
  const journal = async () => {
    const answer = await fetch(`${running.server.controlUrl}/worlds/default/journal?count=200`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { data }: { readonly data: readonly Readonly<Record<string, unknown>>[] } = JSON.parse(await answer.text());
    return data.toReversed();
  };
  const ids = (await journal()).map(({ id }) => id);
  for (const connection of running.connections) {
    const { headers } = await connection.send(`${running.account}/campaigns`);
    ids.push(headers['x-request-id']);
  }
  // Some of them by other threads, whose ids say so.
  expect(ids.some((id) => `${id}`.includes('-t'))).toBe(true);
  expect((await journal()).map(({ id }) => id)).toEqual(ids);
  await running.connections[0]?.send(`${running.account}/campaigns?count=none`);
  const all = await journal();
  expect(all).toHaveLength(ids.length + 1);
  expect(all.at(-1)).toMatchObject({ operation: 'campaigns.list', status: 400, delivery: 'SENT' });
});

/** A world that takes longer to arrive than the time that other requests have for that. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type ClientRequest, request } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { worldsServer } from './testing/worlds-server.ts';

/** The status and body of the answer to a request. */
async function answerTo(sent: ClientRequest): Promise<{ status: number | undefined; body: string }> {
  const [response] = await once(sent, 'response');
  return { status: response.statusCode, body: await text(response) };
}

test('an import goes on after the time for a whole request, while another request is ended by it', async () => {
  const { server, directory, control, download } = await worldsServer(undefined, {
    // The body pauses until the other request is ended, however long that takes.
    BROADSIDE_HTTP_LIMITS: 'request_seconds=1,stall_seconds=3600',
  });
  const { id } = (await control('POST', '/worlds', { name: 'slow' })).body.data;
  const bytes = Buffer.from(await (await download(`/worlds/${id}/export`)).arrayBuffer());
  const token = readFileSync(path.join(directory, 'operator.token'), 'utf8').trim();
  const begin = (target: string, type: string, length: number) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': type, 'content-length': length };
    const sent = request(`${server.controlUrl}${target}`, { method: 'POST', headers });
    sent.on('error', () => {});
    return sent;
  };
  const importing = begin('/worlds/import', 'application/vnd.broadside.world', bytes.length);
  const imported = answerTo(importing);
  const half = Math.floor(bytes.length / 2);
  importing.write(bytes.subarray(0, half));
  const other = begin('/worlds', 'application/json', 100);
  const ended = answerTo(other);
  other.write('{');
  expect((await ended).status).toBe(408);
  importing.end(bytes.subarray(half));
  const { status, body } = await imported;
  expect(status, body).toBe(200);
  expect(JSON.parse(body).data).toMatchObject({ name: 'slow', origin: 'IMPORT' });
});

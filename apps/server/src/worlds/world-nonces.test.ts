/** All worlds of a server use up nonces in one place, which outlives what becomes of a world. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../db/testing/temporary.ts';
import { signedRequest } from './testing/signed.ts';
import { worldsServer } from './testing/worlds-server.ts';

it('keeps what was used in a world used when that is reset, beside what others use', async () => {
  const directory = temporaryDirectory();
  const { control } = await worldsServer(directory);
  const { id, credentials } = (await control('POST', '/worlds', { from: { demo: true } })).body.data;
  const used = await signedRequest(credentials, 'GET', '/12/accounts');
  const statusOf = async ({ url, init }: typeof used) => (await fetch(url, init)).status;
  expect(await statusOf(used)).toBe(200);
  expect(await statusOf(used)).toBe(401);
  expect((await control('POST', `/worlds/${id}/reset`, {})).status).toBe(200);
  expect(await statusOf(used)).toBe(401);
  // The same nonce of another world, whose keys are others.
  const { credentials: others } = (await control('POST', `/worlds/${id}/fork`, {})).body.data;
  expect(await statusOf(await signedRequest(others, 'GET', '/12/accounts'))).toBe(200);
  expect(existsSync(path.join(directory, 'worlds', id, 'nonces'))).toBe(false);
  // In the log of the server, which is read when it starts again.
  expect(readdirSync(path.join(directory, 'nonces'))).not.toEqual([]);
});

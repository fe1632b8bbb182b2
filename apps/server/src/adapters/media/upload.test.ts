import { expect, onTestFinished, test } from 'vitest';
import { BlobStoreAwayError } from '../../media/blobs/blob-store.ts';
import { worldsServer } from '../../worlds/testing/worlds-server.ts';

/** Fails where the server looks for what an upload is to go to, before the operation runs. */
function failWith(world: object, error: Error): void {
  Object.defineProperty(world, 'media', {
    configurable: true,
    get: () => {
      throw error;
    },
  });
  onTestFinished(() => void Reflect.deleteProperty(world, 'media'));
}

test('a store that is away before an operation of uploads runs is 503 with a time to come again, and what is unknown 500', async () => {
  const { server } = await worldsServer();
  const upload = (version: string) => fetch(`${server.urls.api}/${version}/media/upload.json`, { method: 'POST' });
  failWith(server.world, new BlobStoreAwayError('the objects cannot be reached'));
  const away = await upload('1.1');
  expect([away.status, away.headers.get('retry-after')]).toEqual([503, '5']);
  const body = await away.text();
  expect(body).toContain('try again later');
  expect(body).not.toContain('objects');
  failWith(server.world, new Error('unknown'));
  const unknown = await upload('1.1');
  expect([unknown.status, unknown.headers.get('retry-after')]).toEqual([500, null]);
});

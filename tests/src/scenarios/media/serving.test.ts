/** Serving media: reference, media upload. */
import type { TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { StoreUnreachableError } from '../../../../apps/server/src/db/errors.ts';
import { encodePng } from '../../../../apps/server/src/media/testing/images.ts';
import { about } from '../../support/scenario.ts';
import { version2 } from '../../support/uploads.ts';
import { callsOn, closeSetting, open, openSetting, pathOf, png } from './setting.ts';

let world: TestWorld;

beforeAll(async () => {
  ({ world } = await openSetting());
});
afterAll(() => closeSetting(world));

const { addressOf, fetched } = callsOn(() => world);

describe('serving', () => {
  let address: string;
  beforeAll(async () => {
    const { id } = version2.read(await version2.simple(world, png));
    address = pathOf((await addressOf(`3_${id}`))['url']);
  });

  test('while the store cannot be reached, clients are told to come again', async () => {
    // A world of its own, in which something fails.
    const failing = await open();
    onTestFinished(() => failing.close());
    const find = vi.spyOn(failing.platform.servedMedia, 'find');
    const away = new StoreUnreachableError('its address', 'it has not answered within 5 s', true);
    find.mockRejectedValue(away);
    const answer = await callsOn(() => failing).fetched(address);
    expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    expect(failing.failures, 'it is in the log').toHaveLength(1);
  });

  test(about('R-MEDIA-SERVED'), async () => {
    const whole = await fetched(address);
    expect(whole).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'image/png',
        'content-length': `${png.length}`,
        // Worlds of the testkit give out names again after a reset.
        'cache-control': 'no-cache',
        'x-content-type-options': 'nosniff',
        'access-control-allow-origin': '*',
        'accept-ranges': 'bytes',
      },
    });
    const etag = whole.headers['etag'] ?? '';
    expect(await fetched(address, { 'if-none-match': etag })).toMatchObject({ status: 304, text: '' });
    expect(await fetched(address, {}, 'HEAD')).toMatchObject({
      status: 200,
      text: '',
      headers: { 'content-length': `${png.length}`, etag },
    });
  });

  test('a name that is given out again after a reset has another tag', async () => {
    await using on = await open();
    const beginning = await on.snapshot();
    const upload = async (bytes: Buffer) => {
      const { id } = version2.read(await version2.simple(on, bytes));
      return pathOf((await addressOf(`3_${id}`, on))['url']);
    };
    const path = await upload(png);
    const { headers } = await fetched(path, {}, 'GET', on);
    await on.reset(beginning);
    const other = encodePng(41, 31);
    expect(await upload(other)).toBe(path);
    const { status, bytes } = await fetched(path, { 'if-none-match': headers['etag'] ?? '' }, 'GET', on);
    expect(status).toBe(200);
    expect(Buffer.from(bytes).equals(other)).toBe(true);
  });

  test(about('R-MEDIA-RANGE'), async () => {
    const part = await fetched(address, { range: 'bytes=10-19' });
    expect(part).toMatchObject({ status: 206, headers: { 'content-range': `bytes 10-19/${png.length}` } });
    expect(Buffer.from(part.bytes).equals(png.subarray(10, 20))).toBe(true);
    expect(await fetched(address, { range: `bytes=${png.length}-` })).toMatchObject({ status: 416 });
  });

  test.for(['/media/', '/media/nosuch', '/media/..%2f..%2fplatform.db', '/media/%00', '/media/a/b/c'])(
    `${about('R-MEDIA-NOTHING')}: %s`,
    async (path) => {
      expect(await fetched(path)).toMatchObject({ status: 404, body: { errors: [{ code: 34 }] } });
    },
  );

  test(about('R-MEDIA-READ-ONLY'), async () => {
    expect(await fetched(address, {}, 'DELETE')).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  });
});

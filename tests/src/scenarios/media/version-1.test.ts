/** Peculiarities of version 1.1 of the upload: reference, media upload. */
import type { TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { about } from '../../support/scenario.ts';
import { multipart, partsOf, V1, version1 } from '../../support/uploads.ts';
import { closeSetting, openSetting, png, rejectionOf } from './setting.ts';

let world: TestWorld;

beforeAll(async () => {
  ({ world } = await openSetting());
});
afterAll(() => closeSetting(world));

describe('version 1.1', () => {
  const send = (more: object, at = V1) => world.request({ listener: 'api', method: 'POST', path: at, ...more });

  test(about('R-UPLOAD-ALIAS'), async () => {
    expect((await send(multipart(partsOf({}, png)), '/1.1/media/upload')).status).toBe(200);
  });

  test(about('R-UPLOAD-COMMANDS'), async () => {
    const { id } = version1.read(
      await send({ query: { command: 'INIT', total_bytes: png.length, media_type: 'image/png' } }),
    );
    const [bytes = { name: '', content: '' }] = partsOf({}, png);
    expect(
      (await send(multipart([bytes, ...partsOf({ command: 'APPEND', media_id: id, segment_index: 0 })]))).status,
    ).toBe(204);
    expect((await send(multipart(partsOf({ command: 'FINALIZE', media_id: id })))).status).toBe(201);
  });

  test(about('R-UPLOAD-COMMAND-UNKNOWN'), async () => {
    expect(await send({ form: { command: 'init' } })).toMatchObject({
      status: 400,
      body: { errors: [{ code: 324, parameter: 'command' }] },
    });
    expect(rejectionOf(await send(multipart(partsOf({ command: 'FINALIZE', media_id: 1 }, png)))).message).toContain(
      'no bytes',
    );
  });

  test(about('R-UPLOAD-BODY-HASH'), async () => {
    const { createHash } = await import('node:crypto');
    const { body, headers } = multipart(partsOf({}, png));
    const hash = createHash('sha1').update(body).digest('base64');
    const withHash = (oauth_body_hash: string) =>
      send({ body, headers, query: { oauth_body_hash }, sign: { in: 'query' } });
    expect((await withHash(hash)).status).toBe(200);
    expect(await withHash(hash.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')))).toMatchObject({
      status: 401,
      body: { errors: [{ code: 32 }] },
    });
  });
});

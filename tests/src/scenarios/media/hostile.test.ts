/** Uploads of arbitrary bodies: none fails, and nothing of them is left behind. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { about } from '../../support/scenario.ts';
import { multipart, partsOf, V1, V2, version2 } from '../../support/uploads.ts';
import { DAY_MS, open, png, stored } from './setting.ts';

test(about('R-UPLOAD-HOSTILE'), async () => {
  await using own = await open();
  const { id } = version2.read(await version2.begin(own, { total_bytes: 50, media_type: 'image/png' }));
  const targets = [V1, V2, `${V2}/initialize`, `${V2}/${id}/append`, `${V2}/${id}/finalize`, `${V2}/-1/append`];
  const sound = multipart(partsOf({ command: 'APPEND', media_id: id, segment_index: 0 }, png));
  const types = [
    ...[sound.headers?.['content-type'] ?? '', 'multipart/form-data', 'multipart/form-data; boundary=""'],
    ...['application/json', 'application/x-www-form-urlencoded', 'application/octet-stream', 'image/png', ''],
  ];
  const word = fc.oneof(
    fc.constantFrom(
      'INIT',
      'APPEND',
      'FINALIZE',
      'STATUS',
      id,
      '0',
      '-1',
      '99999999999999999999',
      'image/png',
      'AAAA',
      '\0',
    ),
    fc.string({ unit: 'binary', maxLength: 20 }),
  );
  const name = fc.constantFrom(
    'command',
    'media_id',
    'segment_index',
    'media',
    'media_data',
    'total_bytes',
    'media_type',
    'id',
    '__proto__',
    '',
  );
  const object = fc.dictionary(name, word, { maxKeys: 6 });
  const body = fc.oneof(
    object.map((value) => Buffer.from(JSON.stringify(value))),
    object.map((value) => Buffer.from(new URLSearchParams(value).toString())),
    object.map((value) => multipart(Object.entries(value).map(([key, content]) => ({ name: key, content }))).body),
    fc
      .tuple(fc.nat(sound.body.length), fc.nat(30))
      .map(([at, size]) => Buffer.concat([sound.body.subarray(0, at), sound.body.subarray(at + size)])),
    fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes)),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...targets), fc.constantFrom(...types), body, async (target, type, sent) => {
      const headers: Record<string, string> = type === '' ? {} : { 'content-type': type };
      const answer = await own.request({ listener: 'api', method: 'POST', path: target, body: sent, headers });
      expect(answer.status, answer.text).toBeLessThan(500);
    }),
    { numRuns: 300 },
  );
  own.clock.advance(2 * DAY_MS);
  await own.runJobs();
  expect(stored(own)).toEqual([]);
  expect(own.failures).toEqual([]);
});

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../db/testing/temporary.ts';
import { BlobsCopy } from './copy-blobs.ts';

test('a copy of a directory that servers share has what another server has put there until the instant', async () => {
  const root = temporaryDirectory();
  const at = (...names: string[]) => path.join(root, ...names);
  mkdirSync(at('blobs'));
  writeFileSync(at('blobs', 'first'), '1');
  const copy = new BlobsCopy(at('blobs'), at('copy', 'blobs'), () => {}, true);
  await copy.before();
  writeFileSync(at('blobs', 'second'), '2');
  copy.look();
  await copy.after();
  copy.end();
  expect(['first', 'second'].map((name) => readFileSync(at('copy', 'blobs', name), 'utf8'))).toEqual(['1', '2']);
});

/// <reference types="node" />
import { thin } from '@broadside/core/thin';
import { expect, test } from 'vitest';
import { bundle, oneFile } from './testing/bundle.ts';
import { grownTo } from './testing/more-operations.ts';

const KB = 1024;

// With platform `browser` esbuild fails on an import of Node's own modules; this makes the failure name the file.
test('the root entry bundles for a browser without any Node modules', async () => {
  const { text, later, imports } = await bundle('*');
  expect(imports).toEqual([]);
  expect(text + later.text).not.toMatch(/["']node:|\bprocess\.|\bBuffer\b|\b__dirname\b/);
});

test('the bundle contains the codecs of core, and neither the contract nor the schema library', async () => {
  const { files } = await bundle('*');
  expect(ofCore(files)).toEqual([
    'auth/authorization.ts',
    'auth/base-string.ts',
    'auth/percent.ts',
    'auth/rules.ts',
    'auth/web-crypto-hmac.ts',
    'wire/json.ts',
    'wire/timestamp.ts',
  ]);
});

/** Returns the files of core among the files of a bundle. */
function ofCore(files: readonly string[]): string[] {
  const foreign = files.filter((file) => !/^(packages\/client\/)?src\/|^<stdin>$|^thin:/.test(file));
  return foreign.map((file) => file.replace(/^.*packages\/core\/src\//, '')).toSorted();
}

test('the upload of people is loaded by those who use it, and is smaller than 8 KB', async () => {
  const { files, later } = await bundle('createClient');
  expect(files.filter((file) => /audience-upload|custom-audiences/.test(file))).toEqual([]);
  expect(later.files.some((file) => file.endsWith('audience-upload/upload.ts'))).toBe(true);
  expect(ofCore(later.files)).toEqual([
    'resources/custom-audiences/identifiers/hash.ts',
    'resources/custom-audiences/identifiers/keys.ts',
    'resources/custom-audiences/identifiers/kinds.ts',
    'resources/custom-audiences/identifiers/normalize.ts',
    'resources/custom-audiences/identifiers/phone-number.ts',
    'resources/custom-audiences/users/times.ts',
    'resources/custom-audiences/users/users-shape.ts',
  ]);
  expect(later.gzippedBytes).toBeLessThan(8 * KB);
});

test('createOAuth is smaller than 10 KB, and contains no operations that it does not call', async () => {
  const { gzippedBytes, files, text } = await bundle('createOAuth');
  expect(gzippedBytes).toBeLessThan(10 * KB);
  expect(files).not.toContain('thin:@broadside/core/thin');
  expect(text).toContain('/oauth/request_token');
});

test('createClient is smaller than 40 KB, even with 123 operations', async () => {
  expect((await bundle('createClient')).gzippedBytes).toBeLessThan(40 * KB);
  const grown = grownTo(123, thin);
  expect(grown.operations).toHaveLength(123);
  expect(new Set(grown.operations.map(({ id }) => id)).size).toBe(123);
  const { gzippedBytes, text } = await bundle('createClient', grown);
  for (const { id } of grown.operations) expect(text).toContain(id);
  expect(gzippedBytes).toBeLessThan(40 * KB);
});

test('the bundle runs with only web globals', async () => {
  const text = await oneFile();
  const address = `data:text/javascript;base64,${Buffer.from(text).toString('base64')}`;
  const loaded: Record<string, unknown> = await import(/* @vite-ignore */ address);
  expect(Object.keys(loaded)).toContain('createClient');
});

/// <reference types="node" />
import { thin } from '@broadside/core/thin';
import { expect, test } from 'vitest';
import { bundle } from './testing/bundle.ts';
import { grownTo } from './testing/more-operations.ts';

const KB = 1024;

// With platform `browser` esbuild fails on an import of Node's own modules; this makes the failure name the file.
test('the root entry bundles for a browser without any Node modules', async () => {
  const { text, imports } = await bundle('*');
  expect(imports).toEqual([]);
  expect(text).not.toMatch(/["']node:|\bprocess\.|\bBuffer\b|\b__dirname\b/);
});

test('the bundle contains the codecs of core, and neither the contract nor the schema library', async () => {
  const { files } = await bundle('*');
  const foreign = files.filter((file) => !/^(packages\/client\/)?src\/|^<stdin>$|^thin:/.test(file));
  const core = foreign.map((file) => file.replace(/^.*packages\/core\/src\//, ''));
  expect(core.toSorted()).toEqual([
    'auth/authorization.ts',
    'auth/base-string.ts',
    'auth/percent.ts',
    'auth/rules.ts',
    'auth/web-crypto-hmac.ts',
    'wire/json.ts',
    'wire/timestamp.ts',
  ]);
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
  const { text } = await bundle('*');
  const address = `data:text/javascript;base64,${Buffer.from(text).toString('base64')}`;
  const loaded: Record<string, unknown> = await import(/* @vite-ignore */ address);
  expect(Object.keys(loaded)).toContain('createClient');
});

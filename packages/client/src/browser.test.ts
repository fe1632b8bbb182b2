/// <reference types="node" />
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

async function bundle() {
  const result = await build({
    entryPoints: [fileURLToPath(new URL('./index.ts', import.meta.url))],
    bundle: true,
    write: false,
    minify: true,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'silent',
    conditions: ['@broadside/source'],
  });
  const [file] = result.outputFiles;
  if (!file) throw new TypeError('esbuild wrote nothing');
  return { text: file.text, inputs: Object.entries(result.metafile.inputs) };
}

// With platform `browser` esbuild fails on an import of Node's own modules; this makes the failure say where.
test('the root entry bundles for a browser without anything of Node', async () => {
  const { text, inputs } = await bundle();
  const imports = inputs.flatMap(([file, { imports }]) =>
    imports.filter(({ external }) => external).map(({ path }) => `${file}: ${path}`),
  );
  expect(imports).toEqual([]);
  expect(text).not.toMatch(/["']node:|\bprocess\.|\bBuffer\b|\b__dirname\b/);
});

test('the bundle has what the client needs and no more', async () => {
  const { text, inputs } = await bundle();
  const files = inputs.map(([file]) => file);
  // The rules and their data are for the server.
  expect(
    files.filter((file) => /core\/src\/(data|derive|money)\/|\/rules\.ts$/.test(file) && !file.includes('/auth/')),
  ).toEqual([]);
  const own = inputs.filter(([file]) => file.startsWith('packages/client/') || file.startsWith('src/'));
  expect(own.length).toBeGreaterThan(5);
  expect(own.reduce((sum, [, { bytes }]) => sum + bytes, 0)).toBeLessThan(95_000);
  // Nearly all of this is the schema library and the contract, which core brings.
  expect(gzipSync(text).length).toBeLessThan(72_000);
});

test('the bundle runs where there is nothing but web globals', async () => {
  const { text } = await bundle();
  const address = `data:text/javascript;base64,${Buffer.from(text).toString('base64')}`;
  const loaded: Record<string, unknown> = await import(/* @vite-ignore */ address);
  expect(Object.keys(loaded)).toContain('createClient');
});

/// <reference types="node" />
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

test('every example of the README compiles', async () => {
  const blocks = readFileSync(path.join(root, 'README.md'), 'utf8').matchAll(/^```ts\n(.*?)^```$/gms);
  const sources = Array.from(blocks, ([, source = '']) => source);
  expect(sources.length).toBeGreaterThan(5);
  // Below the package, so that its name and its dependencies resolve as for an installed one.
  const directory = mkdtempSync(path.join(root, 'node_modules', '.readme-'));
  try {
    sources.forEach((source, index) => void writeFileSync(path.join(directory, `block-${index + 1}.ts`), source));
    const config = {
      extends: path.join(root, 'tsconfig.json'),
      compilerOptions: { rootDir: '/', types: ['node'], noUnusedLocals: false },
      include: [path.join(directory, '*.ts')],
      exclude: [],
    };
    writeFileSync(path.join(directory, 'tsconfig.json'), JSON.stringify(config));
    const compiler = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const result = await promisify(execFile)(process.execPath, [compiler, '-p', directory]).catch(
      (error: unknown) => error,
    );
    expect(result).toEqual({ stdout: '', stderr: '' });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

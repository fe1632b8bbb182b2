// One program with its dependencies included, since finding and opening many small files takes longer than all else at
// start. The server stays a package of its own: only `start` loads it.
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

const root = import.meta.dirname;
const outdir = path.join(root, 'dist');
rmSync(outdir, { recursive: true, force: true });
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ['src/main.ts'],
  outdir,
  bundle: true,
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  format: 'esm',
  platform: 'node',
  target: 'node22',
  external: ['@broadside/server', '@broadside/server/*'],
  logLevel: 'warning',
  metafile: true,
});
chmodSync(path.join(outdir, 'main.js'), 0o755);
writeFileSync(path.join(outdir, 'licenses.txt'), licenses(Object.keys(metafile.inputs)));

/**
 * The licences of the packages that the program includes: most ask that their text goes along.
 * @param {string[]} inputs
 */
function licenses(inputs) {
  const folders = new Set(inputs.flatMap((file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []));
  const texts = [...folders].sort().map((folder) => {
    const at = path.resolve(root, folder);
    const { name, version, license } = JSON.parse(readFileSync(path.join(at, 'package.json'), 'utf8'));
    const file = readdirSync(at).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file ? readFileSync(path.join(at, file), 'utf8').trim() : `License: ${license}`;
    return `${name} ${version}\n\n${text}\n`;
  });
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}

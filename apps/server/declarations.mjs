// Deletes the declarations that no entry of the package leads to, after the compiler has written one for each module, and has the
// others name our types of tables in place of drizzle's.
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
/** @type {Set<string>} */
const reachable = new Set();

/** @param {string} file */
function reach(file) {
  if (reachable.has(file)) return;
  reachable.add(file);
  // `from './x.js'`, `import('./x.ts')` and `import './x.js'`; the compiler writes any of them.
  for (const [, target = ''] of readFileSync(file, 'utf8').matchAll(
    /\b(?:from|import)\b[\s(]*["'](\.{1,2}\/[^"']+)["']/g,
  )) {
    reach(path.join(path.dirname(file), target.replace(/\.[jt]s$/, '.d.ts')));
  }
}

for (const { types } of Object.values(exports)) if (types) reach(path.normalize(types));
for (const file of globSync('dist/**/*.d.ts')) if (!reachable.has(file)) rmSync(file);

copyFileSync('table-types.d.ts', 'dist/table-types.d.ts');
for (const file of reachable) {
  const text = readFileSync(file, 'utf8');
  const own = path.posix.relative(path.dirname(file), 'dist/table-types.js');
  const name = own.startsWith('.') ? own : `./${own}`;
  const renamed = text.replace(/(["'])drizzle-orm(?:\/sqlite-core)?\1/g, `'${name}'`);
  if (renamed !== text) writeFileSync(file, renamed);
}

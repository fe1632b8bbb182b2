// Replaces the modules that derive the thin contract by plain data, after the compiler has written them.
import { writeFileSync } from 'node:fs';

for (const name of ['contract', 'auth', 'transport']) {
  const file = new URL(`dist/thin/${name}.js`, import.meta.url);
  const exported = Object.entries(await import(file.href));
  const lines = exported.map(([key, value]) => `export const ${key} = ${JSON.stringify(value)};\n`);
  writeFileSync(file, lines.join(''));
}

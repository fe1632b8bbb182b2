// Puts the derived thin contract in the place of the modules that derive it, after the compiler has written them.
import { writeFileSync } from 'node:fs';
import { moduleText } from './dist/thin/module-text.js';

for (const name of ['contract', 'auth', 'transport']) {
  const file = new URL(`dist/thin/${name}.js`, import.meta.url);
  writeFileSync(file, moduleText(await import(file.href)));
}

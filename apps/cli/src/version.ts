import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The version of this package, from its package.json: above the sources, the build, and the build's chunks. */
export function version(): string {
  let folder = import.meta.dirname;
  while (!existsSync(path.join(folder, 'package.json'))) {
    const above = path.dirname(folder);
    if (above === folder) return 'unknown';
    folder = above;
  }
  const found: unknown = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  return typeof found === 'object' && found !== null && 'version' in found ? String(found.version) : 'unknown';
}

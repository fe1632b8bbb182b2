import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

// The package locates itself by name, so that the depth of the running file (source, build, bundle) does not matter.
const root = path.dirname(createRequire(import.meta.url).resolve('@broadside/server/package.json'));

/** Returns the path of a file or folder that this package ships besides its code. */
export function packageFile(name: string): string {
  return path.join(root, name);
}

/** The version of this package. */
export function packageVersion(): string {
  const { version }: { version?: unknown } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
  return String(version);
}

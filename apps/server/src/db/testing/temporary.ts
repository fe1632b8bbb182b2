/** Temporary directories for tests. Databases in memory are not used: libSQL has lost data in them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A new directory that is removed when the running test has finished. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'broadside-db-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

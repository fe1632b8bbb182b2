/** The migrations that an earlier version had. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { packageFile } from '../../package-file.ts';
import { temporaryDirectory } from './temporary.ts';

/** The migrations of a store up to one of them. @param all by default those of the advertising stores */
export function migrationsUpTo(tag: string, all = packageFile('drizzle/ads')): string {
  const folder = path.join(temporaryDirectory(), path.basename(all));
  cpSync(all, folder, { recursive: true });
  const file = path.join(folder, 'meta', '_journal.json');
  const journal: { entries: { tag: string }[] } = JSON.parse(readFileSync(file, 'utf8'));
  const last = journal.entries.findIndex((entry) => entry.tag === tag);
  writeFileSync(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, last + 1) }));
  return folder;
}

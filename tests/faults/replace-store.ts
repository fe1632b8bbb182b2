/**
 * Replaces the world of a data directory by the one in `next` below it, as a server does, and ends like one that is killed: `replace-store.ts <directory>`,
 * with `--expose-gc`. Both worlds are of one store only. Garbage is collected right after the new world was listed, so that SQLite removes then what it has
 * kept beside the store since that was closed.
 */
import { existsSync, renameSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { syncAll } from '../../apps/server/src/copies/copy-file.ts';
import { openNativeClient } from '../../apps/server/src/db/native-client.ts';
import {
  decideReplacement,
  finishReplacement,
  listReplacement,
  makeReplacementRoot,
  replacementPlace,
} from '../../apps/server/src/world/replacement.ts';
import { fileOf } from '../../apps/server/src/world/store-locations.ts';

const [directory = ''] = process.argv.slice(2);
const next = path.join(directory, 'next');
const file = fileOf('sandbox');

async function collectGarbage(): Promise<void> {
  for (let i = 0; i < 100 && existsSync(path.join(next, `${file}-wal`)); i += 1) {
    globalThis.gc?.();
    await sleep(10);
  }
}

/** Opens the store of a directory, and closes it. */
async function open(place: string, ...statements: readonly string[]): Promise<void> {
  const client = openNativeClient({ path: path.join(place, file) });
  for (const sql of ['SELECT * FROM names', ...statements]) await client.execute(sql);
  client.close();
}

await open(next);
await listReplacement(next);
await collectGarbage();
await syncAll(next);
makeReplacementRoot(directory);
const made = replacementPlace(directory);
renameSync(next, made);
await open(directory, "INSERT INTO names VALUES ('old')");
await decideReplacement(directory, made);
finishReplacement(directory);
process.kill(process.pid, 'SIGKILL');

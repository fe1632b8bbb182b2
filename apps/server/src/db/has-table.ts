import type { Reader } from './access.ts';

/** Whether a store has a table: it may be of a version that had none. */
export async function hasTable(store: Pick<Reader, 'query'>, name: string): Promise<boolean> {
  const found = await store.query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ? LIMIT 1", [name]);
  return found.length > 0;
}

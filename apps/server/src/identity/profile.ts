/** What people say of themselves, and what is found in it (specification A, User (v2)). */
import { stringifyJson } from '@broadside/core';
import { extractEntities } from '@broadside/core/text';
import type { Arg, Writer } from '../db/database.ts';

/** Changes of a profile. An empty text takes a member away. */
export interface ProfileChanges {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly location?: string | undefined;
  /** Two capital letters. */
  readonly country?: string | undefined;
  readonly url?: string | undefined;
  readonly protected?: boolean | undefined;
  readonly verified?: boolean | undefined;
}

/** The columns that change. */
export function profileCells(changes: ProfileChanges): Readonly<Record<string, Arg>> {
  const cells: Record<string, Arg> = {};
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) continue;
    cells[name] = value === '' && name !== 'description' ? null : value;
  }
  return cells;
}

/** Finds links, names and tags in description and address, and stores them as answers hold them. */
export async function storeProfileEntities(writer: Writer, id: string): Promise<void> {
  const [row] = await writer.query('SELECT "description", "url" FROM "users" WHERE "id" = ? LIMIT 1', [id]);
  const found = profileEntities(String(row?.[0] ?? ''), typeof row?.[1] === 'string' ? row[1] : null);
  await writer.run('UPDATE "users" SET "entities" = ? WHERE "id" = ?', [found, id]);
}

/** `entities` of the user object as JSON; null when there are none. */
function profileEntities(description: string, url: string | null): string | null {
  const inDescription = Object.fromEntries(
    Object.entries(extractEntities(description)).filter(([, list]) => Array.isArray(list) && list.length > 0),
  );
  const inUrl = url === null ? [] : extractEntities(url).urls;
  const entities = {
    ...(inUrl.length > 0 ? { url: { urls: inUrl } } : {}),
    ...(Object.keys(inDescription).length > 0 ? { description: inDescription } : {}),
  };
  return Object.keys(entities).length === 0 ? null : stringifyJson(entities);
}

/** What people say of themselves, and what is found in it (specification A, User (v2)). */
import { type PersonTraits, stringifyJson } from '@broadside/core';
import { placesAround } from '@broadside/core/rules';
import { extractEntities } from '@broadside/core/text';
import { textOrNull } from '../db/cells.ts';
import type { Arg, Writer } from '../db/database.ts';

/** Changes of a profile, and of what nobody is shown. An empty text takes a member away. */
export interface ProfileChanges extends PersonTraits {
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
    if (Array.isArray(value)) cells[name] = value.length === 0 ? null : JSON.stringify(value);
    else if (name === 'gender') cells[name] = value === null ? null : Number(value);
    else cells[name] = value === '' && name !== 'description' ? null : value;
  }
  // The country of a place is known with it.
  if (changes.place) cells['country'] = placesAround(changes.place).at(-1)?.country_code ?? null;
  return cells;
}

/** Finds links, names and tags in description and address, and stores them as answers hold them. */
export async function storeProfileEntities(writer: Writer, id: string): Promise<void> {
  const [row] = await writer.query('SELECT "description", "url" FROM "users" WHERE "id" = ? LIMIT 1', [id]);
  const found = profileEntities(String(row?.[0] ?? ''), textOrNull(row?.[1]));
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

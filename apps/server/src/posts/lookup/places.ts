/** Places of posts, reduced to the requested members. */
import type { LookedUpPost } from './rows.ts';

/** Returns the places of posts, each once. */
export function placesOf(posts: readonly LookedUpPost[], fields: readonly string[] = []): readonly object[] {
  const members = new Set(['id', 'full_name', ...fields]);
  const places = new Map<unknown, object>();
  for (const { row } of posts) {
    if (row.place === null) continue;
    const whole: unknown = JSON.parse(row.place);
    if (typeof whole !== 'object' || whole === null) continue;
    const place = Object.fromEntries(Object.entries(whole).filter(([name]) => members.has(name)));
    places.set(place['id'], place);
  }
  return [...places.values()];
}

/** The names of the leases under which workers keep members of audiences, which are those of the facts about where they keep them. */

/** Of the first place. */
export const LEASE = 'members';
/** Of all others, before their ids. */
export const PREFIX = `${LEASE} `;

/** The lease of the keeper of a place, see `audience-places.ts`. */
export function leaseOf(place: string): string {
  return place === '' ? LEASE : PREFIX + place;
}

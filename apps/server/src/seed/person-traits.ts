import { findCity, findCountry, interests, platforms } from '@broadside/core/data';
import type { PersonTraits } from '@broadside/core/resources/users';
import type { Place } from './places.ts';
import type { Seed, Stream } from './stream.ts';

const YEAR_MS = 365.25 * 86_400_000;
/** Earliest date of birth: it does not depend on the time of the rest of the world. */
const FIRST_BIRTH = Date.UTC(1946, 0);
const BIRTH_YEARS = 65;

/** Generates the known traits of a person: of most people most, and of some none. */
export function traitsOf(seed: Seed, user: number, home: Place | undefined, city: string): PersonTraits {
  const stream = seed.stream('traits', user);
  const place = home && (findCity(home.country, city) ?? findCountry(home.country));
  // More are young than old.
  const birth_ms = FIRST_BIRTH + Math.floor(BIRTH_YEARS * YEAR_MS * Math.sqrt(stream.fraction()));
  const speaksMore = stream.chance(0.25);
  return {
    place: place?.targeting_value ?? null,
    birth_date: stream.chance(0.85) ? new Date(birth_ms).toISOString().slice(0, 10) : null,
    gender: stream.chance(0.9) ? (stream.chance(0.5) ? '1' : '2') : null,
    languages: home ? [...new Set([home.language, ...(speaksMore ? ['en'] : [])])] : [],
    platforms: platformsOf(stream),
    interests: interestsOf(stream),
  };
}

function platformsOf(stream: Stream): string[] {
  const [phone, web, computer] = [stream.fraction(), stream.chance(0.1), stream.chance(0.45)];
  const [ios = '', android = '', blackberry = '', mobileWeb = '', desktop = ''] = platforms.rows.map(
    ({ targeting_value }) => targeting_value,
  );
  return [
    ...(phone < 0.4 ? [ios] : phone < 0.9 ? [android] : phone < 0.905 ? [blackberry] : []),
    ...(web ? [mobileWeb] : []),
    ...(computer ? [desktop] : []),
  ];
}

/** Picks a few of a list. Some are far more popular than others, and each is picked by some. */
function interestsOf(stream: Stream): string[] {
  const { rows } = interests;
  const count = stream.below(7);
  const chosen = new Set<string>();
  for (let i = 0; i < count; i++) {
    const rank = Math.floor(rows.length * stream.fraction() ** 2);
    const row = rows[(rank * 37) % rows.length];
    if (row) chosen.add(row.targeting_value);
  }
  return [...chosen];
}

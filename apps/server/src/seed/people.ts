import type { PersonIdentifiers, PersonTraits } from '@broadside/core/resources/users';
import type { Profile } from '../identity/profile.ts';
import { languages } from './languages.ts';
import { identifiersFor } from './person-identifiers.ts';
import { traitsOf } from './person-traits.ts';
import { at, type WorldPlan } from './plan.ts';
import type { Stream } from './stream.ts';

/** Profile of a generated person. Traits and identifiers are as somebody would give them, and stored in another form. */
interface GeneratedProfile extends Pick<Profile, 'name' | 'description' | 'location' | 'url' | 'country' | 'verified'> {
  readonly traits: PersonTraits;
  readonly identifiers: PersonIdentifiers;
}

const LONGEST_NAME = 15;
const SECOND = [
  'reads',
  'bakes',
  'rides',
  'sings',
  'writes',
  'walks',
  'draws',
  'plants',
  'fixes',
  'sails',
  'codes',
  'cooks',
  'knits',
  'films',
  'paints',
  'climbs',
  'skates',
  'maps',
  'tunes',
  'prints',
];

/** Assigned names, with the way to derive another from a taken one. */
export class Names {
  readonly #taken = new Set<string>();

  /** Assigns a name. @returns it, with a numeric suffix if it is taken */
  take(wanted: string): string {
    for (let number = 1; ; number++) {
      const suffix = number === 1 ? '' : `${number}`;
      const name = `${wanted.slice(0, LONGEST_NAME - suffix.length)}${suffix}`;
      const folded = name.toLowerCase();
      if (this.#taken.has(folded)) continue;
      this.#taken.add(folded);
      return name;
    }
  }
}

/** Preferred screen names, in order; no two are equal. */
export function wantedNames(plan: WorldPlan, names: Names): string[] {
  return plan.users.place.map(({ language }, user) => {
    const stream = plan.seed.stream('profile', user);
    const [, latin] = stream.pick(languages[language].given);
    const second = stream.pick(SECOND);
    const number = stream.below(10_000);
    const wanted = [
      `${latin}_${second}`,
      `${latin}${second}${number % 100}`,
      `${latin}${number}`,
      `${second}_${latin}${number % 1000}`,
    ];
    return names.take(stream.pick(wanted));
  });
}

/** Generates the profile of a person. */
export function writeProfile({ seed, users }: WorldPlan, user: number, screen_name: string): GeneratedProfile {
  const stream = seed.stream('profile', user);
  const home = users.place[user];
  const language = languages[home?.language ?? 'en'];
  const [given] = stream.pick(language.given);
  const family = stream.pick(language.family);
  const parts = language.order === 'given first' ? [given, family] : [family, given];
  const city = home === undefined ? '' : stream.pick(home.cities);
  const traits = traitsOf(seed, user, home, city);
  return {
    name: stream.chance(0.15) ? given : parts.join(language.joiner),
    description: describe(stream, language.about, language.tags),
    location: stream.chance(0.7) ? city : null,
    url: stream.chance(0.25) ? `https://${screen_name.toLowerCase().replaceAll('_', '-')}.example.com` : null,
    country: home?.country ?? null,
    traits,
    identifiers: identifiersFor(seed, user, { screen_name, platforms: traits.platforms }),
    verified: stream.chance(at(users.followers, user) > 100 ? 0.3 : 0.01),
  };
}

function describe(stream: Stream, about: readonly string[], tags: readonly string[]): string {
  const parts = [stream.pick(about)];
  if (stream.chance(0.25)) parts.push(`#${stream.pick(tags)}`);
  if (stream.chance(0.15))
    parts.push(`https://${stream.chance(0.5) ? 'links' : 'www'}.example.org/${stream.below(10_000)}`);
  return stream.chance(0.12) ? '' : parts.join(' ');
}

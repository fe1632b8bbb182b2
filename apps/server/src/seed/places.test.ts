import { findCity, findCountry, languages } from '@broadside/core/data';
import { expect, it } from 'vitest';
import { places } from './places.ts';

it.each(places.map((place) => [`${place.country} ${place.language}`, place] as const))(
  'where generated people live can be targeted: %s',
  (_title, { country, language, cities }) => {
    expect(findCountry(country)).toBeDefined();
    expect(languages.find(language)).toBeDefined();
    expect(cities.filter((city) => !findCity(country, city))).toEqual([]);
  },
);

/** Locations: countries, regions, metropolitan areas, cities, postal codes. */
import { once } from '../../once.ts';
import type { LocationType } from '../../resources/targeting-options/enums.ts';
import { listCountries } from './countries.ts';
import { derivedPlace } from './derived-value.ts';
import { entriesOf, headAndRest, itemsOf, OptionTable } from './option-table.ts';
import { CITIES, ENGLISH, METROS, POSTAL_CODES, REGIONS } from './places.ts';

/** A place that can be targeted. */
export interface LocationOption {
  /** With the enclosing places: `Leeds, England, GB`. */
  readonly name: string;
  readonly country_code: string;
  readonly location_type: LocationType;
  readonly targeting_type: 'LOCATION';
  /** 16 hexadecimal digits. */
  readonly targeting_value: string;
  /** The name alone: `Leeds`. */
  readonly place: string;
  /** The name alone in English, where it differs: `Munich`. */
  readonly english?: string;
  /** The value of the smallest place here that contains it; null for a country. */
  readonly within: string | null;
}

/** Published values, by country and name; all others are derived from type, country and name. */
const knownValues: ReadonlyMap<string, string> = new Map([
  ['US United States', '96683cc9126741d1'],
  ['US Los Angeles, Los Angeles CA, CA, USA', '3b77caf94bfc81fe'],
  ['US East Los Angeles, Los Angeles CA, CA, USA', '67571a7baaa5906b'],
  ['US Los Gatos, San Francisco-Oakland-San Jose CA, CA, USA', 'a2de7c70b82b0ca0'],
  ['US Los Angeles, US', '019940ae78c7b3bc'],
  ['US San Francisco-Oakland-San Jose CA, US', '5122804691e5fecc'],
]);

const englishNames = once(
  () =>
    new Map(
      entriesOf(ENGLISH)
        .flatMap(itemsOf)
        .map((item): [string, string] => {
          const [place = item, english = item] = item.split('=');
          return [place, english];
        }),
    ),
);

/** Builds the rows; each place can be looked up by its path, such as `US/Maine/Portland-Auburn ME`. */
class Gazetteer {
  readonly rows: LocationOption[] = [];
  readonly #byPath = new Map<string, LocationOption>();
  readonly #stateCodes = new Map<string, string>();

  addCountry(code: string, name: string): void {
    this.#add(code, { name, place: name, country_code: code, location_type: 'COUNTRIES', within: null });
  }

  addRegion(country_code: string, entry: string): void {
    const [place = entry, code] = entry.split('=');
    const path = `${country_code}/${place}`;
    if (code !== undefined) this.#stateCodes.set(path, code);
    this.#addBelow(country_code, path, 'REGIONS', place, `${place}, ${country_code}`);
  }

  addMetro(parent: string, place: string): void {
    this.#addBelow(parent, `${parent}/${place}`, 'METROS', place, `${place}, ${parent.slice(0, 2)}`);
  }

  addCity(parent: string, place: string): void {
    this.#addBelow(parent, `${parent}/${place}/`, 'CITIES', place, this.#nameOfCity(parent, place));
  }

  /** Adds a city that also has an older name. */
  addOldCity(parent: string, place: string): void {
    const country = parent.slice(0, 2);
    this.#addBelow(parent, `${country}/${place}, ${country}`, 'CITIES', place, `${place}, ${country}`);
  }

  addPostalCode(country_code: string, city: string, code: string): void {
    const parent = this.rows.find((row) => row.country_code === country_code && row.place === city);
    if (!parent) throw new TypeError(`postal code ${code} does not name a city: ${city}`);
    this.#add(`${country_code}/${code}`, {
      name: `${code}, ${country_code}`,
      place: code,
      country_code,
      location_type: 'POSTAL_CODES',
      within: parent.targeting_value,
    });
  }

  #nameOfCity(parent: string, place: string): string {
    const [country = '', region = '', metro] = parent.split('/');
    const state = this.#stateCodes.get(`${country}/${region}`);
    if (state !== undefined) return [place, ...(metro === undefined ? [] : [metro]), state, 'USA'].join(', ');
    return [place, ...(region === '' ? [] : [region]), country].join(', ');
  }

  #addBelow(parent: string, path: string, location_type: LocationType, place: string, name: string): void {
    const within = this.#byPath.get(parent);
    if (!within) throw new TypeError(`${name} is in an unknown place: ${parent}`);
    const { country_code, targeting_value } = within;
    this.#add(path, { name, place, country_code, location_type, within: targeting_value });
  }

  #add(path: string, row: Omit<LocationOption, 'targeting_type' | 'targeting_value'>): void {
    const { name, country_code, location_type, place, within } = row;
    const targeting_value =
      knownValues.get(`${country_code} ${name}`) ?? derivedPlace(`${location_type}/${country_code}/${name}`);
    const english = englishNames().get(place);
    const made: LocationOption = {
      name,
      country_code,
      location_type,
      targeting_type: 'LOCATION',
      targeting_value,
      place,
      ...(english === undefined ? {} : { english }),
      within,
    };
    this.rows.push(made);
    this.#byPath.set(path, made);
  }
}

function* placesOf(text: string): Generator<readonly [parent: string, place: string]> {
  for (const line of entriesOf(text)) {
    const [parent, list] = headAndRest(line);
    for (const place of itemsOf(list)) yield [parent, place];
  }
}

export const locations: OptionTable<LocationOption> = new OptionTable(() => {
  const gazetteer = new Gazetteer();
  for (const { code, name } of listCountries()) gazetteer.addCountry(code, name);
  for (const [country, region] of placesOf(REGIONS)) gazetteer.addRegion(country, region);
  for (const [region, metro] of placesOf(METROS)) gazetteer.addMetro(region, metro);
  for (const [parent, city] of placesOf(CITIES)) gazetteer.addCity(parent, city);
  gazetteer.addOldCity('US/California', 'Los Angeles');
  for (const [path, code] of placesOf(POSTAL_CODES)) {
    const [country = '', city = ''] = path.split('/');
    gazetteer.addPostalCode(country, city, code);
  }
  return gazetteer.rows;
});

/** Returns a place and all places that contain it, from the smallest; empty for an unknown value. */
export function placesAround(targeting_value: string): readonly LocationOption[] {
  const chain: LocationOption[] = [];
  for (
    let row = locations.find(targeting_value);
    row;
    row = row.within === null ? undefined : locations.find(row.within)
  ) {
    chain.push(row);
  }
  return chain;
}

const cities = once(
  () =>
    new Map(
      locations.rows
        .filter(({ location_type }) => location_type === 'CITIES')
        // Among places with the same name the first is meant, so that an older row does not hide a newer one.
        .reverse()
        .map((row) => [`${row.country_code}/${row.place}`, row]),
    ),
);

/** Returns a city of a country by its name alone; `undefined` when it cannot be targeted. */
export function findCity(country_code: string, place: string): LocationOption | undefined {
  return cities().get(`${country_code}/${place}`);
}

const countries = once(
  () =>
    new Map(
      locations.rows
        .filter(({ location_type }) => location_type === 'COUNTRIES')
        .map((row) => [row.country_code, row] as const),
    ),
);

/** Returns a country by its ISO 3166-1 code; `undefined` when there is none. */
export function findCountry(country_code: string): LocationOption | undefined {
  return countries().get(country_code);
}

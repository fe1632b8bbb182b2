/** Publishers and curated categories of the demo world. */
import type { Actor } from '../db/change-log.ts';
import { curatedCategory } from '../resources/curated-categories/find.ts';
import { type PublisherTerms, setPublisher } from '../resources/publishers/find.ts';
import type { Catalogue } from '../world/catalogue.ts';

/** Properties of the demo's publishers, by their names in the demo. */
const publishers: Readonly<Record<string, PublisherTerms>> = {
  harborbooks: {
    monetizable_country_codes: ['US', 'CA', 'GB'],
    promotion_eligible_country_codes: ['US'],
    monetization_restricted: false,
    content_category_ids: ['sm', 'ss'],
  },
  radioseven: {
    monetizable_country_codes: ['CA', 'US', 'GB', 'AU', 'NZ', 'IE'],
    promotion_eligible_country_codes: ['CA', 'US'],
    monetization_restricted: false,
    content_category_ids: ['sq', 'sr', 'se'],
  },
  norafinch: {
    monetizable_country_codes: ['GB', 'US'],
    promotion_eligible_country_codes: ['GB'],
    monetization_restricted: false,
    content_category_ids: ['sl', 'sp'],
  },
  mika: {
    monetizable_country_codes: ['JP', 'US'],
    promotion_eligible_country_codes: ['JP'],
    monetization_restricted: false,
    content_category_ids: ['sl', 's0'],
  },
  ines: {
    monetizable_country_codes: ['PT', 'BR', 'US'],
    promotion_eligible_country_codes: ['PT'],
    monetization_restricted: true,
    content_category_ids: ['so', 'sk'],
  },
};

interface DemoCategory {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly publishers: readonly string[];
  readonly videos_monetized_in_last_thirty_days: number;
}

/** Categories that the reference defines (campaign-management section 11), published by people of the demo. */
const categories: readonly DemoCategory[] = [
  {
    id: '929wbl6ymlfk',
    name: 'Basketball',
    description: 'Games, players and the talk after the last whistle.',
    publishers: ['radioseven'],
    videos_monetized_in_last_thirty_days: 2446,
  },
  {
    id: '94ngssfrr01x',
    name: 'Gaming Personalities',
    description: 'People whom others watch at play.',
    publishers: ['mika'],
    videos_monetized_in_last_thirty_days: 448,
  },
  {
    id: '9lav5usxfmdc',
    name: 'Baseball',
    description: 'Innings, averages and long summer evenings.',
    publishers: ['radioseven'],
    videos_monetized_in_last_thirty_days: 190,
  },
  {
    id: '9ys3jz3ktreo',
    name: 'Esports Teams',
    description: 'Teams and their matches on screens.',
    publishers: ['mika', 'radioseven'],
    videos_monetized_in_last_thirty_days: 169,
  },
  {
    id: '8tujg1lvi8sn',
    name: 'Football',
    description: 'Touchdowns, and how they came about.',
    publishers: ['radioseven'],
    videos_monetized_in_last_thirty_days: 254,
  },
  {
    id: '8tujj1ep7t34',
    name: "Men's Culture + Lifestyle",
    description: 'What men wear, read, cook and repair.',
    publishers: ['harborbooks', 'radioseven'],
    videos_monetized_in_last_thirty_days: 1330,
  },
  {
    id: '8tujl1p3yn0g',
    name: "Women's Culture + Lifestyle",
    description: 'What women wear, read, cook and repair.',
    publishers: ['harborbooks', 'norafinch', 'ines'],
    videos_monetized_in_last_thirty_days: 1365,
  },
  {
    id: '9fg8gmz96qdg',
    name: 'Light-Hearted',
    description: 'Cats, bread and other good news.',
    publishers: ['norafinch', 'mika', 'ines'],
    videos_monetized_in_last_thirty_days: 1395,
  },
  {
    id: '9ddrgesiap6o',
    name: 'Soccer',
    description: 'Clubs, leagues and those who write about them.',
    publishers: ['radioseven'],
    videos_monetized_in_last_thirty_days: 421,
  },
];

/**
 * Makes some people of the demo publishers, and creates their curated categories.
 * @param idOf returns the id of a person of the demo
 */
export async function writeDemoCatalogue(
  catalogue: Catalogue,
  actor: Actor,
  idOf: (screen_name: string) => string,
): Promise<void> {
  await catalogue.write(actor, async (writer) => {
    for (const [screen_name, terms] of Object.entries(publishers)) {
      await setPublisher(writer, idOf(screen_name), terms);
    }
    for (const { id, publishers: names, ...category } of categories) {
      const terms = { ...category, country_codes: ['US'], publisher_user_ids: names.map(idOf) };
      // An earlier, interrupted demo may have created it already, with its own people.
      const known = await writer.of(curatedCategory).get(id);
      if (known) await writer.of(curatedCategory).update(known, terms);
      else await writer.of(curatedCategory).insert(terms, id);
    }
  });
}

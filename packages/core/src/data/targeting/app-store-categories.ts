/** Categories of apps in the stores. */
import { derivedWord } from './derived-value.ts';
import { entriesOf, headAndRest, itemsOf, OptionTable } from './option-table.ts';

const CATEGORIES = `
IOS: Books, Business, Catalogs, Developer Tools, Education, Entertainment, Finance, Food & Drink, Health & Fitness, Kids, Lifestyle, Magazines & Newspapers, Medical, Music, Navigation, News, Photo & Video, Productivity, Reference, Shopping, Social Networking, Sports, Travel, Utilities, Weather, Games: Action, Games: Adventure, Games: Board, Games: Card, Games: Casino, Games: Casual, Games: Family, Games: Music=qouq, Games: Puzzle, Games: Racing, Games: Role Playing, Games: Simulation, Games: Sports, Games: Strategy, Games: Trivia, Games: Word
ANDROID: Art & Design, Auto & Vehicles, Beauty, Books & Reference, Business, Comics, Communication, Dating, Education, Entertainment, Events, Finance, Food & Drink, Health & Fitness, House & Home, Lifestyle, Maps & Navigation, Medical, Music & Audio, News & Magazines, Parenting, Personalization, Photography, Productivity, Shopping, Social, Sports, Tools, Travel & Local, Video Players & Editors, Weather, Games: Action, Games: Adventure, Games: Arcade, Games: Board, Games: Card, Games: Casual, Games: Educational, Games: Music, Games: Puzzle, Games: Racing, Games: Role Playing, Games: Simulation, Games: Sports, Games: Strategy, Games: Trivia, Games: Word
`;

/** A category of one of the stores. */
export interface AppStoreCategoryOption {
  readonly name: string;
  readonly os_type: 'ANDROID' | 'IOS';
  readonly targeting_type: 'APP_STORE_CATEGORY';
  readonly targeting_value: string;
}

export const appStoreCategories: OptionTable<AppStoreCategoryOption> = new OptionTable(() =>
  entriesOf(CATEGORIES).flatMap((line) => {
    const [os, list] = headAndRest(line);
    return itemsOf(list).map((item): AppStoreCategoryOption => {
      const [name = item, value] = item.split('=');
      return {
        name,
        os_type: os === 'IOS' ? 'IOS' : 'ANDROID',
        targeting_type: 'APP_STORE_CATEGORY',
        targeting_value: value ?? derivedWord(`APP_STORE_CATEGORY/${os}/${name}`),
      };
    });
  }),
);

/** Topics of conversation. The persons are historical: a table of living ones would be out of date and take sides. */
import { type ConversationType, conversationTypes } from '../../resources/targeting-options/enums.ts';
import { derivedWord } from './derived-value.ts';
import { entriesOf, headAndRest, itemsOf, OptionTable } from './option-table.ts';

const CONVERSATIONS = `
ACTORS: Audrey Hepburn, Buster Keaton, Charlie Chaplin, Marlene Dietrich, Toshirō Mifune
ATHLETES: Emil Zátopek, Fanny Blankers-Koen, Jesse Owens, Muhammad Ali, Pelé
BOOK_GENRES: Biographies, Crime novels, Fantasy novels, Historical novels, Poetry, Science fiction novels
BOOKS: Don Quixote, Frankenstein, Middlemarch, Moby-Dick, The Tale of Genji
BRAND_CATEGORIES: Airlines, Car makers, Coffee chains, Cosmetics, Sportswear
BRANDS: Lego, Moleskine, Penguin Books, Rolleiflex, Steinway
CELEBRITIES: Coco Chanel, Harry Houdini, Josephine Baker, Oscar Wilde
COACHES: Brian Clough, Herbert Chapman, John Wooden, Knute Rockne
DIGITAL_CREATORS: Book reviewers, Cooking channels, Game streamers, Science explainers
ENTERTAINMENT_BRANDS: Cirque du Soleil, Madame Tussauds, Moulin Rouge, The Globe
ENTERTAINMENT_PERSONALITIES: Bob Hope, Ed Sullivan, Lucille Ball, Peter Ustinov
FICTIONAL_CHARACTERS: Arsène Lupin, Dracula, Elizabeth Bennet, Robin Hood, Sherlock Holmes
JOURNALISTS: Egon Erwin Kisch, Ida B. Wells, Martha Gellhorn, Nellie Bly
LIFESTYLES: Minimalism, Parenting, Slow travel, Veganism, Working from home
MOVIE_GENRES: Animation, Comedy, Documentary, Horror, Musical, Western
MOVIES: Casablanca, Metropolis, Modern Times, Nosferatu, Seven Samurai
MUSIC_GENRES: Blues, Classical music, Folk, Hip hop, Jazz, Reggae, Rock
MUSICIANS: Clara Schumann, Édith Piaf, Johann Sebastian Bach, Louis Armstrong, Umm Kulthum
NEWS_STORIES: Election results, Heat records, Library openings, Space missions
NEWS: Business news, Local news, Science news, World news
PERSONS: Ada Lovelace, Albert Einstein, Florence Nightingale, Ibn Battuta, Marie Curie
PLACES: Amazon rainforest, Antarctica, Great Barrier Reef, Himalaya, Sahara
PODCASTS: Comedy podcasts, History podcasts, Literature podcasts, True crime podcasts
POLITICAL_AFFILIATIONS: Conservatism, Green politics, Liberalism, Social democracy
POLITICIANS: Abraham Lincoln, Benjamin Disraeli, Golda Meir, Jawaharlal Nehru
PRODUCTS: Bicycles, E-readers, Espresso machines, Headphones, Smartphones
RADIO_STATIONS: Classical radio, Community radio, News radio, University radio
SPORTS_LEAGUES: NFL=a1, MLB, NBA, NHL, Bundesliga, La Liga, Ligue 1, Premier League, Serie A
SPORTS_PERSONALITIES: Bobby Moore, Jackie Robinson, Juan Manuel Fangio, Suzanne Lenglen
SPORTS_TEAMS: Boca Juniors, Boston Celtics, FC Barcelona, Green Bay Packers, New York Yankees, Toronto Maple Leafs
SPORTS: Athletics, Basketball, Chess, Cricket, Cycling, Football, Rowing, Tennis
TRENDS: Book clubs, Houseplants, Open-water swimming, Sourdough, Urban gardening
TV_SHOWS: Doctor Who, Jeopardy!, Sesame Street, Tatort, The Twilight Zone
VIDEO_GAME_PLATFORMS: Nintendo Switch, PC, PlayStation, Xbox
VIDEO_GAME_PUBLISHERS: Atari, Nintendo, Sega, Sierra
VIDEO_GAMES: Chess, Minecraft, Pac-Man, Tetris, The Legend of Zelda
`;

/** A topic of conversation. */
export interface ConversationOption {
  readonly name: string;
  readonly conversation_type: ConversationType;
  readonly targeting_type: 'CONVERSATION';
  readonly targeting_value: string;
}

function conversationTypeOf(word: string): ConversationType {
  const type = conversationTypes.find((known) => known === word);
  if (!type) throw new TypeError(`${word} is not a type of conversation`);
  return type;
}

export const conversations: OptionTable<ConversationOption> = new OptionTable(() =>
  entriesOf(CONVERSATIONS).flatMap((line) => {
    const [head, list] = headAndRest(line);
    const conversation_type = conversationTypeOf(head);
    return itemsOf(list).map((item): ConversationOption => {
      const [name = item, value] = item.split('=');
      return {
        name,
        conversation_type,
        targeting_type: 'CONVERSATION',
        targeting_value: value ?? derivedWord(`CONVERSATION/${conversation_type}/${name}`),
      };
    });
  }),
);

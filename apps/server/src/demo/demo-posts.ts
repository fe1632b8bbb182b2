/**
 * Posts of the demo world. Times are minutes before the first start, so that a demo never looks
 * old. In texts `@name` refers to an author below; a link, a name or a tag is delimited by spaces.
 */
import type { PersonIdentifiers, PersonTraits } from '@broadside/core/resources/users';

/** A person of the demo. */
export interface DemoAuthor {
  readonly screen_name: string;
  readonly name: string;
  readonly description: string;
  readonly location: string;
  readonly country: string;
  /** Traits known to the platform, besides the place. */
  readonly traits: PersonTraits;
  /** Shown to nobody: of reserved domains and numbers. */
  readonly identifiers: PersonIdentifiers;
  readonly url?: string;
  readonly verified?: true;
  readonly protected?: true;
  /** Authors whom they follow; `DEMO_USER` for the demo's own user. */
  readonly follows: readonly string[];
}

/** A post or repost by a person of the demo. */
export interface DemoPost {
  /** Key by which other posts refer to it. */
  readonly key: string;
  readonly author: string;
  readonly minutes_ago: number;
  readonly text: string;
  readonly lang: string;
  readonly reply_to?: string;
  readonly quotes?: string;
  readonly media?: DemoMedia;
  readonly likes?: readonly string[];
}

/** Media of a post. */
export interface DemoMedia {
  readonly shows: 'photo' | 'video' | 'animated_gif';
  readonly alt_text?: string;
}

/** A repost. */
export interface DemoRepost {
  readonly author: string;
  readonly minutes_ago: number;
  readonly reposts: string;
}

/** The demo's own user, who signs in with the password of `credentials.json`. */
export const DEMO_USER = 'demo';

/** Everybody but the demo's own user. */
export const demoAuthors: readonly DemoAuthor[] = [
  {
    screen_name: 'harborbooks',
    name: 'Harbor Books',
    description: 'Independent bookshop by the water. Open until the last ferry. #books',
    location: 'Bellingham',
    country: 'US',
    traits: { languages: ['en'], platforms: ['4'], interests: ['1001', '1010'] },
    identifiers: { email: 'hello@harborbooks.example.com', phone_numbers: ['+13605550110'] },
    url: 'https://harborbooks.example.com',
    verified: true,
    follows: ['norafinch', 'radioseven', DEMO_USER],
  },
  {
    screen_name: 'norafinch',
    name: 'Nora Finch',
    description: 'Counts birds, reads novels, fixes bicycles.',
    location: 'Whitby',
    country: 'GB',
    traits: {
      birth_date: '1988-04-17',
      gender: '2',
      languages: ['en'],
      platforms: ['1', '4'],
      interests: ['13002', '1001'],
    },
    identifiers: {
      email: 'nora.finch@example.com',
      phone_numbers: ['+12025550117', '+12025550118'],
      devices: ['2f5f5391-3e45-4d02-b645-4575a08f86e1', 'af3802a465767e36'],
    },
    follows: ['harborbooks', 'mika', 'quietharbour'],
  },
  {
    screen_name: 'mika',
    name: '森本ミカ',
    description: '本と猫と夜行列車。',
    location: '金沢',
    country: 'JP',
    traits: {
      birth_date: '1996-11-02',
      gender: '2',
      languages: ['ja', 'en'],
      platforms: ['0'],
      interests: ['21003', '1010'],
    },
    identifiers: { email: 'mika@example.net', devices: ['4b61639e-47cc-4056-a16a-c8217e029462'] },
    follows: ['harborbooks', 'norafinch'],
  },
  {
    screen_name: 'ines',
    name: 'Inês Moura',
    description: 'Faço pão e leio devagar. https://ines.example.org',
    location: 'Évora',
    country: 'PT',
    traits: { birth_date: '1979-08-30', gender: '2', languages: ['pt', 'es'], platforms: ['1'], interests: ['9001'] },
    identifiers: { email: 'ines+padaria@example.org', devices: ['9d81c0e4-5f0b-4a52-8c3d-6b5e0a1f7c20'] },
    url: 'https://ines.example.org',
    follows: ['harborbooks', 'radioseven', 'mika', 'norafinch'],
  },
  {
    screen_name: 'radioseven',
    name: 'Radio Seven',
    description: 'Music and weather, day and night.',
    location: 'Halifax',
    country: 'CA',
    traits: { languages: ['en', 'fr'], platforms: ['0', '4'], interests: ['19007'] },
    identifiers: { email: 'studio@radio7.example.net', phone_numbers: ['+19025550143'] },
    url: 'https://radio7.example.net',
    verified: true,
    follows: ['harborbooks', 'ines'],
  },
  {
    screen_name: 'quietharbour',
    name: 'Quiet Harbour',
    description: 'For friends only.',
    location: 'Whitby',
    country: 'GB',
    traits: { birth_date: '1961-01-09', gender: '1', languages: ['en'], platforms: ['4'], interests: ['13002'] },
    identifiers: { email: 'quiet_harbour@example.com', phone_numbers: ['+12025550161'] },
    protected: true,
    follows: ['norafinch', DEMO_USER],
  },
];

/** Their posts, oldest first. */
export const demoPosts: readonly DemoPost[] = [
  {
    key: 'autumn',
    author: 'harborbooks',
    minutes_ago: 6 * 1440 + 300,
    text: 'The autumn shelf is up: 40 books for long evenings 📚 https://harborbooks.example.com/autumn #books #AutumnReading',
    lang: 'en',
    media: { shows: 'photo', alt_text: 'Three boards of a shelf, with books of many colours' },
    likes: ['norafinch', 'mika', 'ines', DEMO_USER],
  },
  {
    key: 'autumn-which',
    author: 'norafinch',
    minutes_ago: 6 * 1440 + 240,
    text: '@harborbooks Which one would you take on a night train?',
    lang: 'en',
    reply_to: 'autumn',
    likes: ['harborbooks'],
  },
  {
    key: 'autumn-answer',
    author: 'harborbooks',
    minutes_ago: 6 * 1440 + 225,
    text: '@norafinch The one about lighthouses. You will be home before it ends.',
    lang: 'en',
    reply_to: 'autumn-which',
    likes: ['norafinch', 'ines'],
  },
  {
    key: 'autumn-mika',
    author: 'mika',
    minutes_ago: 6 * 1440 + 30,
    text: '@harborbooks @norafinch 夜行列車で読みます。楽しみ！ #夜行列車',
    lang: 'ja',
    reply_to: 'autumn-answer',
    likes: ['norafinch'],
  },
  {
    key: 'bread',
    author: 'ines',
    minutes_ago: 5 * 1440 + 600,
    text: 'Pão novo no forno e chuva na janela. Não preciso de mais nada. #pão',
    lang: 'pt',
    likes: ['mika', 'norafinch'],
  },
  {
    key: 'storm',
    author: 'radioseven',
    minutes_ago: 5 * 1440 + 200,
    text: 'Storm warning for the coast from 18:00. Ferries may be late: https://radioseven.example.net/weather #weather',
    lang: 'en',
    likes: ['harborbooks', 'norafinch', 'ines'],
  },
  {
    key: 'storm-quote',
    author: 'harborbooks',
    minutes_ago: 5 * 1440 + 180,
    text: 'We stay open until the last ferry, whenever that is. Tea is free while the storm lasts.',
    lang: 'en',
    quotes: 'storm',
    likes: ['norafinch', 'mika', 'ines', 'radioseven'],
  },
  {
    key: 'calm',
    author: 'radioseven',
    minutes_ago: 4 * 1440 + 900,
    text: 'The storm has passed. First boat out this morning ⛵ #weather',
    lang: 'en',
    media: { shows: 'video' },
    likes: ['harborbooks', 'norafinch', 'mika'],
  },
  {
    key: 'birds',
    author: 'norafinch',
    minutes_ago: 4 * 1440 + 720,
    text: 'After the storm: 212 waders on the mud flats, two of them new to me. #birds #CityBirds',
    lang: 'en',
    likes: ['mika', 'radioseven'],
  },
  {
    key: 'birds-ask',
    author: 'radioseven',
    minutes_ago: 4 * 1440 + 700,
    text: '@norafinch Would you tell us about them on air tomorrow?',
    lang: 'en',
    reply_to: 'birds',
  },
  {
    key: 'birds-yes',
    author: 'norafinch',
    minutes_ago: 4 * 1440 + 640,
    text: '@radioseven Gladly, if it is after breakfast ☕',
    lang: 'en',
    reply_to: 'birds-ask',
    likes: ['radioseven', 'ines'],
  },
  {
    key: 'cat',
    author: 'mika',
    minutes_ago: 4 * 1440 + 60,
    text: '本屋の猫が今日も窓ぎわで寝ていた 🐈 #猫',
    lang: 'ja',
    likes: ['harborbooks', 'ines', 'norafinch'],
  },
  {
    key: 'reading',
    author: 'harborbooks',
    minutes_ago: 3 * 1440 + 480,
    text: 'Reading on Friday at seven: @ines brings bread, @mika brings stories. Seats: https://harborbooks.example.com/friday',
    lang: 'en',
    likes: ['ines', 'mika', 'norafinch', 'radioseven'],
  },
  {
    key: 'reading-ines',
    author: 'ines',
    minutes_ago: 3 * 1440 + 450,
    text: '@harborbooks Levo dois tipos de pão, para não haver discussões 🥖',
    lang: 'pt',
    reply_to: 'reading',
    likes: ['harborbooks', 'mika'],
  },
  {
    key: 'quiet-first',
    author: 'quietharbour',
    minutes_ago: 3 * 1440 + 90,
    text: 'Only friends read this. Soup on Sunday, bring your own spoon.',
    lang: 'en',
    likes: [DEMO_USER],
  },
  {
    key: 'song',
    author: 'radioseven',
    minutes_ago: 2 * 1440 + 1000,
    text: 'Tonight: three hours of sea songs, from Cádiz to Hakodate 🎶 #SeaSongs #music',
    lang: 'en',
    likes: ['mika'],
  },
  {
    key: 'song-quote',
    author: 'ines',
    minutes_ago: 2 * 1440 + 940,
    text: 'Três horas de mar na rádio, e eu com farinha até aos cotovelos.',
    lang: 'pt',
    quotes: 'song',
    media: { shows: 'animated_gif', alt_text: 'A small boat with one sail crosses a calm sea' },
    likes: ['radioseven', 'harborbooks'],
  },
  {
    key: 'thanks',
    author: 'harborbooks',
    minutes_ago: 1440 + 200,
    text: '61 people, two kinds of bread, one cat. Thank you all for a lovely evening ❤️',
    lang: 'en',
    likes: ['ines', 'mika', 'norafinch', 'radioseven', DEMO_USER],
  },
  {
    key: 'thanks-nora',
    author: 'norafinch',
    minutes_ago: 1440 + 170,
    text: '@harborbooks The cat was the best listener.',
    lang: 'en',
    reply_to: 'thanks',
    likes: ['harborbooks', 'mika'],
  },
  {
    key: 'bicycle',
    author: 'norafinch',
    minutes_ago: 900,
    text: 'How to mend a puncture with what you have in your pockets: https://norafinch.example.com/notes/puncture #bicycle',
    lang: 'en',
    likes: ['ines'],
  },
  {
    key: 'index',
    author: 'radioseven',
    minutes_ago: 400,
    text: 'Our small index of the week: rain 9 of 10, ferries on time 6 of 10, good books 40 of 40. #weather',
    lang: 'en',
    quotes: 'autumn',
    likes: ['harborbooks'],
  },
  {
    key: 'quiet-second',
    author: 'quietharbour',
    minutes_ago: 120,
    text: '@norafinch Did you keep a seat for me?',
    lang: 'en',
    reply_to: 'bicycle',
  },
  {
    key: 'hello',
    author: DEMO_USER,
    minutes_ago: 0,
    text: 'Hello, world. Looking for summer books: @harborbooks what do you recommend? #SummerReading',
    lang: 'en',
    likes: ['harborbooks'],
  },
];

/** Their reposts. */
export const demoReposts: readonly DemoRepost[] = [
  { author: 'radioseven', minutes_ago: 6 * 1440 + 200, reposts: 'autumn' },
  { author: 'harborbooks', minutes_ago: 5 * 1440 + 195, reposts: 'storm' },
  { author: 'ines', minutes_ago: 3 * 1440 + 440, reposts: 'reading' },
  { author: 'mika', minutes_ago: 1440 + 100, reposts: 'thanks' },
];

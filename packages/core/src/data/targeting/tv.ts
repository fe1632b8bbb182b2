/** Television: the markets, and the shows in each. */
import { once } from '../../once.ts';
import { type TvLocale, tvLocales } from '../../resources/targeting-options/enums.ts';
import { derivedNumber } from './derived-value.ts';
import { findCountry } from './locations.ts';
import { entriesOf, headAndRest, itemsOf, OptionTable } from './option-table.ts';

/** A market: a country and the language that is spoken on its screens. */
export interface TvMarket {
  readonly name: string;
  readonly country_code: string;
  readonly locale: TvLocale;
}

/** The market of those in a country who speak a minority language. */
const specialNames: Readonly<Partial<Record<TvLocale, string>>> = { 'es-US': 'United States - Hispanic' };

/** All markets. */
export const tvMarkets: () => readonly TvMarket[] = once(() =>
  tvLocales.map((locale) => {
    const country_code = countryOfLocale(locale);
    return { name: specialNames[locale] ?? findCountry(country_code)?.name ?? country_code, country_code, locale };
  }),
);

/** Returns the country of a locale. */
export function countryOfLocale(locale: string): string {
  return locale.slice(3);
}

/** Markets, genre: shows. */
const SHOWS = `
en-US PAID: NewsWatch=10027243420
en-US GAME_SHOW: Jeopardy!, Wheel of Fortune, The Price Is Right
en-US NEWS: 60 Minutes, Face the Nation, Meet the Press
en-US, en-CA COMEDY: Saturday Night Live, The Simpsons, Frasier
en-US, en-CA CHILDREN: Sesame Street, Arthur
en-US, en-CA SPORTS: Monday Night Football, Hockey Night
en-US, en-CA, en-GB, en-IE DRAMA: Law & Order, Star Trek
en-CA NEWS: The National
en-GB DRAMA: Coronation Street, EastEnders, Doctor Who
en-GB, en-IE REALITY: The Great British Bake Off, Antiques Roadshow
en-GB GAME_SHOW: Mastermind, University Challenge
en-GB SPORTS: Match of the Day
en-IE TALK: The Late Late Show
en-IE DRAMA: Fair City
de-DE DRAMA: Tatort, Lindenstraße
de-DE NEWS: Tagesschau, heute-journal
de-DE CHILDREN: Die Sendung mit der Maus
fr-FR GAME_SHOW: Des chiffres et des lettres, Questions pour un champion
fr-FR NEWS: Le Journal de 20 heures
fr-FR DOCUMENTARY: Thalassa
it-IT MUSIC: Festival di Sanremo
it-IT NEWS: Porta a Porta
es-ES NEWS: Telediario, Informe Semanal
es-ES GAME_SHOW: Saber y ganar, Pasapalabra
es-MX, es-US COMEDY: El Chavo del Ocho
es-MX NEWS: En punto
es-US TALK: Sábado Gigante
es-US NEWS: Noticiero
es-AR TALK: Almorzando con Mirtha Legrand
es-AR NEWS: Telenoche
es-CL MUSIC: Festival de Viña del Mar
es-CO DRAMA: Café con aroma de mujer
es-CO, es-VE COMEDY: Sábados felices
es-VE DRAMA: Kassandra
pt-BR NEWS: Jornal Nacional, Fantástico
pt-BR DRAMA: Malhação
nl-NL NEWS: NOS Journaal
nl-NL CHILDREN: Sesamstraat, Jeugdjournaal
ja-JP MUSIC: 紅白歌合戦
ja-JP CHILDREN: おかあさんといっしょ
ja-JP COMEDY: サザエさん, 笑点
`;

/** A show, with all markets in which it is on. */
export interface TvShowOption {
  readonly name: string;
  readonly targeting_type: 'TV_SHOW';
  readonly targeting_value: bigint;
  readonly genre: string;
  /** Language and country of each market. */
  readonly locales: readonly TvLocale[];
}

export const tvShows: OptionTable<TvShowOption> = new OptionTable(() =>
  entriesOf(SHOWS).flatMap((line) => {
    const [head, list] = headAndRest(line);
    const cut = head.lastIndexOf(' ');
    const on = itemsOf(head.slice(0, cut));
    const locales = tvLocales.filter((locale) => on.includes(locale));
    return itemsOf(list).map((item): TvShowOption => {
      const [name = item, value] = item.split('=');
      return {
        name,
        targeting_type: 'TV_SHOW',
        targeting_value:
          value === undefined ? 10_000_000_000n + BigInt(derivedNumber(`TV_SHOW/${name}`)) : BigInt(value),
        genre: head.slice(cut + 1),
        locales,
      };
    });
  }),
);

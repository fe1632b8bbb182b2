import type { LanguageCode } from './languages.ts';

/** Home of generated people. */
export interface Place {
  /** Two capital letters. */
  readonly country: string;
  /** Hours ahead of UTC, without daylight saving: it only determines when people are awake. */
  readonly utc_offset: number;
  readonly language: LanguageCode;
  readonly cities: readonly string[];
}

function place(country: string, utc_offset: number, language: LanguageCode, cities: string): Place {
  return { country, utc_offset, language, cities: cities.split(', ') };
}

/** Relative frequency of the place. */
export const places: readonly Place[] = [
  place('US', -5, 'en', 'Portland, Duluth, Savannah, Santa Fe, Burlington'),
  place('US', -8, 'en', 'Oakland, Bellingham, San Diego, Eugene'),
  place('US', -6, 'es', 'El Paso, San Antonio, Laredo'),
  place('GB', 0, 'en', 'Whitby, Leeds, Bristol, Dundee, Cardiff'),
  place('CA', -5, 'en', 'Halifax, Kingston, Guelph'),
  place('CA', -5, 'fr', 'Québec, Rimouski, Gatineau'),
  place('AU', 10, 'en', 'Hobart, Ballarat, Newcastle'),
  place('IN', 5, 'en', 'Mysuru, Kochi, Shillong'),
  place('IN', 5, 'hi', 'जयपुर, वाराणसी, भोपाल, लखनऊ'),
  place('BR', -3, 'pt', 'Recife, Ouro Preto, Curitiba, Belém'),
  place('BR', -3, 'pt', 'Salvador, Porto Alegre, Manaus'),
  place('PT', 0, 'pt', 'Coimbra, Évora, Braga'),
  place('ES', 1, 'es', 'Cádiz, Gijón, Granada, Cuenca'),
  place('MX', -6, 'es', 'Oaxaca, Puebla, Mérida, Xalapa'),
  place('AR', -3, 'es', 'Rosario, Mendoza, Ushuaia'),
  place('FR', 1, 'fr', 'Nantes, Lille, Annecy, Arles'),
  place('DE', 1, 'de', 'Lübeck, Bamberg, Görlitz, Freiburg'),
  place('AT', 1, 'de', 'Graz, Linz, Bregenz'),
  place('IT', 1, 'it', 'Lecce, Trieste, Ferrara, Cagliari'),
  place('TR', 3, 'tr', 'İzmir, Trabzon, Mardin, Eskişehir'),
  place('RU', 3, 'ru', 'Псков, Казань, Вологда'),
  place('KZ', 5, 'ru', 'Алматы, Караганда'),
  place('EG', 2, 'ar', 'الإسكندرية, أسوان, الفيوم'),
  place('MA', 1, 'ar', 'فاس, طنجة, الصويرة'),
  place('JP', 9, 'ja', '金沢, 長崎, 松本, 函館'),
  place('JP', 9, 'ja', '京都, 仙台, 高知'),
  place('KR', 9, 'ko', '전주, 강릉, 통영'),
];

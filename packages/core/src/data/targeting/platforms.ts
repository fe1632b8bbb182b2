/** The kinds of device on which people use the platform. */
import { OptionTable } from './option-table.ts';

/** A kind of device by its operating system. */
export interface PlatformOption {
  readonly name: string;
  readonly targeting_type: 'PLATFORM';
  readonly targeting_value: string;
}

/** The platform of the apps in each store. */
export const appPlatforms = { ios: '0', android: '1' } as const;

function platform(targeting_value: string, name: string): PlatformOption {
  return { name, targeting_type: 'PLATFORM', targeting_value };
}

export const platforms: OptionTable<PlatformOption> = new OptionTable(() => [
  platform(appPlatforms.ios, 'iOS'),
  platform(appPlatforms.android, 'Android'),
  platform('2', 'BlackBerry phones and tablets'),
  platform('3', 'Mobile web on other devices'),
  platform('4', 'Desktop and laptop computers'),
]);

/** Names of the last three in other languages; iOS and Android have the same name everywhere. */
const localizedNames: Readonly<Record<string, readonly [blackBerry: string, mobileWeb: string, desktop: string]>> = {
  de: ['BlackBerry-Smartphones und -Tablets', 'Mobiles Web auf anderen Geräten', 'Desktop-Computer und Laptops'],
  en: ['BlackBerry phones and tablets', 'Mobile web on other devices', 'Desktop and laptop computers'],
  es: ['Teléfonos y tabletas BlackBerry', 'Web móvil en otros dispositivos', 'Ordenadores de sobremesa y portátiles'],
  fr: ['Téléphones et tablettes BlackBerry', 'Web mobile sur d’autres appareils', 'Ordinateurs de bureau et portables'],
  it: ['Telefoni e tablet BlackBerry', 'Web mobile su altri dispositivi', 'Computer fissi e portatili'],
  ja: ['BlackBerryのスマートフォンとタブレット', 'その他の端末のモバイルウェブ', 'デスクトップとノートパソコン'],
  nl: ['BlackBerry-telefoons en -tablets', 'Mobiel web op andere apparaten', 'Desktopcomputers en laptops'],
  pt: ['Telefones e tablets BlackBerry', 'Web móvel em outros dispositivos', 'Computadores de mesa e portáteis'],
};

/** Returns the name of a platform in a language; `undefined` where there is none. */
export function localizedPlatformName(targeting_value: string, lang: string): string | undefined {
  if (!Object.hasOwn(localizedNames, lang)) return undefined;
  const { ios, android } = appPlatforms;
  if (targeting_value === ios || targeting_value === android) return platforms.find(targeting_value)?.name;
  return localizedNames[lang]?.[Number(targeting_value) - 2];
}

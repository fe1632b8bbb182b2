/** Versions of the operating systems of devices. */
import { derivedWord } from './derived-value.ts';
import { entriesOf, headAndRest, itemsOf, OptionTable } from './option-table.ts';

const VERSIONS = `
Android: Froyo 2.2, Gingerbread 2.3, Honeycomb 3.0, Ice Cream Sandwich 4.0, Jelly Bean 4.1=18, Jelly Bean 4.2, Jelly Bean 4.3, KitKat 4.4, Lollipop 5.0, Lollipop 5.1, Marshmallow 6.0, Nougat 7.0, Nougat 7.1, Oreo 8.0, Oreo 8.1, Pie 9, Android 10, Android 11, Android 12, Android 13, Android 14, Android 15, Android 16
iOS: iOS 4, iOS 5, iOS 6, iOS 7, iOS 8, iOS 9, iOS 10, iOS 11, iOS 12, iOS 13, iOS 14, iOS 15, iOS 16, iOS 17, iOS 18, iOS 26
`;

/** A version. Those of one platform are ordered from the oldest to the newest. */
export interface PlatformVersionOption {
  readonly name: string;
  readonly number: string;
  readonly os_type: 'Android' | 'iOS';
  readonly targeting_type: 'PLATFORM_VERSION';
  readonly targeting_value: string;
}

export const platformVersions: OptionTable<PlatformVersionOption> = new OptionTable(() =>
  entriesOf(VERSIONS).flatMap((line) => {
    const [os, list] = headAndRest(line);
    return itemsOf(list).map((item): PlatformVersionOption => {
      const [words = item, value] = item.split('=');
      const cut = words.lastIndexOf(' ');
      const name = words.slice(0, cut);
      const number = words.slice(cut + 1);
      return {
        name,
        number,
        os_type: os === 'iOS' ? 'iOS' : 'Android',
        targeting_type: 'PLATFORM_VERSION',
        targeting_value: value ?? derivedWord(`PLATFORM_VERSION/${os}/${number}`),
      };
    });
  }),
);

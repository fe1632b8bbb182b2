/** Devices that can be targeted. */
import { derivedWord } from './derived-value.ts';
import { entriesOf, headAndRest, itemsOf, OptionTable } from './option-table.ts';
import { appPlatforms } from './platforms.ts';

const DEVICES = `
iOS/Apple: iPhone 4=1r, iPhone 4S, iPhone 5, iPhone 5c, iPhone 5s, iPhone 6, iPhone 6 Plus, iPhone 6s, iPhone 7, iPhone 8, iPhone X, iPhone XR, iPhone XS, iPhone 11, iPhone 11 Pro, iPhone SE, iPhone 12, iPhone 12 mini, iPhone 12 Pro, iPhone 13, iPhone 13 mini, iPhone 13 Pro, iPhone 14, iPhone 14 Plus, iPhone 14 Pro, iPhone 15, iPhone 15 Plus, iPhone 15 Pro, iPhone 16, iPhone 16 Plus, iPhone 16 Pro, iPad, iPad Air, iPad mini, iPad Pro, iPod touch
Android/Samsung: Galaxy A14, Galaxy A34, Galaxy A54, Galaxy Note 10, Galaxy Note 20, Galaxy S8, Galaxy S9, Galaxy S10, Galaxy S20, Galaxy S21, Galaxy S22, Galaxy S23, Galaxy S24, Galaxy Tab S9, Galaxy Z Flip, Galaxy Z Fold
Android/Google: Nexus 5, Nexus 6P, Pixel 3, Pixel 4, Pixel 5, Pixel 6, Pixel 7, Pixel 8, Pixel 9
Android/Xiaomi: Mi 9, Mi 11, Redmi Note 10, Redmi Note 12, Redmi Note 13
Android/OnePlus: OnePlus 8, OnePlus 9, OnePlus 11, OnePlus 12
Android/Sony: Xperia 1, Xperia 5, Xperia 10
Android/Motorola: Moto E, Moto G, Razr
Android/Nokia: Nokia 5.4, Nokia G20, Nokia X10
Android/Fairphone: Fairphone 3, Fairphone 4, Fairphone 5
Android/Huawei: Mate 20, P20, P30
`;

/** A device. */
export interface DeviceOption {
  readonly name: string;
  readonly manufacturer: string;
  readonly os_type: 'Android' | 'iOS';
  readonly targeting_type: 'DEVICE';
  readonly targeting_value: string;
}

export const devices: OptionTable<DeviceOption> = new OptionTable(() =>
  entriesOf(DEVICES).flatMap((line) => {
    const [head, list] = headAndRest(line);
    const [os = '', manufacturer = ''] = head.split('/');
    return itemsOf(list).map((item): DeviceOption => {
      const [name = item, value] = item.split('=');
      return {
        name,
        manufacturer,
        os_type: os === 'iOS' ? 'iOS' : 'Android',
        targeting_type: 'DEVICE',
        targeting_value: value ?? derivedWord(`DEVICE/${manufacturer}/${name}`),
      };
    });
  }),
);

/** The value of the platform that a device runs. */
export function platformOfDevice({ os_type }: DeviceOption): string {
  return os_type === 'iOS' ? appPlatforms.ios : appPlatforms.android;
}

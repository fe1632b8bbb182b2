/** The browsers in front of which a walk is taken. */
import type { Device } from './visitor.ts';

type Named = readonly [name: string, device: Device];

const named = (javaScript: boolean, size: Device['size']): Named => [
  `on a ${size} ${javaScript ? 'with' : 'without'} JavaScript`,
  { javaScript, size },
];

/** A desktop and a phone, each with JavaScript and without. */
export const everyDevice: readonly Named[] = [
  named(true, 'desktop'),
  named(false, 'desktop'),
  named(true, 'phone'),
  named(false, 'phone'),
];

/** Two that have nothing in common, for walks that the size does not change. */
export const twoDevices: readonly Named[] = [named(true, 'desktop'), named(false, 'phone')];

/** The first, for what one browser shows as well as another. */
export const DESKTOP: Device = { javaScript: true, size: 'desktop' };

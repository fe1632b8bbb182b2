import { expect, it } from 'vitest';
import { type CreativeType, creativeTypes } from './entity.ts';
import { creativeTypeOf, unusableMedia } from './rules.ts';

const sizes: readonly [CreativeType, number, number][] = [
  ['BANNER', 320, 50],
  ['BANNER_TABLET', 728, 90],
  ['MEDIUM_RECTANGLE', 300, 250],
  ['INTERSTITIAL', 320, 480],
  ['INTERSTITIAL_LANDSCAPE', 480, 320],
  ['INTERSTITIAL_TABLET', 768, 1024],
  ['INTERSTITIAL_LANDSCAPE_TABLET', 1024, 768],
];

it.each(sizes)('an image is a %s if it has its size to the pixel', (type, width, height) => {
  expect(creativeTypeOf({ kind: 'photo', width, height })).toBe(type);
  expect(creativeTypeOf({ kind: 'photo', width: width + 1, height })).toBeUndefined();
  expect(creativeTypeOf({ kind: 'photo', width, height: height - 1 })).toBeUndefined();
  expect(creativeTypeOf({ kind: 'animated_gif', width, height })).toBeUndefined();
  expect(creativeTypeOf({ kind: 'video', width, height })).toBe('PREROLL');
});

it('every type occurs, except that of external videos', () => {
  const made = [...sizes.map(([type]) => type), 'PREROLL', 'VAST_PREROLL'];
  expect([...made].sort()).toEqual([...creativeTypes].sort());
});

it('a rejection lists the valid sizes', () => {
  const { message } = unusableMedia('3_1', { kind: 'photo', width: 1, height: 2 });
  for (const [type, width, height] of sizes) expect(message).toContain(`${width} x ${height} (${type})`);
});

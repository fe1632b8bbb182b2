/**
 * Posts of every kind look as they did when somebody last looked at them: their pictures are kept beside this file. Letters differ
 * between machines, so what is compared is the height of a picture, and how light its parts are, without details.
 * `REFERENCES=update` keeps new pictures; look at them before you commit them.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { postSamples } from '../../../apps/server/src/adapters/pages/testing/post-samples.ts';
import { required } from '../oauth/clients/started.ts';
import { executablePath, launch, MISSING } from './chromium.ts';
import { Gallery } from './gallery.ts';

const folder = path.join(import.meta.dirname, 'references');
const isUpdate = process.env['REFERENCES'] === 'update';

/** Kinds that are kept in dark too: those with surfaces of their own. */
const DARK = new Set(['text', 'website-image', 'carousel-destinations', 'conversation-image', 'poll', 'quote']);
const kinds = Object.keys(postSamples).flatMap((name) => [
  [name, 'light'] as const,
  ...(DARK.has(name) ? [[name, 'dark'] as const] : []),
]);

/** By how much the heights of two pictures may differ: a line of text. */
const HEIGHT = 0.1;
/** A part may be this much lighter or darker, of 255, and this many parts may exceed that. */
const LIGHT = 40;
const PARTS = 0.06;

let gallery: Gallery;
let browser: Awaited<ReturnType<typeof launch>>;
let page: Page;
/** Where pictures are compared. */
let blank: Page;

beforeAll(async () => {
  if (executablePath === undefined) return;
  [gallery, browser] = await Promise.all([Gallery.open(), launch()]);
  page = await browser.newPage({
    viewport: { width: 390, height: 200 },
    deviceScaleFactor: 0.5,
    reducedMotion: 'reduce',
  });
  blank = await browser.newPage();
});
afterAll(async () => {
  gallery?.close();
  await browser?.close();
});
beforeEach((context) => {
  if (executablePath !== undefined) return;
  if (required) throw new Error(MISSING);
  context.skip(MISSING);
});

/** A picture of a sample. Controls of videos, which every browser draws in its own way, are left out. */
async function pictureOf(name: string, scheme: 'light' | 'dark'): Promise<Buffer> {
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
  await page.goto(gallery.at('preview', name));
  await page.evaluate(`document.querySelectorAll('video').forEach((video) => { video.controls = false; })`);
  return page.locator('.sheet').screenshot();
}

const Difference = z.object({ height: z.number(), parts: z.number() });

/** By how much two pictures differ: in height, and in the share of parts that are lighter or darker. */
async function difference(one: Buffer, other: Buffer): Promise<z.output<typeof Difference>> {
  const sources = [one, other].map((bytes) => `data:image/png;base64,${bytes.toString('base64')}`);
  return Difference.parse(
    await blank.evaluate(`(async () => {
      const load = async (source) => { const image = new Image(); image.src = source; await image.decode(); return image; };
      const [a, b] = await Promise.all(${JSON.stringify(sources)}.map(load));
      const width = 24;
      const height = Math.round((width * a.height) / a.width);
      const lights = [a, b].map((image) => {
        const canvas = new OffscreenCanvas(width, height);
        const context = canvas.getContext('2d');
        context.imageSmoothingQuality = 'high';
        context.filter = 'blur(1px)';
        context.drawImage(image, 0, 0, width, height);
        const { data } = context.getImageData(0, 0, width, height);
        return Array.from({ length: width * height }, (_, at) => 0.3 * data[4 * at] + 0.59 * data[4 * at + 1] + 0.11 * data[4 * at + 2]);
      });
      const off = lights[0].filter((light, at) => Math.abs(light - lights[1][at]) > ${LIGHT}).length;
      return { height: Math.abs(a.height - b.height) / a.height, parts: off / lights[0].length };
    })()`),
  );
}

test.each(kinds)('%s looks as before, in %s', async (name, scheme) => {
  const picture = await pictureOf(name, scheme);
  const file = path.join(folder, `${name}-${scheme}.png`);
  if (isUpdate) writeFileSync(file, picture);
  expect(existsSync(file), `${file} is missing; REFERENCES=update keeps it`).toBe(true);
  const { height, parts } = await difference(readFileSync(file), picture);
  expect(height).toBeLessThan(HEIGHT);
  expect(parts).toBeLessThan(PARTS);
});

test('a part that is missing, or broken, is seen', async () => {
  const broken: Readonly<Record<string, string>> = {
    'website-image': `document.querySelector('.card').remove()`,
    'four-images': `document.querySelector('.media').style.display = 'block'`,
    'carousel-destinations': `document.querySelectorAll('.slide').forEach((slide) => { slide.style.flexBasis = '40%'; })`,
    poll: `document.querySelectorAll('.choices li').forEach((choice) => { choice.style.display = 'none'; })`,
    'conversation-image': `document.querySelector('.frame').style.visibility = 'hidden'`,
  };
  for (const [name, breaking] of Object.entries(broken)) {
    const right = await pictureOf(name, 'light');
    expect(await difference(right, right)).toEqual({ height: 0, parts: 0 });
    await page.evaluate(breaking);
    const { height, parts } = await difference(right, await page.locator('.sheet').screenshot());
    expect(height > HEIGHT || parts > PARTS, `${name}: ${height} ${parts}`).toBe(true);
  }
});

test('there is a picture for each kind, and no other', () => {
  const named = kinds.map(([name, scheme]) => `${name}-${scheme}.png`);
  expect(readdirSync(folder).sort()).toEqual(named.sort());
});

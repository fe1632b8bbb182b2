/**
 * Posts of every kind in a browser: nothing that a checker of accessibility knows is wrong with them, carousels and switches work by
 * keyboard, and no text of anybody runs or loads anything.
 */
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { PostView } from '../../../apps/server/src/post-view/post-view.ts';
import { required } from '../oauth/clients/started.ts';
import { executablePath, launch, MISSING } from './chromium.ts';
import { Gallery } from './gallery.ts';
import { inspect } from './inspect.ts';

let gallery: Gallery;
let browser: Awaited<ReturnType<typeof launch>>;

beforeAll(async () => {
  if (executablePath === undefined) return;
  [gallery, browser] = await Promise.all([Gallery.open(), launch()]);
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

/** Opens a page in a browser of its own, and lets a test act there. Complaints of the browser are collected. */
async function inBrowser(
  act: (page: Page, complaints: string[]) => Promise<void>,
  options: Parameters<typeof browser.newContext>[0] = {},
): Promise<void> {
  const context: BrowserContext = await browser.newContext({ viewport: { width: 390, height: 844 }, ...options });
  try {
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    await act(page, complaints);
  } finally {
    await context.close();
  }
}

/** Kinds that together have every part of a post, so that the checker need not look at each sample. */
const KINDS = [
  'one-image',
  'tall-image',
  'four-images',
  'gif',
  'video-call-to-action',
  'quote',
  'quote-gone',
  'reply',
  'repost',
  'scheduled',
  'website-image',
  'app-image',
  'carousel-app',
  'carousel-destinations',
  'conversation-image',
  'conversation-video',
  'poll-final',
  'poll-image',
  'right-to-left',
];

describe('a checker of accessibility finds nothing', () => {
  test.each(KINDS)('in %s', (name) =>
    inBrowser(async (page, complaints) => {
      await page.goto(gallery.at('preview', name));
      for (const summary of await page.locator('summary').all()) await summary.click();
      expect(await inspect(page, name)).toEqual([]);
      expect(complaints).toEqual([]);
    }),
  );

  test('on a page, nor in a timeline', () =>
    inBrowser(async (page) => {
      for (const address of [gallery.at('post', 'text'), gallery.at('timeline')]) {
        await page.goto(address);
        expect(await inspect(page, address.replace(/.*\//, ''))).toEqual([]);
      }
    }));
});

const Place = z.object({ left: z.number(), width: z.number(), page: z.number() });

/** The distance by which the slides are scrolled. */
async function placeOf(page: Page): Promise<z.output<typeof Place>> {
  return Place.parse(
    await page.evaluate(`(() => {
      const slides = document.querySelector('.slides');
      return { left: slides.scrollLeft, width: slides.clientWidth, page: window.scrollY };
    })()`),
  );
}

describe('a carousel', () => {
  test('goes from slide to slide by keyboard, and says which one it shows', () =>
    inBrowser(
      async (page) => {
        await page.goto(gallery.at('preview', 'carousel-destinations'));
        await page.locator('.slides').focus();
        expect(await page.locator('.slide').evaluateAll((slides) => slides.map((slide) => slide.ariaLabel))).toEqual([
          '1 of 4',
          '2 of 4',
          '3 of 4',
          '4 of 4',
        ]);
        const before = await placeOf(page);
        await page.keyboard.press('ArrowRight');
        await expect.poll(async () => (await placeOf(page)).left).toBeGreaterThan(before.left + before.width / 2);
        await page.keyboard.press('ArrowLeft');
        await expect.poll(async () => (await placeOf(page)).left).toBe(before.left);
      },
      { reducedMotion: 'reduce' },
    ));

  test('brings the slide into view whose link has the focus', () =>
    inBrowser(
      async (page) => {
        await page.goto(gallery.at('preview', 'carousel-destinations'));
        await page.locator('.slide a.leads').nth(2).focus();
        await expect.poll(async () => (await placeOf(page)).left).toBeGreaterThan(0);
      },
      { reducedMotion: 'reduce' },
    ));

  test('is swiped by touch', () =>
    inBrowser(
      async (page) => {
        await page.goto(gallery.at('preview', 'carousel-website'));
        const box = await page.locator('.slides').boundingBox();
        const session = await page.context().newCDPSession(page);
        const y = (box?.y ?? 0) + 60;
        const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...xs: number[]) =>
          session.send('Input.dispatchTouchEvent', { type, touchPoints: xs.map((x) => ({ x, y })) });
        await touch('touchStart', 320);
        for (let x = 310; x >= 60; x -= 25) await touch('touchMove', x);
        await touch('touchEnd');
        await expect.poll(async () => (await placeOf(page)).left).toBeGreaterThan(100);
      },
      { hasTouch: true, isMobile: true, reducedMotion: 'reduce' },
    ));
});

describe('an animated image', () => {
  const shown = (page: Page) =>
    page.locator('picture img').evaluate((image: { currentSrc: string }) => image.currentSrc);

  test('plays, and holds still for a person who prefers less motion', () =>
    inBrowser(async (page) => {
      await page.goto(gallery.at('preview', 'gif'));
      expect(await shown(page)).toMatch(/gull\.960x720$/);
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await expect.poll(() => shown(page)).toMatch(/gull\.960x720\.still$/);
    }));

  test('is held still by a switch that the keyboard reaches', () =>
    inBrowser(async (page) => {
      await page.goto(gallery.at('preview', 'gif'));
      const still = page.locator('.still');
      expect(await still.isVisible()).toBe(false);
      await page.getByRole('checkbox', { name: 'Hold the animated image still' }).focus();
      await page.keyboard.press('Space');
      expect(await still.isVisible()).toBe(true);
    }));
});

/** Texts that try to leave their place. */
const HOSTILE = [
  '"><script>document.title="ran"</script>',
  "' onmouseover='document.title=1' style='position:fixed;inset:0' x='",
  '</title></style></svg><img src="https://elsewhere.test/x.png" onerror="document.title=1">',
  '<iframe srcdoc="<script>parent.document.title=1</script>"></iframe><link rel=stylesheet href="//elsewhere.test/x.css">',
  '<meta http-equiv="refresh" content="0;url=https://elsewhere.test/">',
  '<base href="https://elsewhere.test/"><form action="https://elsewhere.test/"><button>go</button></form>',
  '\u202Etxet desrever \u2066\u2067 and back',
  'W'.repeat(280),
  `${'Z\u0351\u0344\u0300\u0357'.repeat(60)}`,
  '🏴‍☠️👩‍👩‍👧‍👦'.repeat(30),
  'a\u200b\u200d\u2060\ufeff'.repeat(70),
];

/** A post in which everything that people write is one text. */
function written(text: string): PostView {
  const media = { kind: 'photo', content_type: 'image/png', still: null, width: 900, height: 900, alt: text } as const;
  const author = { id: '1', screen_name: 'someone', name: text, verified: false, protected: false, avatar: null };
  const picture = { ...media, media_key: '3_1', path: '/media/pier.900x900' };
  return {
    id: '2032774318555086851',
    time: { kind: 'published', at_ms: 1_773_480_413_000 },
    author,
    text: [
      { kind: 'text', text },
      { kind: 'link', text, url: 'https://books.example.com/' },
      { kind: 'tag', text: `#${text}` },
    ],
    lang: null,
    media: [picture],
    card: {
      kind: 'conversation',
      media: picture,
      title: text,
      calls: [{ tag: `#${text}`, post: text }],
      thanks: { text, link: { host: text, url: 'https://books.example.com/' }, unlocked: [] },
    },
    call_to_action: {
      title: text,
      description: text,
      action: { label: 'Visit site', url: 'https://books.example.com/' },
    },
    promoted: true,
    reply_to: null,
    counts: { replies: 0, reposts: 0, quotes: 0, likes: 0 },
    quoted: 'unavailable',
    reposted_by: author,
    taken_down: null,
  };
}

describe('a hostile text', () => {
  test.each(HOSTILE.map((text, index) => [index, text] as const))(
    '%i runs nothing, loads nothing from elsewhere, and stays in its place',
    (index, text) =>
      inBrowser(async (page, complaints) => {
        gallery.add(`hostile-${index}`, written(text));
        const asked: string[] = [];
        page.on('request', (request) => asked.push(request.url()));
        page.on('dialog', () => asked.push('a dialog'));
        await page.goto(gallery.at('preview', `hostile-${index}`));
        for (const summary of await page.locator('summary').all()) await summary.click();
        await page.mouse.move(100, 100);
        await page.waitForLoadState('networkidle');
        const own = new URL(gallery.at('preview')).origin;
        expect(asked.filter((url) => !url.startsWith(own) && !url.startsWith('data:image/svg+xml,'))).toEqual([]);
        expect(complaints).toEqual([]);
        expect(await page.title()).not.toMatch(/^(?:ran|1)$/);
        expect(await page.locator('script, iframe, form, object, main link, main meta').count()).toBe(0);
        const width = await page.evaluate<number>('document.documentElement.scrollWidth');
        expect(width).toBe(390);
      }),
  );

  test('would be stopped by the policy even if it got into the page', () =>
    inBrowser(async (page, complaints) => {
      await page.goto(gallery.at('preview', 'text'));
      const asked: (string | undefined)[] = [];
      page.on('requestfailed', (request) => asked.push(request.failure()?.errorText));
      page.on('requestfinished', (request) => asked.push(request.url()));
      await page.evaluate(`document.querySelector('main').insertAdjacentHTML('beforeend',
        '<img src="https://elsewhere.test/x.png" onerror="document.title=1"><b style="color:red" onclick="document.title=1">b</b>'
        + '<a id="trap" href="javascript:document.title=1" target="_self">a</a><video src="https://elsewhere.test/x.mp4"></video>')`);
      await page.locator('main b').last().click();
      await page.locator('#trap').click();
      await expect
        .poll(() => complaints.filter((line) => /Content Security Policy/.test(line)).length)
        .toBeGreaterThan(3);
      expect(asked.filter((text) => text !== 'csp')).toEqual([]);
      expect(await page.title()).not.toBe('1');
    }));
});

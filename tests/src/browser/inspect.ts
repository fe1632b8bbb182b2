/**
 * Looks at a page as an accessibility checker does, in light and dark, in three widths, and with large text. Unless BROADSIDE_TEST_LONG
 * is set, each width has one of the colour schemes: no style depends on both.
 */
import path from 'node:path';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import * as z from 'zod';

const SCHEMES = ['light', 'dark'] as const;
/** The narrowest phone, a usual one, a desktop. */
const WIDTHS = [320, 390, 1280] as const;
/** Viewport in which text of twice the size must still fit. */
const ZOOMED_WIDTHS = [390, 1280] as const;
const HEIGHT = 900;

const isLong = process.env['BROADSIDE_TEST_LONG'] !== undefined;

/** What a page is shown in: of each scheme and each width at least once. */
const LOOKED_AT = SCHEMES.map((colorScheme, scheme) => ({
  colorScheme,
  widths: WIDTHS.filter((_, width) => isLong || width % 2 === scheme),
}));

/** Folder for screenshots of each page: `BROADSIDE_SCREENSHOTS=<folder>`. */
const pictures = process.env['BROADSIDE_SCREENSHOTS'];

const Found = z.array(z.object({ id: z.string(), help: z.string(), nodes: z.array(z.object({ html: z.string() })) }));
const Results = z.object({ violations: Found, incomplete: Found });

/**
 * All rules that axe has, down to its experiments, but for a contrast beyond level AA, and for the guess that what is large is
 * a heading: a PIN is none.
 */
const EVERYTHING: axe.RunOptions = {
  runOnly: {
    type: 'tag',
    values: [
      'wcag2a',
      'wcag2aa',
      'wcag2aaa',
      'wcag21a',
      'wcag21aa',
      'wcag22aa',
      'best-practice',
      'ACT',
      'experimental',
    ],
  },
  rules: {
    'color-contrast-enhanced': { enabled: false },
    'p-as-heading': { enabled: false },
    // People upload videos without captions; the words that they give for them are their names.
    'video-caption': { enabled: false },
    // What a carousel or an animated image hides is a copy of what it shows.
    'hidden-content': { enabled: false },
    // An experiment that objects to groups in the focus order: those that scroll have to be there.
    'focus-order-semantics': { enabled: false },
  },
};

/** What a page has done right is not described: that takes longer than finding it. */
const ERRORS_ONLY: axe.RunOptions = { resultTypes: ['violations', 'incomplete'], selectors: false };

const rules = (...values: string[]): axe.RunOptions => ({ runOnly: { type: 'rule', values } });

/** Those of them that the width can change, */
const OF_WIDTH = ['target-size', 'scrollable-region-focusable'];
/** and those that colours can. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** What is tried in a scheme. The light colours are tried with all other rules, at first. */
const LOOKS: Readonly<Record<(typeof SCHEMES)[number], axe.RunOptions>> = {
  light: rules(...OF_WIDTH, ...(isLong ? OF_COLOURS : [])),
  dark: rules(...OF_WIDTH, ...OF_COLOURS),
};

/** Returns the errors of a page: one line for each, with its location. */
export async function inspect(page: Page, name: string): Promise<string[]> {
  const errors: string[] = [];
  const check = async (where: string, options: axe.RunOptions) => {
    const run = { ...options, ...ERRORS_ONLY };
    const ran = await page.evaluate(
      `axe.run(${JSON.stringify(run)}).then(({ violations, incomplete }) => ({ violations, incomplete }))`,
    );
    const { violations, incomplete } = Results.parse(ran);
    // Rules that the checker cannot decide count as violations: the pages are simple enough to avoid them.
    for (const { id, help, nodes } of [...violations, ...incomplete])
      errors.push(`${where}: ${id}: ${help}: ${nodes.map(({ html }) => html).join(' ')}`);
  };
  const measure = async (where: string) => {
    errors.push(...(await misfits(page)).map((element) => `${where}: does not fit: ${element}`));
    const file = `${name}, ${where}.png`.replaceAll(/\W+(?=.*\.)/g, '-');
    if (pictures !== undefined) await page.screenshot({ path: path.join(pictures, file), fullPage: true });
  };
  // By way of the debugger: the policy of the page lets no script in.
  await page.evaluate(axe.source);
  await check('at first', EVERYTHING);
  for (const { colorScheme, widths } of LOOKED_AT) {
    // Without motion, so that no colour is met on its way from one to the other.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const width of widths) {
      const where = `${colorScheme}, ${width} wide`;
      await page.setViewportSize({ width, height: HEIGHT });
      await check(where, LOOKS[colorScheme]);
      await measure(where);
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
  for (const width of ZOOMED_WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    await measure(`large letters, ${width} wide`);
  }
  await page.evaluate(`document.documentElement.style.fontSize = ''`);
  return errors;
}

/** Returns elements that overflow the page horizontally, or are cut off by their own box. */
async function misfits(page: Page): Promise<string[]> {
  return z.array(z.string()).parse(
    await page.evaluate(`(() => {
      const { clientWidth } = document.documentElement;
      // Text for screen readers only is clipped, with all its children.
      const isSeen = (element) =>
        element === null || (getComputedStyle(element).clipPath === 'none' && isSeen(element.parentElement));
      const scrolls = (element) => /auto|scroll/.test(getComputedStyle(element).overflowX);
      const isScrolled = ({ parentElement }) => parentElement !== null && (scrolls(parentElement) || isScrolled(parentElement));
      const fits = (element) => {
        if (isScrolled(element)) return true;
        const { left, right, width } = element.getBoundingClientRect();
        const isFree = element.localName === 'input' || scrolls(element) || getComputedStyle(element).overflowX === 'visible';
        const cut = !isFree && element.scrollWidth > element.clientWidth;
        return width === 0 || (left >= -0.5 && right <= clientWidth + 0.5 && !cut);
      };
      return [...document.body.querySelectorAll(':not(svg *, .skip)')]
        .filter((element) => isSeen(element) && !fits(element))
        .map((element) => element.outerHTML.slice(0, 120));
    })()`),
  );
}

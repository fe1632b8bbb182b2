/** Looks at a page as an accessibility checker does, in light and dark and in three widths, and as who needs large letters does. */
import path from 'node:path';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import * as z from 'zod';

const SCHEMES = ['light', 'dark'] as const;
/** The narrowest phone, a usual one, a desktop. */
const WIDTHS = [320, 390, 1280] as const;
/** Where text of twice the size must still fit. */
const ZOOMED_WIDTHS = [390, 1280] as const;
const HEIGHT = 900;

/** With it, a picture of each look at each page goes there: `BROADSIDE_SCREENSHOTS=<folder>`. */
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
  rules: { 'color-contrast-enhanced': { enabled: false }, 'p-as-heading': { enabled: false } },
};

/** Those of them that colours and width can change. */
const LOOKS: axe.RunOptions = {
  runOnly: {
    type: 'rule',
    values: ['color-contrast', 'link-in-text-block', 'target-size', 'scrollable-region-focusable'],
  },
};

/** All that is wrong with a page: one line for each fault, with where it was seen. */
export async function inspect(page: Page, name: string): Promise<string[]> {
  const faults: string[] = [];
  const check = async (where: string, options: axe.RunOptions) => {
    const ran = await page.evaluate(`axe.run(${JSON.stringify(options)})`);
    const { violations, incomplete } = Results.parse(ran);
    // What the checker cannot decide counts too: the pages are plain enough for it.
    for (const { id, help, nodes } of [...violations, ...incomplete])
      faults.push(`${where}: ${id}: ${help}: ${nodes.map(({ html }) => html).join(' ')}`);
  };
  const measure = async (where: string) => {
    faults.push(...(await misfits(page)).map((element) => `${where}: does not fit: ${element}`));
    const file = `${name}, ${where}.png`.replaceAll(/\W+(?=.*\.)/g, '-');
    if (pictures !== undefined) await page.screenshot({ path: path.join(pictures, file), fullPage: true });
  };
  // By way of the debugger: the policy of the page lets no script in.
  await page.evaluate(axe.source);
  await check('at first', EVERYTHING);
  for (const colorScheme of SCHEMES) {
    // Without motion, so that no colour is met on its way from one to the other.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const width of WIDTHS) {
      const where = `${colorScheme}, ${width} wide`;
      await page.setViewportSize({ width, height: HEIGHT });
      await check(where, LOOKS);
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
  return faults;
}

/** What stands out of the page at the side, or is cut off by its own box. */
async function misfits(page: Page): Promise<string[]> {
  return z.array(z.string()).parse(
    await page.evaluate(`(() => {
      const { clientWidth } = document.documentElement;
      // What only a screen reader meets is clipped, with all that it holds.
      const isSeen = (element) =>
        element === null || (getComputedStyle(element).clipPath === 'none' && isSeen(element.parentElement));
      const fits = (element) => {
        const { left, right, width } = element.getBoundingClientRect();
        const scrolls = element.localName === 'input' || getComputedStyle(element).overflowX === 'visible';
        const cut = !scrolls && element.scrollWidth > element.clientWidth;
        return width === 0 || (left >= -0.5 && right <= clientWidth + 0.5 && !cut);
      };
      return [...document.body.querySelectorAll(':not(svg *, .skip)')]
        .filter((element) => isSeen(element) && !fits(element))
        .map((element) => element.outerHTML.slice(0, 120));
    })()`),
  );
}

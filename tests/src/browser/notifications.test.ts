/** Notifications of drafts, in the pages that people have open. */
import { describe, expect, test } from 'vitest';
import { accountOf, notifyOf, writeDraft } from '../../../apps/server/src/adapters/pages/testing/sent-drafts.ts';
import { DESKTOP, twoDevices } from './devices.ts';
import { type Account, useStage } from './stage.ts';
import type { Device, Tab } from './visitor.ts';

const stage = useStage();

/** A page of a person who has signed in with a browser of their own. */
async function signedIn(person: Account, device: Device = DESKTOP): Promise<Tab> {
  const tab = await stage().tab(device);
  await tab.open(stage().at('/sign-in'));
  await tab.signIn(person);
  return tab;
}

/** A draft of a person, of which they are told. */
async function preview({ id }: Account, text: string): Promise<void> {
  const { world } = stage();
  const account = await accountOf(world, id);
  await notifyOf(world, id, account, await writeDraft(world, account, id, text), text);
}

const banners = (tab: Tab) => tab.page.locator('#news .banner');
const said = async (tab: Tab) => (await banners(tab).allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));

describe('an open page', () => {
  test('announces a draft in every browser of its person, and in no other', async () => {
    const [person, other] = await Promise.all([stage().person(), stage().person()]);
    const [one, two, stranger] = await Promise.all([signedIn(person), signedIn(person), signedIn(other)]);
    await preview(person, 'Autumn <i>evenings</i> & javascript:alert(1)');
    const expected = ['Preview of a draft Autumn <i>evenings</i> & javascript:alert(1) Open Dismiss'];
    for (const tab of [one, two]) {
      await expect.poll(() => said(tab)).toEqual(expected);
      expect(await tab.page.locator('#news-count').textContent()).toContain('1');
    }
    await preview(other, 'Something else');
    await expect.poll(() => said(stranger)).toEqual(['Preview of a draft Something else Open Dismiss']);
    expect(await said(one)).toEqual(expected);
    await one.follow('Open');
    expect(await one.text()).toContain('Draft: only you see this');
    expect(await one.page.locator('#news-count').textContent()).toBe('');
  });

  test('announces what came while nobody looked, and nothing twice', async () => {
    const person = await stage().person();
    const tab = await signedIn(person);
    await tab.open(stage().at('/notifications'));
    await preview(person, 'First');
    await expect.poll(() => said(tab)).toHaveLength(1);
    // The browser reports a page in the background as hidden.
    const hide = (state: string) =>
      tab.page.evaluate(
        `Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true }); document.dispatchEvent(new Event('visibilitychange'))`,
      );
    await hide('hidden');
    await preview(person, 'Second');
    await hide('visible');
    await expect.poll(async () => (await said(tab)).map((text) => text.split(' ')[4])).toEqual(['First', 'Second']);
  });

  test('is left with the keyboard: to the draft, or back to where the reader was', async () => {
    const person = await stage().person();
    const tab = await signedIn(person);
    await preview(person, 'By keyboard');
    await banners(tab).waitFor();
    expect(await tab.page.locator('#news').getAttribute('aria-live')).toBe('polite');
    const stops: string[] = [];
    for (let stop = 0; stop < 20 && stops.at(-1) !== 'Dismiss'; stop++) {
      await tab.page.keyboard.press('Tab');
      const { name, marked, onScreen } = await tab.focused();
      expect({ name, marked, onScreen }).toEqual({ name, marked: true, onScreen: true });
      stops.push(name);
    }
    expect(stops.slice(-2)).toEqual(['Open', 'Dismiss']);
    await tab.page.keyboard.press('Escape');
    expect(await banners(tab).count()).toBe(0);
    await tab.waitForFocusOn('news-link');
    await tab.strike('Enter');
    expect(await tab.heading()).toBe('Notifications');
  });

  test('hears nothing after its person has signed out in another tab', async () => {
    const person = await stage().person();
    const visitor = await stage().visitor(DESKTOP);
    const [tab, other] = [await visitor.tab(), await visitor.tab()];
    await tab.open(stage().at('/sign-in'));
    await tab.signIn(person);
    await other.open(stage().at('/settings'));
    await other.press('Sign out');
    await preview(person, 'Not for this browser');
    const again = await signedIn(person);
    await again.open(stage().at('/notifications'));
    expect(await again.text()).toContain('Not for this browser');
    expect(await said(tab)).toEqual([]);
  });
});

describe.each(twoDevices)('%s', (_name, device) => {
  test('a person finds the draft by way of the header, after a reload', async () => {
    const person = await stage().person();
    const tab = await signedIn(person, device);
    await preview(person, 'Found by hand');
    await tab.open(stage().at('/settings'));
    expect(await tab.page.locator('#news-count').textContent()).toContain('1');
    await tab.page.locator('#news-link').click();
    await tab.page.waitForURL('**/notifications');
    await tab.page.getByRole('link', { name: /Found by hand/ }).click();
    await tab.page.waitForURL('**/notifications/*');
    expect(await tab.text()).toMatch(/Draft: only you see this .*Found by hand/);
    await tab.open(stage().at('/notifications'));
    expect(await tab.page.locator('.news-item.unread').count()).toBe(0);
  });
});

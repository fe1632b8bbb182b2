/** The pages by keyboard alone. */
import { describe, expect, test } from 'vitest';
import { DESKTOP } from './devices.ts';
import { useStage } from './stage.ts';
import type { Tab } from './visitor.ts';

const stage = useStage();

/** More stops than any page has. */
const STOPS = 40;

/** Moves from stop to stop to the one of a name, and checks that each has a visible focus. @returns the stops before it */
async function tabTo(tab: Tab, name: string): Promise<string[]> {
  const passed: string[] = [];
  while (passed.length < STOPS) {
    await tab.page.keyboard.press('Tab');
    const stop = await tab.focused();
    expect(stop, `after ${passed.join(', ')}`).toMatchObject({ marked: true, onScreen: true });
    if (stop.name === name) return passed;
    passed.push(stop.name);
  }
  throw new Error(`${name} is not reached: ${passed.join(', ')}`);
}

describe('with nothing but the keyboard', () => {
  test('a person signs in and approves; each stop is marked', async () => {
    const [app, person] = await Promise.all([stage().app(), stage().person()]);
    const requested = await stage().request(app);
    const tab = await stage().tab(DESKTOP);
    await tab.open(stage().pageFor(requested));
    expect(await tabTo(tab, 'Screen name')).toEqual([]);
    await tab.page.keyboard.type(person.screen_name);
    expect(await tabTo(tab, 'Password')).toEqual([]);
    await tab.page.keyboard.type(person.password);
    await tab.strike('Enter');
    expect(await tab.heading()).toBe(`Authorize ${app.name} to use your account?`);
    expect(await tabTo(tab, 'Authorize app')).toEqual(['Not you?']);
    await tab.strike('Enter');
    await stage().arriveWithToken(tab, app, requested);
  });

  test('a wrong password leaves the person in the field where they go on typing', async () => {
    const person = await stage().person();
    const tab = await stage().tab(DESKTOP);
    await tab.open(stage().at('/sign-in'));
    await tabTo(tab, 'Screen name');
    await tab.page.keyboard.type(person.screen_name);
    await tabTo(tab, 'Password');
    await tab.page.keyboard.type('not the password');
    await tab.strike('Enter');
    await tab.waitForFocusOn('password');
    expect(await tab.describing(tab.field('Password'))).toContain('do not belong together');
    await tab.page.keyboard.type(person.password);
    await tab.strike('Enter');
    expect(await tab.heading()).toBe('Settings');
  });

  test('a person cancels', async () => {
    const app = await stage().app();
    const requested = await stage().request(app);
    const tab = await stage().tab(DESKTOP);
    await tab.open(stage().pageFor(requested));
    expect(await tabTo(tab, 'Cancel')).toEqual(['Screen name', 'Password', 'Sign in']);
    await tab.strike('Enter');
    expect(tab.url).toBe(`${stage().site.callback}?denied=${requested.token}`);
  });

  test('the first stop in the settings skips to the content', async () => {
    const owner = await stage().person();
    const app = await stage().app({}, owner);
    const tab = await stage().tab(DESKTOP);
    await tab.open(stage().at('/sign-in'));
    await tab.signIn(owner);
    expect(await tabTo(tab, 'Skip to the content')).toEqual([]);
    await tab.page.keyboard.press('Enter');
    await tab.page.waitForURL('**#main');
    expect(await tabTo(tab, app.name)).toEqual([]);
    await tab.strike('Enter');
    expect(await tab.heading()).toBe(app.name);
  });

  test('an owner reaches each setting, chooses, and opens what is folded', async () => {
    const app = await stage().app({ access_level: 'write', sign_in_enabled: false });
    const tab = await stage().tab(DESKTOP);
    await tab.open(stage().at('/sign-in'));
    await tab.signIn(stage().owner);
    await tab.open(stage().at(`/settings/apps/${app.id}`));
    await tabTo(tab, 'Read and write');
    await tab.page.keyboard.press('ArrowUp');
    await tabTo(tab, 'Sign-in');
    await tab.page.keyboard.press('Space');
    await tabTo(tab, 'Save settings');
    await tab.strike('Enter');
    expect(await stage().world.identity.apps.get(app.id)).toMatchObject({
      access_level: 'read',
      sign_in_enabled: true,
    });
    await tabTo(tab, 'Regenerate key and secret');
    await tab.page.keyboard.press('Enter');
    expect(await tabTo(tab, 'Regenerate key and secret now')).toEqual([]);
    await tab.strike('Enter');
    expect(await tab.heading()).toBe(`New keys of ${app.name}`);
  });
});

/** A person signs in to an app with their account, at `GET /oauth/authenticate`; one who has approved it before is not asked again. */
import { describe, expect, test } from 'vitest';
import { DESKTOP, twoDevices } from './devices.ts';
import { type Account, type OwnedApp, type PageName, useStage } from './stage.ts';
import type { Tab } from './visitor.ts';

const stage = useStage();

/** An app comes with a person for the first time. */
async function approve(tab: Tab, app: OwnedApp, person: Account, access?: 'read'): Promise<void> {
  const requested = await stage().request(app, stage().site.callback, access);
  await tab.open(stage().pageFor(requested, 'authenticate'));
  await tab.signIn(person);
  expect(await tab.heading(), 'the first time').toBe(question(app));
  await tab.press('Authorize app');
  await stage().arriveWithToken(tab, app, requested);
}

/** The app sends the person again. */
async function comeAgain(tab: Tab, app: OwnedApp, page: PageName = 'authenticate', more: Record<string, string> = {}) {
  const requested = await stage().request(app);
  await tab.open(stage().pageFor(requested, page, more));
  return requested;
}

const question = ({ name }: OwnedApp) => `Authorize ${name} to use your account?`;

describe.each(twoDevices)('%s', (_name, device) => {
  test('the second time the person goes straight to the app, and is asked where the app wants to be authorized', async () => {
    const [app, person] = await Promise.all([stage().app({ sign_in_enabled: true }), stage().person()]);
    const tab = await stage().tab(device);
    await approve(tab, app, person);
    const requested = await comeAgain(tab, app);
    expect(await stage().arriveWithToken(tab, app, requested)).toMatchObject({ user_id: person.id });
    await comeAgain(tab, app, 'authorize');
    expect(await tab.heading()).toBe(question(app));
  });

  test('force_login keeps the person here until the password was given, and no longer', async () => {
    const [app, person] = await Promise.all([stage().app({ sign_in_enabled: true }), stage().person()]);
    const tab = await stage().tab(device);
    await approve(tab, app, person);
    const requested = await comeAgain(tab, app, 'authenticate', { force_login: 'true' });
    expect(await tab.heading()).toBe('Sign in');
    await tab.signIn({ ...person, password: 'not the password' });
    expect(tab.status).toBe(401);
    await tab.signIn(person);
    expect(await stage().arriveWithToken(tab, app, requested)).toMatchObject({ user_id: person.id });
  });

  test('somebody else in the same browser is asked', async () => {
    const [app, person, other] = await Promise.all([
      stage().app({ sign_in_enabled: true }),
      stage().person(),
      stage().person(),
    ]);
    const tab = await stage().tab(device);
    await approve(tab, app, person);
    await comeAgain(tab, app, 'authenticate', { force_login: 'true' });
    await tab.signIn(other);
    expect(await tab.heading()).toBe(question(app));
    expect(await tab.text()).toContain(`@${other.screen_name}`);
  });
});

describe('the person is asked again', () => {
  test('by an app without the sign-in setting', async () => {
    const [app, person] = await Promise.all([stage().app({ sign_in_enabled: false }), stage().person()]);
    const tab = await stage().tab(DESKTOP);
    await approve(tab, app, person);
    await comeAgain(tab, app);
    expect(await tab.heading()).toBe(question(app));
  });

  test('by an app that wants more than it was given', async () => {
    const [app, person] = await Promise.all([stage().app({ sign_in_enabled: true }), stage().person()]);
    const tab = await stage().tab(DESKTOP);
    await approve(tab, app, person, 'read');
    const wider = await comeAgain(tab, app);
    expect(await tab.heading()).toBe(question(app));
    await tab.press('Authorize app');
    const access = await stage().arriveWithToken(tab, app, wider);
    expect((await stage().write(app, access)).status).toBe(200);
    await stage().arriveWithToken(tab, app, await comeAgain(tab, app));
  });

  test('by an app whose access they took back', async () => {
    const [app, person] = await Promise.all([stage().app({ sign_in_enabled: true }), stage().person()]);
    const tab = await stage().tab(DESKTOP);
    await approve(tab, app, person);
    await tab.open(stage().at('/settings'));
    await tab.press(`Revoke access of ${app.name}`);
    await comeAgain(tab, app);
    expect(await tab.heading()).toBe(question(app));
  });

  test('by an app that shows a PIN', async () => {
    const [app, person] = await Promise.all([stage().app({ sign_in_enabled: true }), stage().person()]);
    const tab = await stage().tab(DESKTOP);
    await approve(tab, app, person);
    await tab.open(stage().pageFor(await stage().request(app, 'oob'), 'authenticate'));
    expect(await tab.heading()).toBe(question(app));
  });
});

/** Pages for requests, forms and passwords that are no longer valid. */
import { describe, expect, test } from 'vitest';
import { DESKTOP, twoDevices } from './devices.ts';
import { useStage } from './stage.ts';
import type { Tab } from './visitor.ts';

const stage = useStage();
const MINUTE = 60_000;

const NO_LONGER = 'This request is no longer valid';
const STALE = 'This form cannot be used any more';

async function expectRejected(tab: Tab, heading: string): Promise<void> {
  expect([tab.status, await tab.heading()]).toEqual([403, heading]);
  expect(await tab.page.getByRole('button').count(), 'there is nothing to press').toBe(0);
}

describe.each(twoDevices)('%s', (_name, device) => {
  test('a request that has lapsed is rejected, on opening and on deciding', async () => {
    const [app, person] = await Promise.all([stage().app(), stage().person()]);
    const requested = await stage().request(app);
    const visitor = await stage().visitor(device);
    const [late, open] = [await visitor.tab(), await visitor.tab()];
    await open.open(stage().pageFor(requested));
    await open.signIn(person);
    await stage().clock.later(15 * MINUTE, async () => {
      await late.open(stage().pageFor(requested));
      await expectRejected(late, NO_LONGER);
      await open.press('Authorize app');
      await expectRejected(open, NO_LONGER);
    });
    expect(await stage().world.identity.tokens.approvalsOf(person.id)).toEqual([]);
  });

  test('a request that was approved in one tab is rejected in the other, and opened again', async () => {
    const [app, person] = await Promise.all([stage().app(), stage().person()]);
    const requested = await stage().request(app);
    const visitor = await stage().visitor(device);
    const [first, second] = [await visitor.tab(), await visitor.tab()];
    await first.open(stage().pageFor(requested));
    await first.signIn(person);
    await second.open(stage().pageFor(requested));
    await first.press('Authorize app');
    await second.press('Authorize app');
    await expectRejected(second, NO_LONGER);
    await second.open(stage().pageFor(requested));
    await expectRejected(second, NO_LONGER);
    expect(await stage().arriveWithToken(first, app, requested), 'the first keeps what it got').toMatchObject({
      user_id: person.id,
    });
    await first.back();
    await expectRejected(first, NO_LONGER);
  });

  test('a question that was open while the person signed out elsewhere cannot be answered any more', async () => {
    const [app, person] = await Promise.all([stage().app(), stage().person()]);
    const requested = await stage().request(app);
    const visitor = await stage().visitor(device);
    const [question, settings] = [await visitor.tab(), await visitor.tab()];
    await question.open(stage().pageFor(requested));
    await question.signIn(person);
    await settings.open(stage().at('/settings'));
    await settings.press('Sign out');
    await question.press('Authorize app');
    await expectRejected(question, STALE);
    await question.open(stage().pageFor(requested));
    expect(await question.heading(), 'the request waits for who signs in').toBe('Sign in');
  });

  test('a sign-in form that a browser has forgotten about asks for nothing more', async () => {
    const person = await stage().person();
    const visitor = await stage().visitor(device);
    const tab = await visitor.tab();
    await tab.open(stage().at('/sign-in'));
    await visitor.forget();
    await tab.signIn(person);
    await expectRejected(tab, STALE);
    await tab.open(stage().at('/sign-in'));
    await tab.signIn(person);
    expect(await tab.heading()).toBe('Settings');
  });

  test('a person who has typed too many wrong passwords must wait, even with the right one, and can then sign in', async () => {
    const person = await stage().person();
    const tab = await stage().tab(device);
    await tab.open(stage().at('/sign-in'));
    const csrf = await tab.page.locator('input[name=csrf]').inputValue();
    const form = { csrf, screen_name: person.screen_name, password: 'a guess' };
    for (let guess = 0; guess < 10; guess++) {
      const answer = await tab.page.request.post(stage().at('/sign-in'), { form });
      expect(answer.status()).toBe(401);
    }
    await tab.signIn(person);
    expect(tab.status).toBe(429);
    expect(await tab.text()).toContain('There were too many attempts. Try again in 15 minutes.');
    await tab.waitForFocusOn('password');
    await stage().clock.later(15 * MINUTE, async () => {
      await tab.field('Password').fill(person.password);
      await tab.press('Sign in');
      expect(await tab.heading()).toBe('Settings');
    });
  });
});

describe('on any device', () => {
  test('a request that nobody made is rejected', async () => {
    const tab = await stage().tab(DESKTOP);
    await tab.open(stage().at('/oauth/authorize?oauth_token=nobody-made-this'));
    await expectRejected(tab, NO_LONGER);
  });

  test('an address without a request says what is missing', async () => {
    const tab = await stage().tab(DESKTOP);
    await tab.open(stage().at('/oauth/authorize'));
    expect(tab.status).toBe(400);
    expect(await tab.text()).toContain('oauth_token');
  });

  test('a request that was cancelled is rejected', async () => {
    const app = await stage().app();
    const requested = await stage().request(app);
    const tab = await stage().tab(DESKTOP);
    await tab.open(stage().pageFor(requested));
    await tab.press('Cancel');
    await tab.open(stage().pageFor(requested));
    await expectRejected(tab, NO_LONGER);
  });

  test('of two people who approve one request at the same moment in two browsers, one does', async () => {
    const [app, ...people] = await Promise.all([stage().app(), stage().person(), stage().person()]);
    const requested = await stage().request(app);
    const tabs = await Promise.all(
      people.map(async (person) => {
        const tab = await stage().tab(DESKTOP);
        await tab.open(stage().pageFor(requested));
        await tab.signIn(person);
        return tab;
      }),
    );
    await Promise.all(tabs.map((tab) => tab.press('Authorize app')));
    const arrived = tabs.findIndex(({ url }) => url.startsWith(stage().site.callback));
    const [winner, loser] = arrived === 0 ? tabs : tabs.toReversed();
    if (!winner || !loser) throw new TypeError('there are two tabs');
    await expectRejected(loser, NO_LONGER);
    expect(await stage().arriveWithToken(winner, app, requested)).toMatchObject({ user_id: people[arrived]?.id });
  });

  test('an app that was suspended meanwhile gets nothing', async () => {
    const [app, person] = await Promise.all([stage().app(), stage().person()]);
    const tab = await stage().tab(DESKTOP);
    await tab.open(stage().pageFor(await stage().request(app)));
    await tab.signIn(person);
    await stage().suspend(app);
    await tab.press('Authorize app');
    await expectRejected(tab, 'This app is suspended');
  });

  test('a form of another site approves nothing, whoever presses its button', async () => {
    const [app, person] = await Promise.all([stage().app(), stage().person()]);
    const requested = await stage().request(app);
    const tab = await stage().tab(DESKTOP);
    await tab.open(stage().at('/sign-in'));
    await tab.signIn(person);
    await tab.open(stage().site.trapFor(stage().at('/oauth/authorize'), requested.token));
    await tab.press('Win a prize');
    await expectRejected(tab, STALE);
    await tab.open(stage().pageFor(requested));
    expect(await tab.heading(), 'nothing was decided').toBe(`Authorize ${app.name} to use your account?`);
  });

  test('no page is shown in a frame of another site', async () => {
    const app = await stage().app();
    const tab = await stage().tab(DESKTOP);
    const paths = ['/sign-in', `/oauth/authorize?oauth_token=${(await stage().request(app)).token}`];
    for (const path of paths) {
      await tab.open(stage().site.frameOf(stage().at(path)));
      expect(await tab.page.frameLocator('iframe').getByText('Sign in').count()).toBe(0);
    }
    const complaint = expect.stringContaining('frame-ancestors');
    expect(await stage().dismiss()).toEqual(paths.map(() => complaint));
  });
});

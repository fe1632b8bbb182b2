/** A person decides on what an app asks, at `GET /oauth/authorize`. */
import { describe, expect, test } from 'vitest';
import { DESKTOP, everyDevice, twoDevices } from './devices.ts';
import { useStage } from './stage.ts';

const stage = useStage();

describe.each(everyDevice)('%s', (_name, device) => {
  test('a person signs in, sees what is asked, approves, and the app can use the account', async () => {
    const [app, person] = await Promise.all([stage().app(), stage().person()]);
    const requested = await stage().request(app);
    const tab = await stage().tab(device);
    await tab.open(stage().pageFor(requested));
    expect(await tab.heading()).toBe('Sign in');
    expect(await tab.text()).toContain(`${app.name} asks for access to your account`);

    await tab.signIn({ ...person, password: 'not the password' });
    expect(tab.status).toBe(401);
    expect(await tab.text()).toContain('do not belong together');
    expect(await tab.field('Screen name').inputValue()).toBe(person.screen_name);
    expect(await tab.field('Password').inputValue()).toBe('');
    await tab.waitForFocusOn('password');

    await tab.field('Password').fill(person.password);
    await tab.press('Sign in');
    expect(await tab.heading()).toBe(`Authorize ${app.name} to use your account?`);
    const text = await tab.text();
    expect(text).toContain('An app by @maker');
    expect(text).toContain(`You are signed in as ${person.name} @${person.screen_name}`);
    expect(text).toContain(`You go on to ${new URL(stage().site.callback).host} afterwards`);

    await tab.press('Authorize app');
    const access = await stage().arriveWithToken(tab, app, requested);
    expect(access).toMatchObject({ user_id: person.id, screen_name: person.screen_name });
    expect(await stage().call(app, access)).toMatchObject({ status: 200 });
  });
});

describe.each(twoDevices)('%s', (_name, device) => {
  test('a person who cancels goes back to the app, which learns of it', async () => {
    const [app, person] = await Promise.all([stage().app(), stage().person()]);
    const tab = await stage().tab(device);
    const requested = await stage().request(app);
    await tab.open(stage().pageFor(requested));
    await tab.signIn(person);
    await tab.press('Cancel');
    expect(tab.url).toBe(`${stage().site.callback}?denied=${requested.token}`);
    await expect(stage().exchange(app, requested, 'anything')).rejects.toThrow('401');
  });

  test('a PIN has seven digits, and works as the verifier', async () => {
    const [app, person] = await Promise.all([stage().app(), stage().person()]);
    const tab = await stage().tab(device);
    const requested = await stage().request(app, 'oob');
    await tab.open(stage().pageFor(requested));
    await tab.signIn(person);
    expect(await tab.text()).toContain(`you get a PIN to type into ${app.name}`);
    await tab.press('Authorize app');
    expect(tab.status).toBe(200);
    expect(await tab.heading()).toBe(`Enter this PIN in ${app.name}`);
    const pin = (await tab.page.locator('#pin').textContent()) ?? '';
    expect(pin).toMatch(/^\d{7}$/);
    const access = await stage().exchange(app, requested, pin);
    expect(await stage().call(app, access)).toMatchObject({ status: 200 });
  });

  test('a person who cancels before signing in goes back to the app, and sends it no password', async () => {
    const app = await stage().app();
    const tab = await stage().tab(device);
    const requested = await stage().request(app);
    await tab.open(stage().pageFor(requested));
    await tab.field('Screen name').fill('somebody');
    await tab.field('Password').fill('a secret that stays here');
    const sent = tab.page.waitForRequest((request) => request.method() === 'POST');
    await tab.press('Cancel');
    expect((await sent).postData()).not.toContain('secret');
    expect(tab.url).toBe(`${stage().site.callback}?denied=${requested.token}`);
  });

  test('a PIN that is not wanted is not made', async () => {
    const [app, person] = await Promise.all([stage().app(), stage().person()]);
    const tab = await stage().tab(device);
    await tab.open(stage().pageFor(await stage().request(app, 'oob')));
    await tab.signIn(person);
    await tab.press('Cancel');
    expect(tab.status).toBe(200);
    expect(await tab.heading()).toBe(`${app.name} has no access`);
    expect(await tab.text()).not.toMatch(/\d{7}/);
    expect(await stage().world.identity.tokens.approvalsOf(person.id)).toEqual([]);
  });

  test('a person who is somebody else signs out, in as themselves, and approves for their own account', async () => {
    const [app, person, other] = await Promise.all([stage().app(), stage().person(), stage().person()]);
    const visitor = await stage().visitor(device);
    const [tab, settings] = [await visitor.tab(), await visitor.tab()];
    const requested = await stage().request(app);
    await tab.open(stage().pageFor(requested));
    await tab.signIn(other);
    await tab.press('Not you?');
    expect(await tab.heading()).toBe('Sign in');
    await settings.open(stage().at('/settings'));
    expect(await settings.heading(), 'nobody is signed in meanwhile').toBe('Sign in');
    expect(await tab.field('Screen name').inputValue()).toBe('');
    await tab.signIn(person);
    expect(await tab.text()).toContain(`You are signed in as ${person.name} @${person.screen_name}`);
    await tab.press('Authorize app');
    expect(await stage().arriveWithToken(tab, app, requested)).toMatchObject({ user_id: person.id });
  });

  test('a person who is signed in is asked at once, each time', async () => {
    const [app, person] = await Promise.all([stage().app({ sign_in_enabled: true }), stage().person()]);
    const tab = await stage().tab(device);
    await tab.open(stage().pageFor(await stage().request(app)));
    await tab.signIn(person);
    await tab.press('Authorize app');
    const requested = await stage().request(app);
    await tab.open(stage().pageFor(requested));
    expect(await tab.heading()).toBe(`Authorize ${app.name} to use your account?`);
    await tab.press('Authorize app');
    await stage().arriveWithToken(tab, app, requested);
  });

  test('force_login asks for the password of somebody who is signed in, and fills in the name that the app gives', async () => {
    const [app, person, other] = await Promise.all([stage().app(), stage().person(), stage().person()]);
    const tab = await stage().tab(device);
    await tab.open(stage().at('/sign-in'));
    await tab.signIn(other);
    const requested = await stage().request(app);
    const { screen_name } = person;
    await tab.open(stage().pageFor(requested, 'authorize', { force_login: 'true', screen_name }));
    expect(await tab.heading()).toBe('Sign in');
    expect(await tab.text()).toContain(`You are signed in as @${other.screen_name}.`);
    expect(await tab.field('Screen name').inputValue()).toBe(screen_name);
    await tab.field('Password').fill(other.password);
    await tab.press('Sign in');
    expect(tab.status, 'the password of somebody else').toBe(401);
    await tab.field('Password').fill(person.password);
    await tab.press('Sign in');
    await tab.press('Authorize app');
    expect(await stage().arriveWithToken(tab, app, requested)).toMatchObject({ user_id: person.id });
  });

  test('an app from another site finds the person signed in', async () => {
    const [app, person] = await Promise.all([stage().app(), stage().person()]);
    const tab = await stage().tab(device);
    await tab.open(stage().at('/sign-in'));
    await tab.signIn(person);
    await tab.open(stage().site.linkTo(stage().pageFor(await stage().request(app))));
    await tab.follow('Sign in');
    expect(await tab.heading()).toBe(`Authorize ${app.name} to use your account?`);
  });
});

describe('what is asked', () => {
  const SPENDS = 'Create, change, pause and delete campaigns, which spends the money of those accounts';

  test.each([
    ['that may write and asks for it', 'write', undefined, true],
    ['that may write and asks to read', 'write', 'read', false],
    ['that may only read', 'read', undefined, false],
  ] as const)(
    'is shown as it is, of an app %s; the token can do no more',
    async (_name, access_level, asks, writes) => {
      const [app, person] = await Promise.all([stage().app({ access_level }), stage().person()]);
      const tab = await stage().tab(DESKTOP);
      const requested = await stage().request(app, stage().site.callback, asks);
      await tab.open(stage().pageFor(requested));
      await tab.signIn(person);
      const may = await tab.listUnder(`${app.name} will be able to`);
      const mayNot = await tab.listUnder('It will not be able to');
      expect(may.includes(SPENDS)).toBe(writes);
      expect(mayNot.includes('Change or publish anything, or spend money')).toBe(!writes);
      expect(mayNot).toContain('See or change your password');
      await tab.press('Authorize app');
      const access = await stage().arriveWithToken(tab, app, requested);
      expect((await stage().write(app, access)).status).toBe(writes ? 200 : 403);
    },
  );

  test('names the app, its owner and the person as they are, whatever characters they have', async () => {
    const name = '<b>Ledger</b> & “co” \u202egnp';
    const app = await stage().app({ name, description: '<script>alert(1)</script>' });
    const person = await stage().person();
    const tab = await stage().tab(DESKTOP);
    await tab.open(stage().pageFor(await stage().request(app)));
    await tab.signIn(person);
    expect(await tab.heading()).toBe(`Authorize ${name} to use your account?`);
    expect(await tab.text()).toContain('<script>alert(1)</script>');
    expect(await tab.page.locator('script, b b').count()).toBe(0);
  });
});

describe('the way back', () => {
  test.each(twoDevices)('may move on to another host, %s', async (_name, device) => {
    const callback = stage().site.callbackThatMoves;
    const [app, person] = await Promise.all([stage().app({ callback_urls: [callback] }), stage().person()]);
    const tab = await stage().tab(device);
    await tab.open(stage().pageFor(await stage().request(app, callback)));
    await tab.signIn(person);
    await tab.press('Authorize app');
    expect(await tab.heading()).toBe('You are back');
    expect(new URL(tab.url).hostname).toBe('localhost');
    await tab.open(stage().pageFor(await stage().request(app, callback)));
    await tab.press('Cancel');
    expect(await tab.heading()).toBe('You are back');
  });

  test('keeps the parameters that the callback has', async () => {
    const callback = stage().site.callbackWithQuery;
    const [app, person] = await Promise.all([stage().app({ callback_urls: [callback] }), stage().person()]);
    const tab = await stage().tab(DESKTOP);
    const requested = await stage().request(app, callback);
    await tab.open(stage().pageFor(requested));
    await tab.signIn(person);
    await tab.press('Authorize app');
    const { searchParams } = new URL(tab.url);
    expect(tab.url).toBe(
      `${callback}&oauth_token=${requested.token}&oauth_verifier=${searchParams.get('oauth_verifier')}`,
    );
  });

  test.each(twoDevices)('may be an app on the device, %s', async (_name, device) => {
    const callback = 'ledgerapp://oauth/done?from=here';
    const [app, person] = await Promise.all([stage().app({ callback_urls: [callback] }), stage().person()]);
    const tab = await stage().tab(device);
    const requested = await stage().request(app, callback);
    await tab.open(stage().pageFor(requested));
    await tab.signIn(person);
    expect(await tab.text()).toContain('Your device opens the app for ledgerapp: addresses afterwards');
    const target = await tab.pressToLeave('Authorize app');
    expect(target).toContain(`${callback}&oauth_token=${requested.token}&oauth_verifier=`);
    const verifier = new URL(target).searchParams.get('oauth_verifier') ?? '';
    await stage().exchange(app, requested, verifier);
  });
});

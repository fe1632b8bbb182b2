/** Settings of a signed-in person: revoking access, managing their own apps, signing out. */
import { describe, expect, test } from 'vitest';
import { DESKTOP, twoDevices } from './devices.ts';
import { type OwnedApp, useStage } from './stage.ts';
import type { Device, Tab } from './visitor.ts';

const stage = useStage();

/** The owner of the apps, in front of the page of one. */
async function ownerAt(app: OwnedApp, device: Device): Promise<Tab> {
  const tab = await stage().tab(device);
  await tab.open(stage().at('/sign-in'));
  await tab.signIn(stage().owner);
  await tab.follow(app.name);
  return tab;
}

describe.each(twoDevices)('%s', (_name, device) => {
  test('a person sees the apps that they approved, and takes the access of one back at once', async () => {
    const [app, other, person] = await Promise.all([stage().app(), stage().app(), stage().person()]);
    const tab = await stage().tab(device);
    const approve = async (asking: OwnedApp, signIn: boolean) => {
      const requested = await stage().request(asking);
      await tab.open(stage().pageFor(requested));
      if (signIn) await tab.signIn(person);
      await tab.press('Authorize app');
      return stage().arriveWithToken(tab, asking, requested);
    };
    const [token, kept] = [await approve(app, true), await approve(other, false)];
    await tab.open(stage().at('/settings'));
    expect(await tab.text()).toMatch(new RegExp(`${app.name} By @maker, authorized on \\d+ \\w+ \\d{4}`));

    await tab.press(`Revoke access of ${app.name}`);
    expect(await tab.text()).toContain(`${app.name} has no access to your account any more.`);
    await tab.page.locator('[role=status]:focus').waitFor();
    expect(await tab.button(`Revoke access of ${app.name}`).count()).toBe(0);
    expect(await tab.button(`Revoke access of ${other.name}`).count()).toBe(1);
    expect(await stage().call(app, token)).toMatchObject({ status: 401 });
    const rejected = await stage().invalidate(app, token);
    expect([rejected.status, rejected.body]).toEqual([401, expect.stringContaining('"code":89')]);
    expect(await stage().call(other, kept)).toMatchObject({ status: 200 });
  });

  test('an owner changes the settings of an app, and people are asked accordingly', async () => {
    const app = await stage().app({ access_level: 'read' });
    const tab = await ownerAt(app, device);
    expect(await tab.heading()).toBe(app.name);
    const name = `${app.name} & Söhne`;
    const second = `${stage().site.callback}/second`;
    await tab.field('Name').fill(name);
    await tab.field('Description').fill('Plans campaigns.\nAnd posts.');
    await tab.field('Callback URLs').fill(`${stage().site.callback}\n${second}`);
    await tab.field('Read and write').check();
    await tab.field('Sign-in').check();
    await tab.press('Save settings');
    expect(await tab.text()).toContain('The settings are saved.');
    await tab.page.locator('[role=status]:focus').waitFor();
    expect(await stage().world.identity.apps.get(app.id)).toMatchObject({
      name,
      description: 'Plans campaigns.\nAnd posts.',
      callback_urls: [stage().site.callback, second],
      access_level: 'write',
      sign_in_enabled: true,
      oob_enabled: true,
    });
    const requested = await stage().request(app, second);
    await tab.open(stage().pageFor(requested));
    expect(await tab.heading()).toBe(`Authorize ${name} to use your account?`);
    await tab.press('Authorize app');
    expect(tab.url).toContain(`${second}?oauth_token=${requested.token}&oauth_verifier=`);
  });

  test('a wrong callback is reported at its field, and no input is lost or saved', async () => {
    const app = await stage().app();
    const tab = await ownerAt(app, device);
    const typed = {
      name: `${app.name} anew`,
      urls: `javascript:alert(1)\nhttps://app.example.com/#here`,
      words: 'New words',
    };
    await tab.field('Name').fill(typed.name);
    await tab.field('Description').fill(typed.words);
    await tab.field('Callback URLs').fill(typed.urls);
    await tab.field('PIN').uncheck();
    await tab.field('Sign-in').check();
    await tab.press('Save settings');
    expect(tab.status).toBe(400);
    expect(await tab.page.title()).toContain('Error: ');
    await tab.page.locator('[role=alert]:focus').waitFor();
    expect(await tab.text()).toContain('Please correct 2 errors');

    const box = tab.field('Callback URLs');
    expect(await box.getAttribute('aria-invalid')).toBe('true');
    const told = await tab.describing(box);
    expect(told).toContain('javascript:alert(1) has the scheme javascript:, which is not allowed');
    expect(told).toContain('has a fragment');
    expect(await tab.field('Name').getAttribute('aria-invalid')).toBeNull();
    expect(await tab.field('Name').inputValue()).toBe(typed.name);
    expect(await tab.field('Description').inputValue()).toBe(typed.words);
    expect(await box.inputValue()).toBe(typed.urls);
    expect(await tab.field('PIN').isChecked()).toBe(false);
    expect(await tab.field('Sign-in').isChecked()).toBe(true);
    expect(await stage().world.identity.apps.get(app.id)).toMatchObject({ name: app.name, oob_enabled: true });

    await tab.page.getByRole('link', { name: 'has a fragment' }).click();
    await tab.waitForFocusOn('callback_urls');
    await box.fill(stage().site.callback);
    await tab.press('Save settings');
    expect(await tab.text()).toContain('The settings are saved.');
    expect(await stage().world.identity.apps.get(app.id)).toMatchObject({ name: typed.name, oob_enabled: false });
  });

  test('new keys are shown once, work at once, and the old ones no longer', async () => {
    const app = await stage().app();
    const tab = await ownerAt(app, device);
    await tab.page.getByText('Regenerate key and secret', { exact: true }).click();
    await tab.press('Regenerate key and secret now');
    expect(await tab.heading()).toBe(`New keys of ${app.name}`);
    const [consumer_key = '', consumer_secret = ''] = await tab.page.locator('dd code').allTextContents();
    await stage().request({ consumer_key, consumer_secret });
    await expect(stage().request(app)).rejects.toThrow('401');
    await tab.follow('I have copied both');
    expect(await tab.text()).toContain(consumer_key);
    expect(await tab.page.content()).not.toContain(consumer_secret);
  });

  test('a person gives identifiers, is told which are none, and takes them back', async () => {
    const person = await stage().person();
    const tab = await stage().tab(device);
    await tab.open(stage().at('/sign-in'));
    await tab.signIn(person);
    const typed = {
      'E-mail address': 'Nora Finch',
      'Telephone numbers': '+1 (500) 555-0100\n\n555 0101',
      Devices: 'AF3802A465767E36',
    };
    for (const [label, value] of Object.entries(typed)) await tab.field(label).fill(value);
    await tab.press('Save');
    expect(tab.status).toBe(400);
    expect(await tab.page.title()).toContain('Error: ');
    await tab.page.locator('[role=alert]:focus').waitFor();
    expect(await tab.text()).toContain('Please correct 2 errors');
    expect(await tab.describing(tab.field('E-mail address'))).toContain('Expected one e-mail address');
    expect(await tab.describing(tab.field('Telephone numbers'))).toMatch(/Line 3: .*country is missing/s);
    for (const [label, value] of Object.entries(typed)) expect(await tab.field(label).inputValue()).toBe(value);
    const { users } = stage().world.identity;
    expect(await users.identifiers(person.id)).toEqual({ email: null, phone_numbers: [], devices: [] });

    await tab.field('E-mail address').fill(' Nora.Finch@Example.com ');
    await tab.field('Telephone numbers').fill('+1 (500) 555-0100');
    await tab.press('Save');
    expect(await tab.text()).toContain('Your e-mail address, telephone numbers and devices are saved.');
    await tab.page.locator('[role=status]:focus').waitFor();
    expect(await users.identifiers(person.id)).toEqual({
      email: 'nora.finch@example.com',
      phone_numbers: ['+15005550100'],
      devices: ['af3802a465767e36'],
    });
    expect(await tab.field('E-mail address').inputValue()).toBe('nora.finch@example.com');

    for (const label of Object.keys(typed)) await tab.field(label).fill('');
    await tab.press('Save');
    expect(await users.identifiers(person.id)).toEqual({ email: null, phone_numbers: [], devices: [] });
  });

  test('a person who has signed out is asked to sign in, and Back shows nothing of theirs', async () => {
    const app = await stage().app({ name: `Private ${device.size}` });
    const tab = await ownerAt(app, device);
    await tab.open(stage().at('/settings'));
    await tab.press('Sign out');
    expect(await tab.heading()).toBe('You are signed out');
    for (const _ of ['the list', 'the app', 'the list again']) {
      await tab.back();
      expect(await tab.heading()).toBe('Sign in');
      expect(await tab.page.content()).not.toContain(app.name);
    }
    await tab.open(stage().at(`/settings/apps/${app.id}`));
    expect(await tab.heading()).toBe('Sign in');
  });
});

test('the app of another looks as if it were not there', async () => {
  const [app, person] = await Promise.all([stage().app(), stage().person()]);
  const tab = await stage().tab(DESKTOP);
  await tab.open(stage().at('/sign-in'));
  await tab.signIn(person);
  for (const id of [app.id, '1']) {
    await tab.open(stage().at(`/settings/apps/${id}`));
    expect([tab.status, await tab.heading()]).toEqual([404, 'There is no such app']);
  }
});

test("an owner takes the app's bearer token out of use", async () => {
  const app = await stage().app();
  const before = await stage().bearerToken(app);
  const tab = await ownerAt(app, DESKTOP);
  await tab.page.getByText('Revoke bearer token', { exact: true }).click();
  await tab.press('Revoke bearer token now');
  expect(await tab.text()).toContain('The bearer token is revoked.');
  expect(await stage().bearerToken(app)).not.toBe(before);
});

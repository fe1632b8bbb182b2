/**
 * Every page as the server sends it, by what a person does to see it: no error that a checker of accessibility knows, in light
 * and dark, narrow and wide, and with letters of twice the size.
 */
import { expect, test } from 'vitest';
import {
  accountOf,
  deleteDraft,
  notifyOf,
  writeDraft,
} from '../../../apps/server/src/adapters/pages/testing/sent-drafts.ts';
import { DESKTOP } from './devices.ts';
import { inspect } from './inspect.ts';
import { useStage } from './stage.ts';
import type { Tab } from './visitor.ts';

const stage = useStage();
const ACTOR = { user_id: null, platform: 'SERVER' } as const;

/** A walk, and the pages at which it stops. */
type Walk = (tab: Tab, look: (name: string) => Promise<void>) => Promise<void>;

/** Takes a walk. The errors of all pages are reported together, so that one does not hide the others. */
async function take(walk: Walk): Promise<void> {
  const tab = await stage().tab(DESKTOP);
  const errors: Record<string, readonly string[]> = {};
  await walk(tab, async (name) => {
    const found = await inspect(tab.page, name);
    if (found.length > 0) errors[name] = found;
  });
  expect(errors).toEqual({});
}

/** Names and addresses that leave no room. */
const wide = (last: string) => last.padStart(32, 'W');
const LONG = {
  description: `${'Unbreakable'.repeat(12)} and then some words that can be broken, up to its end.`,
  address: `https://app.example.com/${'a-very-long-path-without-an-end/'.repeat(8)}`,
};

const walks: Readonly<Record<string, Walk>> = {
  async 'the pages of notifications'(tab, look) {
    const person = await stage().person();
    const { world } = stage();
    const account = await accountOf(world, person.id);
    const preview = async (text: string) => {
      const draft = await writeDraft(world, account, person.id, text);
      return { draft, id: await notifyOf(world, person.id, account, draft, text) };
    };
    await tab.open(stage().at('/sign-in'));
    await tab.signIn(person);
    await tab.open(stage().at('/notifications'));
    await look('notifications, none');
    const gone = await preview(`${'Unbreakable'.repeat(7)} and more`);
    await preview('');
    await preview('مسودة: كتب لأمسيات الخريف');
    await tab.open(stage().at(`/notifications/${gone.id}`));
    await look('notification, draft with a long word');
    await deleteDraft(world, account, gone.draft);
    await tab.open(stage().at(`/notifications/${gone.id}`));
    await look('notification, draft is gone');
    const source = { author_id: person.id, source: 'Test', lang: 'en' };
    await world.posts.create(ACTOR, { ...source, text: 'The harbour shelf is full again: https://books.example.com/' });
    const { id } = await preview(
      'Books for autumn evenings, from the shelf by the harbour. https://books.example.com/autumn',
    );
    await tab.open(stage().at(`/notifications/${id}`));
    await look('notification, draft on a timeline');
    await tab.open(stage().at('/notifications'));
    await preview('Books for autumn evenings, second idea');
    await tab.page.locator('#news .banner').waitFor();
    await look('notifications, with a banner');
    await tab.open(stage().at('/settings'));
    await look('settings, with unread notifications');
  },

  async 'the pages of signing in'(tab, look) {
    const [app, person] = await Promise.all([stage().app({ name: wide('1') }), stage().person()]);
    await tab.open(stage().at('/sign-in'));
    await look('sign-in');
    const requested = await stage().request(app);
    await tab.open(stage().pageFor(requested));
    await look('sign-in for an app');
    await tab.signIn({ ...person, password: 'not the password' });
    await look('sign-in rejected');
    await tab.signIn(person);
    await tab.open(stage().pageFor(requested, 'authorize', { force_login: 'true' }));
    await look('sign-in forced');
  },

  async 'a throttled sign-in'(tab, look) {
    const person = await stage().person();
    await tab.open(stage().at('/sign-in'));
    const csrf = await tab.page.locator('input[name=csrf]').inputValue();
    const form = { csrf, screen_name: person.screen_name, password: 'a guess' };
    for (let guess = 0; guess < 10; guess++) await tab.page.request.post(stage().at('/sign-in'), { form });
    await tab.signIn(person);
    expect(tab.status).toBe(429);
    await look('sign-in throttled');
  },

  async 'the pages of approving'(tab, look) {
    const plain = await stage().app({ callback_urls: [stage().site.callback, 'ledgerapp://done'] });
    const reading = await stage().app({ name: 'مكتب الحملات', description: '', access_level: 'read' });
    const long = await stage().app({ name: wide('2'), description: LONG.description });
    await tab.open(stage().pageFor(await stage().request(plain)));
    await tab.signIn(await stage().person());
    await look('consent to write');
    await tab.open(stage().pageFor(await stage().request(reading)));
    await look('consent to read, from right to left');
    await tab.open(stage().pageFor(await stage().request(plain, 'ledgerapp://done')));
    await look('consent for an app on the device');
    await tab.open(stage().pageFor(await stage().request(long, 'oob')));
    await look('consent for a PIN, long');
    await tab.press('Authorize app');
    await look('PIN');
    const requested = await stage().request(plain, 'oob');
    await tab.open(stage().pageFor(requested));
    await tab.press('Cancel');
    await look('cancelled');
    await tab.open(stage().pageFor(requested));
    expect(tab.status).toBe(403);
    await look('error of a request');
  },

  async 'the errors'(tab, look) {
    const app = await stage().app();
    await tab.open(stage().at('/oauth/authorize'));
    expect(tab.status).toBe(400);
    await look('error of an address');
    const requested = await stage().request(app);
    await stage().suspend(app);
    await tab.open(stage().pageFor(requested));
    expect(tab.status).toBe(403);
    await look('error of a suspended app');
    await tab.open(stage().site.trapFor(stage().at('/sign-in'), requested.token));
    await tab.press('Win a prize');
    expect(tab.status).toBe(403);
    await look('error of a form');
  },

  async 'the settings of a person'(tab, look) {
    const [app, long, person] = await Promise.all([
      stage().app(),
      stage().app({ name: wide('3'), description: LONG.description, access_level: 'read' }),
      stage().person(),
    ]);
    await tab.open(stage().at('/sign-in'));
    await tab.signIn(person);
    await look('settings, empty');
    for (const asking of [app, long]) {
      const requested = await stage().request(asking);
      await tab.open(stage().pageFor(requested));
      await tab.press('Authorize app');
      await stage().arriveWithToken(tab, asking, requested);
    }
    await stage().app({ name: wide('4') }, person);
    await tab.open(stage().at('/settings'));
    await look('settings');
    await tab.press(`Revoke access of ${app.name}`);
    await look('settings, revoked');
    await tab.field('E-mail address').fill(wide('6'));
    await tab.field('Telephone numbers').fill('555 0100\n'.repeat(11));
    await tab.field('Devices').fill(LONG.description);
    await tab.press('Save');
    expect(tab.status).toBe(400);
    await look('settings, rejected');
    await tab.press('Sign out');
    await look('signed out');
  },

  async 'the settings of an app'(tab, look) {
    const owner = await stage().person();
    const app = await stage().app({ callback_urls: [stage().site.callback, LONG.address] }, owner);
    await tab.open(stage().at('/sign-in'));
    await tab.signIn(owner);
    await tab.follow(app.name);
    await look('app');
    await tab.field('Name').fill(wide('5').repeat(2));
    await tab.field('Description').fill(LONG.description.repeat(2));
    await tab.field('Callback URLs').fill(`javascript:alert(1)\n${LONG.address}#${LONG.description}`);
    await tab.press('Save settings');
    expect(tab.status).toBe(400);
    await look('app, rejected');
    await tab.open(stage().at(`/settings/apps/${app.id}`));
    await tab.press('Save settings');
    for (const summary of ['Regenerate key and secret', 'Revoke bearer token'])
      await tab.page.getByText(summary, { exact: true }).click();
    await look('app, saved and unfolded');
    await stage().suspend(app);
    await tab.press('Revoke bearer token now');
    await look('app, suspended');
    await tab.page.getByText('Regenerate key and secret', { exact: true }).click();
    await tab.press('Regenerate key and secret now');
    await look('new keys');
    await tab.open(stage().at('/settings/apps/1'));
    expect(tab.status).toBe(404);
    await look('error of an app');
  },
};

test.each(Object.entries(walks))('%s', (_name, walk) => take(walk));

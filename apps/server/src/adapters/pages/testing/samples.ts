/** Every page in each of its states, for tests and for looking at the pages. */
import { type AppPageView, appPage } from '../app-page.ts';
import { cancelledPage, errorPage, signedOutPage } from '../closing-pages.ts';
import { type ConsentView, consentPage } from '../consent-page.ts';
import { newKeysPage } from '../new-keys-page.ts';
import { notificationsPage } from '../notifications/notifications-page.ts';
import { pinPage } from '../pin-page.ts';
import { settingsPage } from '../settings-page.ts';
import { type SignInView, signInPage } from '../sign-in-page.ts';

/** Transforms each text before it is rendered: the identity, or the input that a test wants to try. */
export type Say = (text: string) => string;

/** A page in one state. */
export interface Sample {
  readonly name: string;
  /** Each text that comes from a request or a store is passed through `say`. */
  readonly render: (say: Say) => string;
  /** Shows notifications that come in. */
  readonly live?: true;
}

const description = 'Plans, books and reports campaigns for small shops along the coast.';
const long = {
  name: 'Donaudampfschifffahrtskapitaen32',
  description: `${'Everything that a harbour needs, from the first draft to the last invoice, in one place. '.repeat(3).slice(0, 199)}.`,
};

function signIn(say: Say): SignInView {
  return { csrf: say('c5rf'), action: '/sign-in', hidden: { return_to: say('/settings') } };
}

function signInForApp(say: Say): SignInView {
  return {
    csrf: say('c5rf'),
    action: '/oauth/authorize',
    hidden: { oauth_token: say('Vb3kQ') },
    screen_name: say('harbourbooks'),
    app: { name: say('Campaign desk') },
  };
}

const harbourbooks = { screen_name: 'harbourbooks', name: 'Harbour Books' };
const desk = { name: 'Campaign desk', description, owner_screen_name: 'deskmakers' };

function consent(say: Say, app = desk, user = harbourbooks): ConsentView {
  const { name, owner_screen_name } = app;
  return {
    csrf: say('c5rf'),
    action: '/oauth/authorize',
    oauth_token: say('Vb3kQ'),
    app: { name: say(name), description: say(app.description), owner_screen_name: say(owner_screen_name) },
    user: { screen_name: say(user.screen_name), name: say(user.name) },
    access_level: 'write',
    destination: { kind: 'url', host: 'desk.example' },
  };
}

const standing = {
  name: desk.name,
  description,
  callback_urls: ['https://desk.example/oauth/callback', 'http://127.0.0.1:8080/callback'],
  frame_origins: ['https://desk.example'],
  suspended: false,
};

function app(say: Say, facts: typeof standing): AppPageView {
  return {
    csrf: say('c5rf'),
    user: { screen_name: say('deskmakers') },
    app: {
      id: say('1503831318555086'),
      name: say(facts.name),
      description: facts.description && say(facts.description),
      callback_urls: facts.callback_urls.map(say),
      frame_origins: facts.frame_origins.map(say),
      sign_in_enabled: true,
      oob_enabled: false,
      access_level: 'write',
      suspended: facts.suspended,
      consumer_key: say('x0hQ2mT7vB4nR9cL1sKd5wYzP'),
      created_at: say('2026-03-14T09:26:53Z'),
    },
  };
}

const notified = {
  user_id: '1',
  environment: 'sandbox',
  account_id: '18ce54d4x5t',
  draft_post_id: '7',
  created_ms: Date.UTC(2026, 2, 14, 9, 26),
} as const;

/** All samples. */
export const samples: readonly Sample[] = [
  {
    name: 'notifications',
    live: true,
    render: (say) =>
      notificationsPage({
        reader: { screen_name: say('harbourbooks'), csrf: say('c5rf'), news: { unread: 1, latest: 12 } },
        notifications: [
          { ...notified, id: 12, title: say('Books for autumn evenings'), read_ms: null },
          { ...notified, id: 9, title: '', environment: 'production', read_ms: notified.created_ms },
        ],
        older: 9,
        isFirst: true,
      }),
  },
  {
    name: 'notifications, none',
    live: true,
    render: (say) =>
      notificationsPage({
        reader: { screen_name: say('harbourbooks'), csrf: say('c5rf'), news: { unread: 0, latest: 0 } },
        notifications: [],
        older: null,
        isFirst: true,
      }),
  },
  { name: 'sign-in', render: (say) => signInPage(signIn(say)) },
  { name: 'sign-in-for-app', render: (say) => signInPage(signInForApp(say)) },
  { name: 'sign-in-wrong', render: (say) => signInPage({ ...signInForApp(say), problem: { kind: 'wrong' } }) },
  {
    name: 'sign-in-throttled',
    render: (say) => signInPage({ ...signIn(say), problem: { kind: 'throttled', retry_after_s: 340 } }),
  },
  { name: 'sign-in-suspended', render: (say) => signInPage({ ...signIn(say), problem: { kind: 'suspended' } }) },
  { name: 'sign-in-stale', render: (say) => signInPage({ ...signIn(say), problem: { kind: 'stale' } }) },
  {
    name: 'sign-in-again',
    render: (say) => signInPage({ ...signInForApp(say), signed_in_as: say('harbourbooks') }),
  },
  {
    name: 'consent-write',
    render: (say) => consentPage({ ...consent(say), destination: { kind: 'url', host: say('desk.example') } }),
  },
  {
    name: 'consent-read-pin',
    render: (say) => consentPage({ ...consent(say), access_level: 'read', destination: { kind: 'pin' } }),
  },
  {
    name: 'consent-long',
    render: (say) =>
      consentPage({
        ...consent(
          say,
          { ...long, owner_screen_name: 'm'.repeat(15) },
          { screen_name: 'w'.repeat(15), name: 'Wolfeschlegelsteinhausenbergerdorff and Daughters' },
        ),
        destination: { kind: 'url', host: say(`${'very-long-name-of-a-host.'.repeat(6)}example:8443`) },
      }),
  },
  {
    name: 'consent-rtl',
    render: (say) =>
      consentPage({
        ...consent(
          say,
          { ...desk, name: 'مكتب الحملات', description: 'خطط حملاتك وتابع نتائجها من مكان واحد.' },
          { screen_name: 'minato', name: '港の本屋' },
        ),
        destination: { kind: 'scheme', scheme: say('campaign-desk') },
      }),
  },
  {
    name: 'pin',
    render: (say) => pinPage({ pin: say('0418273'), app: { name: say('Campaign desk') }, valid_for_s: 900 }),
  },
  { name: 'cancelled', render: (say) => cancelledPage({ app: { name: say('Campaign desk') } }) },
  { name: 'signed-out', render: () => signedOutPage() },
  {
    name: 'error-token',
    render: (say) =>
      errorPage({
        status: 403,
        title: say('This request has expired'),
        message: say('The app asked for access too long ago, or you have answered already.'),
        hint: say('Go back to the app and start again.'),
      }),
  },
  {
    name: 'error-server',
    render: (say) =>
      errorPage({
        status: 500,
        title: say('Something went wrong'),
        message: say('The fault is ours. Try again in a while.'),
      }),
  },
  {
    name: 'settings',
    render: (say) =>
      settingsPage({
        csrf: say('c5rf'),
        user: { screen_name: say('harbourbooks'), name: say('Harbour Books') },
        approved: [
          {
            app_id: say('1503831318555086'),
            name: say('Campaign desk'),
            description: say(description),
            owner_screen_name: say('deskmakers'),
            access_level: 'write',
            approved_at: say('2026-03-14T09:26:53Z'),
          },
          {
            app_id: say('1503831318555087'),
            name: say(long.name),
            description: say(long.description),
            owner_screen_name: say('m'.repeat(15)),
            access_level: 'read',
            approved_at: say('2025-12-01T00:00:00Z'),
          },
          {
            app_id: say('1503831318555088'),
            name: say('مكتب الحملات'),
            description: '',
            owner_screen_name: say('maktab'),
            access_level: 'read',
            approved_at: say('2025-01-31T00:00:00Z'),
          },
        ],
        owned: [
          { id: say('1503831318555090'), name: say('Tide table'), access_level: 'read' },
          { id: say('1503831318555091'), name: say('潮見表'), access_level: 'write' },
        ],
        identifiers: {
          email: say('hello@harborbooks.example.com'),
          phone_numbers: say('+13605550110\n+13605550111'),
          devices: say('4b61639e-47cc-4056-a16a-c8217e029462'),
        },
        notice: { kind: 'done', text: say('Ledger no longer has access to your account.') },
      }),
  },
  {
    name: 'settings-rejected',
    render: (say) =>
      settingsPage({
        csrf: say('c5rf'),
        user: { screen_name: say('harbourbooks'), name: say('Harbour Books') },
        approved: [],
        owned: [],
        identifiers: { email: say('harbour books'), phone_numbers: '', devices: say('\niPhone') },
        errors: [
          { field: 'email', message: say('Expected one e-mail address.') },
          { field: 'devices', message: say('Line 2: Expected an advertising id with dashes.') },
        ],
      }),
  },
  {
    name: 'settings-empty',
    render: (say) =>
      settingsPage({
        csrf: say('c5rf'),
        user: { screen_name: say('harbourbooks'), name: say('Harbour Books') },
        approved: [],
        owned: [],
        identifiers: { email: '', phone_numbers: '', devices: '' },
      }),
  },
  { name: 'app', render: (say) => appPage(app(say, standing)) },
  {
    name: 'app-saved',
    render: (say) =>
      appPage({
        ...app(say, {
          ...long,
          callback_urls: Array.from(
            { length: 10 },
            (_, index) =>
              `https://region-${index}.campaign-desk.example/accounts/oauth/callback?tenant=harbour&step=${index}`,
          ),
          frame_origins: [],
          suspended: true,
        }),
        notice: { kind: 'done', text: say('The settings are saved.') },
      }),
  },
  {
    name: 'app-refused',
    render: (say) =>
      appPage({
        ...app(say, { ...standing, description: '', callback_urls: [], frame_origins: [] }),
        values: {
          name: '',
          description: say(description),
          callback_urls: say('javascript:alert(1)\nhttps://desk.example/oauth/callback'),
          frame_origins: say('desk.example'),
          sign_in_enabled: false,
          oob_enabled: true,
          access_level: 'read',
        },
        errors: [
          { field: 'name', message: say('The name must have 1 to 32 characters.') },
          { field: 'callback_urls', message: say('Line 1: addresses of this scheme are not allowed.') },
        ],
      }),
  },
  {
    name: 'new-keys',
    render: (say) =>
      newKeysPage({
        csrf: say('c5rf'),
        user: { screen_name: say('deskmakers') },
        app: { id: say('1503831318555086'), name: say('Campaign desk') },
        consumer_key: say('x0hQ2mT7vB4nR9cL1sKd5wYzP'),
        consumer_secret: say('7Yw1mVc0Xr3nQk8Jt5Zb2Hs9Lf4Gd6Pa0Ue1Oi3Mx5Bn7Cv9K'),
      }),
  },
];

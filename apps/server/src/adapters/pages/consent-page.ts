import type { AccessLevel } from '@broadside/core/resources/apps';
import { button, form } from './design/form.ts';
import { type Html, html } from './design/html.ts';
import { at, named, nameOf } from './design/identity.ts';
import { layout } from './design/layout.ts';
import { marked, sheet } from './design/sheet.ts';
import { isolated } from './design/words.ts';

/** Destination after the decision. */
export type Destination =
  | { readonly kind: 'url'; readonly host: string }
  /** A native app: the scheme of its callback, without a colon. */
  | { readonly kind: 'scheme'; readonly scheme: string }
  | { readonly kind: 'pin' };

/** Content of the consent page. */
export interface ConsentView {
  readonly csrf: string;
  /** Action URL of the form. */
  readonly action: string;
  readonly oauth_token: string;
  readonly app: { readonly name: string; readonly description: string; readonly owner_screen_name: string };
  readonly user: { readonly screen_name: string; readonly name: string };
  /** Access level the app would get: the lower of the one it may request and the one it requested. */
  readonly access_level: AccessLevel;
  readonly destination: Destination;
}

const may = {
  read: [
    'Read your profile and your posts',
    'See the advertising accounts that you can use, with their campaigns, spending and results',
  ],
  write: [
    'Read your profile and your posts',
    'See the advertising accounts that you can use, with their campaigns, spending and results',
    html`Create, change, pause and delete campaigns, which <strong>spends the money</strong> of those accounts`,
    'Create ads, and posts in your name',
  ],
} as const;

const mayNot = {
  read: [
    'See or change your password',
    'Change or publish anything, or spend money',
    'See accounts that you cannot see yourself',
  ],
  write: [
    'See or change your password',
    'Do more on an account than you are permitted to do yourself',
    'Approve or revoke other apps',
  ],
} as const;

/** Asks whether an app may use the account. Its form sends `decision`: `approve`, `cancel`, or `switch` for another account. */
export function consentPage(view: ConsentView): string {
  const { csrf, action, oauth_token, app, user, access_level, destination } = view;
  const hidden = { oauth_token, csrf };
  const name = nameOf(app.name);
  return layout(
    {
      title: `Authorize ${isolated(app.name)}`,
      width: 'narrow',
      footnote: 'You can take this access back at any time in your settings.',
    },
    sheet(html`<div class="title">${named(
      'app',
      app.name,
      html`<h1>Authorize ${name} to use your account?</h1><p class="soft">An app by ${at(app.owner_screen_name)}</p>`,
    )}</div>
${app.description && html`<p>${nameOf(app.description)}</p>`}
<div class="account">${named(
      'person',
      user.name,
      html`<p class="small soft">You are signed in as</p><p><strong>${nameOf(user.name)}</strong> ${at(user.screen_name)}</p>`,
    )}${form({ action, hidden }, button({ label: 'Not you?', emphasis: 'quiet', name: 'decision', value: 'switch' }))}</div>
<div class="part"><h2>${name} will be able to</h2>${marked('may', may[access_level])}</div>
<div class="part"><h2>It will not be able to</h2>${marked('not', mayNot[access_level])}</div>
<div class="part"><p>${afterwards(destination, name)}</p>
${form(
  { action, hidden, class: 'actions' },
  html`${button({ label: 'Authorize app', emphasis: 'primary', name: 'decision', value: 'approve' })}${button({
    label: 'Cancel',
    name: 'decision',
    value: 'cancel',
  })}`,
)}</div>`),
  );
}

function afterwards(destination: Destination, name: Html): Html {
  switch (destination.kind) {
    case 'url':
      return html`You go on to <strong><bdi dir="ltr">${destination.host}</bdi></strong> afterwards, whatever you decide.`;
    case 'scheme':
      return html`Your device opens the app for <code>${destination.scheme}:</code> addresses afterwards, whatever you decide.`;
    case 'pin':
      return html`If you authorize it, you get a PIN to type into ${name}. Go on only if you have started this in the app
yourself.`;
  }
}

import type { AccessLevel } from '@broadside/core/resources/apps';
import { accessLevelNames } from './access-level.ts';
import { href } from './design/address.ts';
import { checkbox, choices, radioGroup, textField } from './design/field.ts';
import { button, form } from './design/form.ts';
import { type Html, html } from './design/html.ts';
import { icon } from './design/icons.ts';
import { nameOf } from './design/identity.ts';
import { layout, type News } from './design/layout.ts';
import { errorSummary, type FieldError, type Notice, notice } from './design/notice.ts';
import { facts, folded, section, sheet } from './design/sheet.ts';
import { dayOf, isolated } from './design/words.ts';
import { paths } from './paths.ts';

/** An app as its owner sees it. */
interface AppView {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly callback_urls: readonly string[];
  readonly frame_origins: readonly string[];
  readonly sign_in_enabled: boolean;
  readonly oob_enabled: boolean;
  readonly access_level: AccessLevel;
  readonly suspended: boolean;
  readonly consumer_key: string;
  /** In the wire format. */
  readonly created_at: string;
}

/** Submitted form values. `callback_urls` and `frame_origins` are the raw texts of the text areas. */
export interface AppValues {
  readonly name: string;
  readonly description: string;
  readonly callback_urls: string;
  readonly frame_origins: string;
  readonly sign_in_enabled: boolean;
  readonly oob_enabled: boolean;
  readonly access_level: AccessLevel;
}

/** A field of the form. */
export type AppField = keyof AppValues;

/** Content of the app settings page. */
export interface AppPageView {
  readonly csrf: string;
  readonly news?: News | undefined;
  readonly user: { readonly screen_name: string };
  readonly app: AppView;
  /** Submitted values, when they were rejected. */
  readonly values?: AppValues | undefined;
  readonly errors?: readonly FieldError<AppField>[] | undefined;
  readonly notice?: Notice | undefined;
}

/** Renders the settings of an app, for its owner. */
export function appPage(view: AppPageView): string {
  const { csrf, user, app, errors = [] } = view;
  const values = view.values ?? {
    ...app,
    callback_urls: app.callback_urls.join('\n'),
    frame_origins: app.frame_origins.join('\n'),
  };
  return layout(
    {
      title: `${errors.length > 0 ? 'Error: ' : ''}Settings of ${isolated(app.name)}`,
      width: 'wide',
      signed_in: { screen_name: user.screen_name, csrf, news: view.news },
    },
    html`<nav class="back" aria-label="Back"><a${href(paths.settings)}>${icon('back')}Settings</a></nav>
<div class="title open"><h1>${nameOf(app.name)}</h1><p class="soft">Created on <time datetime="${app.created_at}">${dayOf(app.created_at)}</time></p></div>
${errors.length > 0 && errorSummary(errors)}
${view.notice && notice(view.notice.kind, view.notice.text, { takesFocus: errors.length === 0 })}
${app.suspended && notice('warning', 'This app is suspended: nobody can authorize it, and its tokens are rejected. Only the operator of this platform can lift that.')}
${sheet(form({ action: paths.app(app.id), hidden: { csrf }, class: 'stack' }, fields(values, errors)))}
${section('keys', 'Keys', keys(app, csrf))}
${section('bearer', 'Bearer token', bearer(app, csrf))}`,
  );
}

function fields(values: AppValues, errors: readonly FieldError<AppField>[]): Html {
  const messagesFor = (field: AppField) =>
    errors.filter((error) => error.field === field).map(({ message }) => message);
  return html`<h2>Settings</h2>
${textField({
  name: 'name',
  label: 'Name',
  hint: 'People see it when they are asked for access. 1 to 32 characters.',
  value: values.name,
  errors: messagesFor('name'),
  control: { type: 'text', autocomplete: 'off', required: true, dir: 'auto' },
})}
${textField({
  name: 'description',
  label: 'Description',
  hint: 'What the app does for those who authorize it. Up to 200 characters; may be empty.',
  value: values.description,
  rows: 3,
  errors: messagesFor('description'),
  control: { autocomplete: 'off', dir: 'auto' },
})}
${textField({
  name: 'callback_urls',
  label: 'Callback URLs',
  hint: html`One on each line, up to 10. The <code>oauth_callback</code> of a request must be exactly one of them, with the same
slash at the end. For development write <code>http://127.0.0.1</code> rather than <code>localhost</code>.`,
  value: values.callback_urls,
  rows: Math.min(12, Math.max(4, values.callback_urls.split('\n').length + 1)),
  errors: messagesFor('callback_urls'),
  control: { autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false', dir: 'ltr', class: 'code' },
})}
${textField({
  name: 'frame_origins',
  label: 'Sites that show previews of posts',
  hint: html`One on each line, up to 10, such as <code>https://desk.example.com</code>. Nobody else may show the previews that the app
asks for in a frame. If it is empty, any site may.`,
  value: values.frame_origins,
  rows: Math.min(8, Math.max(2, values.frame_origins.split('\n').length + 1)),
  errors: messagesFor('frame_origins'),
  control: { autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false', dir: 'ltr', class: 'code' },
})}
${radioGroup({
  name: 'access_level',
  label: 'What the app may do',
  hint: 'No access that people give goes beyond this.',
  chosen: values.access_level,
  errors: messagesFor('access_level'),
  options: [
    { value: 'read', label: accessLevelNames.read, hint: 'See posts, accounts, campaigns and results.' },
    { value: 'write', label: accessLevelNames.write, hint: 'Also create and change them, which spends money.' },
  ],
})}
${choices('How people authorize it', [
  checkbox({
    name: 'sign_in_enabled',
    label: 'Sign-in',
    hint: 'People who have authorized the app before are not asked again when it signs them in.',
    checked: values.sign_in_enabled,
  }),
  checkbox({
    name: 'oob_enabled',
    label: 'PIN',
    hint: html`For apps that no browser can return to. They send <code>oob</code> as the callback, and people type a PIN of 7
digits into the app.`,
    checked: values.oob_enabled,
  }),
])}
<div class="actions">${button({ label: 'Save settings', emphasis: 'primary' })}</div>`;
}

function keys({ id, consumer_key }: AppView, csrf: string): Html {
  return html`${facts([['Consumer key', html`<code translate="no">${consumer_key}</code>`]])}
<p class="soft">The consumer secret is shown when it is made, and never again. If it is lost or somebody else has seen it, make new keys.</p>
${folded(
  'Regenerate key and secret',
  html`<p>The present key and secret stop working <strong>at once</strong>. Wherever the app runs, its requests are rejected until it has
the new ones.</p>${form(
    { action: paths.appKeys(id), hidden: { csrf } },
    button({ label: 'Regenerate key and secret now', emphasis: 'danger' }),
  )}`,
)}`;
}

function bearer({ id }: AppView, csrf: string): Html {
  return html`<p class="soft">The app uses it to read what is public, without a person. There is one at a time.</p>
${folded(
  'Revoke bearer token',
  html`<p>Requests with the present token are rejected <strong>at once</strong>. The app gets another one when it asks for it.</p>${form(
    { action: paths.appBearer(id), hidden: { csrf } },
    button({ label: 'Revoke bearer token now', emphasis: 'danger' }),
  )}`,
)}`;
}

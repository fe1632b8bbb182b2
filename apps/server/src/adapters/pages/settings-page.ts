import type { App } from '@broadside/core/resources/apps';
import type { Approval } from '../../identity/access-tokens.ts';
import { accessLevel } from './access-level.ts';
import { href } from './design/address.ts';
import { button, form } from './design/form.ts';
import { type Html, html } from './design/html.ts';
import { at, named, nameOf } from './design/identity.ts';
import { layout, type News } from './design/layout.ts';
import { errorSummary, type FieldError, type Notice, notice } from './design/notice.ts';
import { rows, section } from './design/sheet.ts';
import { dayOf } from './design/words.ts';
import { type IdentifiersField, type IdentifierValues, identifiersForm } from './identifiers-form.ts';
import { paths } from './paths.ts';

/** Summary of an app owned by the person. */
type OwnedApp = Pick<App, 'id' | 'name' | 'access_level'>;

/** Content of the settings page. */
export interface SettingsView {
  readonly csrf: string;
  readonly news?: News | undefined;
  readonly user: { readonly screen_name: string; readonly name: string };
  readonly approved: readonly Approval[];
  readonly owned: readonly OwnedApp[];
  /** As stored, or as submitted when they were rejected. */
  readonly identifiers: IdentifierValues;
  readonly errors?: readonly FieldError<IdentifiersField>[] | undefined;
  readonly notice?: Notice | undefined;
}

/** Renders the apps that a person has approved, each with a form to revoke it, the apps that they own, and their identifiers. */
export function settingsPage(view: SettingsView): string {
  const { csrf, user, approved, owned, errors = [] } = view;
  return layout(
    {
      title: `${errors.length > 0 ? 'Error: ' : ''}Settings`,
      width: 'wide',
      signed_in: { screen_name: user.screen_name, csrf, news: view.news },
    },
    html`<div class="title open"><h1>Settings</h1><p class="soft">${nameOf(user.name)} ${at(user.screen_name)}</p></div>
${errors.length > 0 && errorSummary(errors)}
${view.notice && notice(view.notice.kind, view.notice.text, { takesFocus: true })}
${section(
  'approved',
  'Apps with access to your account',
  html`${approved.length > 0 && html`<p class="soft">An app whose access you revoke is locked out at once. It can ask you again.</p>`}${rows(
    approved.map((app) => approvedRow(app, csrf)),
    'No app has access to your account.',
  )}`,
)}
${section('owned', 'Your own apps', rows(owned.map(ownedRow), 'You own no apps. The operator of this platform creates them.'))}
${section('identifiers', 'E-mail, telephone and devices', identifiersForm({ csrf, values: view.identifiers, errors }))}`,
  );
}

function approvedRow(app: Approval, csrf: string): Html {
  const { app_id, name, description, owner_screen_name, access_level, approved_at } = app;
  const label = html`Revoke access<span class="hidden"> of ${nameOf(name)}</span>`;
  return html`${named(
    'app',
    name,
    html`<h3>${nameOf(name)}</h3><p class="small soft">By ${at(owner_screen_name)}, authorized on <time datetime="${approved_at}">${dayOf(approved_at)}</time></p>${
      description && html`<p class="small">${nameOf(description)}</p>`
    }<p class="small">${accessLevel(access_level)}</p>`,
  )}${form({ action: paths.revoke, hidden: { app_id, csrf } }, button({ label, emphasis: 'danger' }))}`;
}

function ownedRow({ id, name, access_level }: OwnedApp): Html {
  return named(
    'app',
    name,
    html`<h3><a${href(paths.app(id))}>${nameOf(name)}</a></h3><p class="small">${accessLevel(access_level)}</p>`,
  );
}

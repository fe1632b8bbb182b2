/** Apps that a person has approved, apps that they own, and the identifiers that they gave. */
import { ApiError, type Issue, readParams } from '@broadside/core';
import { type App, appSettings, checkCallbackUrls, checkFrameOrigins } from '@broadside/core/resources/apps';
import type { FastifyReply } from 'fastify';
import type * as z from 'zod';
import type { Actor } from '../../db/change-log.ts';
import { NameTakenError } from '../../identity/identity-writes.ts';
import { type AppField, type AppPageView, type AppValues, appPage } from './app-page.ts';
import type { ErrorView } from './closing-pages.ts';
import type { FieldError, Notice } from './design/notice.ts';
import { identifierValues, readIdentifiersForm, sentIdentifiers } from './identifiers.ts';
import { newKeysPage } from './new-keys-page.ts';
import { paths } from './paths.ts';
import { type SettingsView, settingsPage } from './settings-page.ts';
import { PageError, type Person, type Visit } from './visit.ts';

/** Handler of a route for signed-in users. */
export type PersonalRoute = (visit: Visit, person: Person) => Promise<FastifyReply>;

/** Requires a signed-in user and, for a form, a valid CSRF token. */
export async function personally(visit: Visit, route: PersonalRoute): Promise<FastifyReply> {
  const person = await visit.person();
  const isForm = visit.request.method === 'POST';
  if (isForm) visit.requireOwnForm(person);
  return person ? route(visit, person) : visit.redirect(paths.signIn);
}

/** `GET /settings`. */
export const showSettings: PersonalRoute = (visit, person) => renderSettings(visit, person);

async function renderSettings(
  visit: Visit,
  person: Person,
  more: Partial<Pick<SettingsView, 'identifiers' | 'errors' | 'notice'>> = {},
  status = 200,
): Promise<FastifyReply> {
  const { identity } = visit.world;
  const [approved, owned, identifiers, { news }] = await Promise.all([
    identity.tokens.approvalsOf(person.user_id),
    identity.apps.ownedBy(person.user_id),
    identity.users.identifiers(person.user_id).then(identifierValues),
    visit.reader(person),
  ]);
  const view = { csrf: visit.csrf(person), news, user: person, approved, owned, identifiers, ...more };
  return visit.page(settingsPage(view), { status, live: true });
}

/** `POST /settings/identifiers`. */
export const changeIdentifiers: PersonalRoute = async (visit, person) => {
  const sent = sentIdentifiers(visit.form);
  const { identifiers, errors } = readIdentifiersForm(sent);
  if (errors.length > 0) return renderSettings(visit, person, { identifiers: sent, errors }, 400);
  await visit.world.identity.users.update(actorOf(person), person.user_id, identifiers);
  const notice: Notice = { kind: 'done', text: 'Your e-mail address, telephone numbers and devices are saved.' };
  return renderSettings(visit, person, { notice });
};

/** `POST /settings/revoke`. */
export const revokeApproval: PersonalRoute = async (visit, person) => {
  const { identity } = visit.world;
  const app_id = visit.form.get('app_id') ?? '';
  const app = await identity.apps.get(app_id);
  const revoked = await identity.tokens.revokeApproval(actorOf(person), person.user_id, app_id);
  const text =
    revoked && app ? `${app.name} has no access to your account any more.` : 'That app had no access any more.';
  return renderSettings(visit, person, { notice: { kind: 'done', text } });
};

/** `GET /settings/apps/:id`. */
export const showApp: PersonalRoute = async (visit, person) => renderApp(visit, person, await ownApp(visit, person));

/** `POST /settings/apps/:id`. */
export const changeApp: PersonalRoute = async (visit, person) => {
  const app = await ownApp(visit, person);
  const values = readValues(visit.form);
  const { changes, errors } = readChanges(values);
  if (errors.length > 0) return renderApp(visit, person, app, { values, errors }, 400);
  try {
    const changed = await visit.world.identity.apps.update(actorOf(person), app.id, changes);
    return renderApp(visit, person, changed ?? app, { notice: { kind: 'done', text: 'The settings are saved.' } });
  } catch (error) {
    if (!(error instanceof NameTakenError)) throw error;
    const errors: FieldError<AppField>[] = [
      { field: 'name', message: 'Another app has this name. Choose a different one.' },
    ];
    return renderApp(visit, person, app, { values, errors }, 409);
  }
};

/** `POST /settings/apps/:id/keys`. */
export const regenerateKeys: PersonalRoute = async (visit, person) => {
  const { id } = await ownApp(visit, person);
  const app = await visit.world.identity.apps.regenerateKeys(actorOf(person), id);
  if (!app) throw new PageError(NO_APP);
  const { consumer_key, consumer_secret } = app;
  return visit.page(newKeysPage({ csrf: visit.csrf(person), user: person, app, consumer_key, consumer_secret }));
};

/** `POST /settings/apps/:id/bearer`. */
export const revokeBearer: PersonalRoute = async (visit, person) => {
  const app = await ownApp(visit, person);
  const revoked = await visit.world.bearerTokens.invalidateOf(actorOf(person), app.id);
  const text = revoked ? 'The bearer token is revoked.' : 'The app has no bearer token at present.';
  return renderApp(visit, person, app, { notice: { kind: 'done', text } });
};

const NO_APP: ErrorView = {
  status: 404,
  title: 'There is no such app',
  message: 'You own no app with this address.',
};

/** Returns an app of the user; another user's app is treated as missing. @throws PageError */
async function ownApp(visit: Visit, person: Person): Promise<App> {
  const { params } = visit.request;
  const id = typeof params === 'object' && params !== null && 'id' in params ? String(params.id) : '';
  const app = await visit.world.identity.apps.get(id);
  if (app?.owner_user_id === person.user_id) return app;
  throw new PageError(NO_APP);
}

async function renderApp(
  visit: Visit,
  person: Person,
  app: App,
  more: Pick<AppPageView, 'values' | 'errors' | 'notice'> = {},
  status = 200,
): Promise<FastifyReply> {
  const { csrf, news } = await visit.reader(person);
  return visit.page(appPage({ csrf, news, user: person, app, ...more }), { status, live: true });
}

function actorOf({ user_id }: Person): Actor {
  return { user_id, platform: 'WEB' };
}

function readValues(form: ReadonlyMap<string, string>): AppValues {
  return {
    name: form.get('name') ?? '',
    description: form.get('description') ?? '',
    callback_urls: form.get('callback_urls') ?? '',
    frame_origins: form.get('frame_origins') ?? '',
    // A box that is not checked is not sent.
    sign_in_enabled: form.has('sign_in_enabled'),
    oob_enabled: form.has('oob_enabled'),
    access_level: form.get('access_level') === 'write' ? 'write' : 'read',
  };
}

type Changes = z.output<typeof appSettings>;

/** Returns the changes, or the validation errors by field. */
function readChanges(values: AppValues): {
  readonly changes: Changes;
  readonly errors: readonly FieldError<AppField>[];
} {
  const callback_urls = linesOf(values.callback_urls);
  const frame_origins = linesOf(values.frame_origins);
  // Browsers send CRLF line endings.
  const description = values.description.replace(/\r\n/g, '\n').trim();
  const raw = { ...values, name: values.name.trim(), description, callback_urls, frame_origins };
  const { issues } = readParams(appSettings, raw);
  const faults = [...issues, ...checkCallbackUrls(callback_urls), ...checkFrameOrigins(frame_origins)];
  const errors = faults.map(fieldErrorOf);
  return { changes: raw, errors };
}

function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function fieldErrorOf(issue: Issue): FieldError<AppField> {
  const field = appFields.find((name) => name === issue.parameter) ?? 'name';
  const words: Partial<Record<AppField, string>> = {
    name: 'Give the app a name of 1 to 32 characters.',
    description: 'Describe the app in up to 200 characters.',
  };
  return { field, message: words[field] ?? issue.message ?? new ApiError(issue).message };
}

const appFields: readonly AppField[] = [
  'name',
  'description',
  'callback_urls',
  'frame_origins',
  'sign_in_enabled',
  'oob_enabled',
  'access_level',
];

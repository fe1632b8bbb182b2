/**
 * `GET /oauth/authorize` and `GET /oauth/authenticate`, and the forms on them: a person signs in, sees what an app asks for,
 * and approves or cancels (specification A, Authentication endpoints).
 */
import { type PageOperation, pageContract, readParams } from '@broadside/core';
import type { App } from '@broadside/core/resources/apps';
import { OUT_OF_BAND } from '@broadside/core/resources/apps';
import type { FastifyReply } from 'fastify';
import type { Throttle } from '../../auth/sign-in-throttle.ts';
import { REQUEST_TOKEN_MS, type WaitingToken } from '../../identity/request-tokens.ts';
import { approvedCallback, cancelledCallback } from '../../oauth/callback.ts';
import { cancelledPage, type ErrorView } from './closing-pages.ts';
import { consentPage, type Destination } from './consent-page.ts';
import { pinPage } from './pin-page.ts';
import { attemptSignIn } from './sign-in.ts';
import { type SignInProblem, signInPage } from './sign-in-page.ts';
import { PageError, type Person, type Visit } from './visit.ts';

/** The reference returns 403 for a token that is unknown or used; an expired one is treated alike. */
const NO_TOKEN: ErrorView = {
  status: 403,
  title: 'This request is no longer valid',
  message: 'The app sent you here with a request that is unknown, has been used, or is older than 15 minutes.',
  hint: 'Go back to the app and start again.',
};

/** Pending authorization request behind a request token that can still be decided. */
interface PendingAuthorization {
  readonly page: PageOperation;
  readonly oauth_token: string;
  readonly waiting: WaitingToken;
  readonly app: App;
}

/** Shows the next page: sign-in, the consent page, or the redirect for a user who approved before if the app wants that. */
export async function showAuthorization(visit: Visit, page: PageOperation): Promise<FastifyReply> {
  const { oauth_token, force_login, screen_name } = readPageParams(visit, page);
  const pending = await findPending(visit, page, oauth_token);
  const person = await visit.person();
  if (!person || force_login) return askSignIn(visit, pending, { screen_name, signed_in_as: person?.screen_name });
  return (await skipQuestion(visit, pending, person)) ?? ask(visit, pending, person);
}

/** Handles the submitted decision, or the submitted credentials. */
export async function decideAuthorization(
  visit: Visit,
  page: PageOperation,
  throttle: Throttle,
): Promise<FastifyReply> {
  const { form } = visit;
  const person = await visit.person();
  visit.requireOwnForm(person, { fromSignIn: form.has('password') || form.get('decision') === 'cancel' });
  const pending = await findPending(visit, page, form.get('oauth_token') ?? '');
  if (form.has('password')) return signIn(visit, pending, throttle);
  switch (form.get('decision')) {
    case 'cancel':
      return cancel(visit, pending);
    case 'switch':
      await visit.signOut();
      return askSignIn(visit, pending, {});
    case 'approve':
      return person ? approve(visit, pending, person) : askSignIn(visit, pending, { problem: { kind: 'stale' } });
    default:
      throw new PageError({
        status: 400,
        title: 'This form cannot be read',
        message: 'It says neither that the app is approved nor that it is not.',
      });
  }
}

interface PageParams {
  readonly oauth_token: string;
  readonly force_login: boolean;
  readonly screen_name: string | undefined;
}

function readPageParams(visit: Visit, page: PageOperation): PageParams {
  const { searchParams } = new URL(visit.request.raw.url ?? '/', 'http://invalid');
  const known = Object.keys(page.params.shape).filter((name) => searchParams.get(name));
  const raw = Object.fromEntries(known.map((name) => [name, searchParams.get(name)]));
  const { values, issues } = readParams(page.params, raw);
  const [issue] = issues;
  if (issue) {
    throw new PageError({
      status: 400,
      title: 'This address is not complete',
      message: issue.message ?? 'A parameter is wrong',
      hint: 'The app that sent you here made a mistake. Tell its owner what it says above.',
    });
  }
  const { oauth_token, force_login, screen_name } = values;
  return {
    oauth_token: String(oauth_token),
    force_login: force_login === true,
    screen_name: typeof screen_name === 'string' ? screen_name : undefined,
  };
}

/** @throws PageError when there is no pending request */
async function findPending(visit: Visit, page: PageOperation, oauth_token: string): Promise<PendingAuthorization> {
  const { requestTokens, identity } = visit.world;
  const waiting = await requestTokens.waiting(oauth_token);
  const app = waiting && (await identity.apps.get(waiting.app_id));
  if (!waiting || !app) throw new PageError(NO_TOKEN);
  if (app.suspended) {
    throw new PageError({
      status: 403,
      title: 'This app is suspended',
      message: `${app.name} may not ask for access at present.`,
    });
  }
  // The owner may have removed the callback URL from the settings since.
  const allowed = waiting.callback === OUT_OF_BAND ? app.oob_enabled : app.callback_urls.includes(waiting.callback);
  if (!allowed) throw new PageError(NO_TOKEN);
  return { page, oauth_token, waiting, app };
}

function askSignIn(
  visit: Visit,
  { page, oauth_token, waiting, app }: PendingAuthorization,
  view: { screen_name?: string | undefined; problem?: SignInProblem; signed_in_as?: string | undefined },
): FastifyReply {
  const { problem } = view;
  const status = problem?.kind === 'throttled' ? 429 : problem ? 401 : 200;
  if (problem?.kind === 'throttled') visit.retryAfter(problem.retry_after_s);
  return visit.page(
    signInPage({ ...view, csrf: visit.visitorCsrf(), action: page.http.path, hidden: { oauth_token }, app }),
    { status, formEndsAt: formEnd(waiting) },
  );
}

async function signIn(visit: Visit, pending: PendingAuthorization, throttle: Throttle): Promise<FastifyReply> {
  const outcome = await attemptSignIn(visit, throttle);
  if ('problem' in outcome) return askSignIn(visit, pending, outcome);
  // Redirect without force_login: the user has just authenticated.
  return visit.redirect(`${pending.page.http.path}?oauth_token=${encodeURIComponent(pending.oauth_token)}`);
}

/**
 * Specification A, GET /oauth/authenticate: a user who approved the app before is redirected without being asked again, if
 * the app has the sign-in setting. Never with a PIN: such apps use authorize, and a PIN should follow a decision.
 */
async function skipQuestion(
  visit: Visit,
  pending: PendingAuthorization,
  person: Person,
): Promise<FastifyReply | undefined> {
  const { page, waiting, app } = pending;
  if (page.id !== pageContract.oauth_pages.authenticate.id || !app.sign_in_enabled || waiting.callback === OUT_OF_BAND)
    return undefined;
  // Approving changes something.
  if (visit.isHead) return undefined;
  const approved = await visit.world.identity.tokens.hasApproved(person.user_id, app.id, waiting.access_level);
  return approved ? approve(visit, pending, person) : undefined;
}

async function ask(
  visit: Visit,
  { page, oauth_token, waiting, app }: PendingAuthorization,
  person: Person,
): Promise<FastifyReply> {
  const owner = await visit.world.identity.users.get(app.owner_user_id);
  return visit.page(
    consentPage({
      csrf: visit.csrf(person),
      action: page.http.path,
      oauth_token,
      app: { name: app.name, description: app.description, owner_screen_name: owner?.screen_name ?? '' },
      user: person,
      access_level: app.access_level === 'write' ? waiting.access_level : 'read',
      destination: destinationOf(waiting),
    }),
    { formEndsAt: formEnd(waiting) },
  );
}

async function approve(
  visit: Visit,
  { oauth_token, waiting, app }: PendingAuthorization,
  person: Person,
): Promise<FastifyReply> {
  const verifier = await visit.world.requestTokens.approve(oauth_token, person.user_id);
  if (verifier === undefined) throw new PageError(NO_TOKEN);
  if (waiting.callback !== OUT_OF_BAND) {
    return visit.redirect(approvedCallback(waiting.callback, oauth_token, verifier));
  }
  return visit.page(pinPage({ pin: verifier, app, valid_for_s: REQUEST_TOKEN_MS / 1000 }));
}

async function cancel(visit: Visit, { oauth_token, waiting, app }: PendingAuthorization): Promise<FastifyReply> {
  // A decision made in the meantime is not overwritten.
  if (!(await visit.world.requestTokens.cancel(oauth_token))) throw new PageError(NO_TOKEN);
  if (waiting.callback !== OUT_OF_BAND) return visit.redirect(cancelledCallback(waiting.callback, oauth_token));
  return visit.page(cancelledPage({ app }));
}

function formEnd({ callback }: WaitingToken): string | undefined {
  return callback === OUT_OF_BAND ? undefined : callback;
}

function destinationOf({ callback }: WaitingToken): Destination {
  if (callback === OUT_OF_BAND) return { kind: 'pin' };
  const { protocol, host } = new URL(callback);
  return /^https?:$/.test(protocol) ? { kind: 'url', host } : { kind: 'scheme', scheme: protocol.slice(0, -1) };
}

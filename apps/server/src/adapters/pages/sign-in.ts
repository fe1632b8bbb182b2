/** Signing in with screen name and password, and signing out. */
import type { FastifyReply } from 'fastify';
import type { Throttle } from '../../auth/sign-in-throttle.ts';
import { signedOutPage } from './closing-pages.ts';
import { paths } from './paths.ts';
import { type SignInProblem, signInPage } from './sign-in-page.ts';
import type { Visit } from './visit.ts';

/** Outcome of a sign-in attempt. */
type Attempt = { readonly screen_name: string } | { readonly problem: SignInProblem; readonly screen_name: string };

/** Tries the screen name and password of the form. */
export async function attemptSignIn(visit: Visit, throttle: Throttle): Promise<Attempt> {
  const screen_name = (visit.form.get('screen_name') ?? '').trim().replace(/^@/, '');
  const retry_after_s = await throttle.begin(screen_name, visit.address);
  if (retry_after_s !== undefined) return { screen_name, problem: { kind: 'throttled', retry_after_s } };
  const person = await visit.world.identity.users.verify(screen_name, visit.form.get('password') ?? '');
  if (!person) return { screen_name, problem: { kind: 'wrong' } };
  if (person.suspended) return { screen_name, problem: { kind: 'suspended' } };
  await throttle.succeeded(screen_name, visit.address);
  await visit.signIn(person.user_id);
  return { screen_name };
}

/** `GET /sign-in`. */
export async function showSignIn(visit: Visit): Promise<FastifyReply> {
  if (await visit.person()) return visit.redirect(paths.settings);
  return visit.page(signInPage({ csrf: visit.visitorCsrf(), action: paths.signIn }));
}

/** `POST /sign-in`. */
export async function signIn(visit: Visit, throttle: Throttle): Promise<FastifyReply> {
  visit.requireOwnForm(await visit.person(), { fromSignIn: true });
  const attempt = await attemptSignIn(visit, throttle);
  if (!('problem' in attempt)) return visit.redirect(paths.settings);
  const { problem, screen_name } = attempt;
  if (problem.kind === 'throttled') visit.retryAfter(problem.retry_after_s);
  return visit.page(signInPage({ csrf: visit.visitorCsrf(), action: paths.signIn, screen_name, problem }), {
    status: problem.kind === 'throttled' ? 429 : 401,
  });
}

/** `POST /sign-out`. */
export async function signOut(visit: Visit): Promise<FastifyReply> {
  visit.requireOwnForm(await visit.person());
  await visit.signOut();
  return visit.page(signedOutPage());
}

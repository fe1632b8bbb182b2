import { textField } from './design/field.ts';
import { button, form, type Hidden } from './design/form.ts';
import { type Html, html } from './design/html.ts';
import { at, nameOf } from './design/identity.ts';
import { heading, layout } from './design/layout.ts';
import { notice } from './design/notice.ts';
import { sheet } from './design/sheet.ts';
import { durationOf, isolated } from './design/words.ts';

/** Reason for another attempt. `stale`: the form was from another session, or too old. */
export type SignInProblem =
  | { readonly kind: 'wrong' }
  | { readonly kind: 'suspended' }
  | { readonly kind: 'throttled'; readonly retry_after_s: number }
  | { readonly kind: 'stale' };

/** Content of the sign-in page. */
export interface SignInView {
  readonly csrf: string;
  /** Action URL of both forms. */
  readonly action: string;
  /** Hidden fields of both forms, such as `oauth_token`. */
  readonly hidden?: Hidden | undefined;
  /** Initial value of the screen-name field. */
  readonly screen_name?: string | undefined;
  readonly problem?: SignInProblem | undefined;
  /** The app that sent the user here. With one, the page can be left with a `decision` of `cancel`. */
  readonly app?: { readonly name: string } | undefined;
  /** Screen name of the signed-in user when the app forces a new sign-in. */
  readonly signed_in_as?: string | undefined;
}

const PROBLEM = 'problem';

/** Renders the form for screen name and password. */
export function signInPage(view: SignInView): string {
  const { csrf, action, screen_name, problem, app, signed_in_as } = view;
  const hidden = { ...view.hidden, csrf };
  const describedBy = problem && PROBLEM;
  const wrong = problem?.kind === 'wrong' && 'true';
  const named = screen_name !== undefined && screen_name !== '';
  const fields = html`<div class="stack">${textField({
    name: 'screen_name',
    label: 'Screen name',
    value: screen_name,
    prefix: '@',
    control: {
      type: 'text',
      autocomplete: 'username',
      autocapitalize: 'none',
      autocorrect: 'off',
      spellcheck: 'false',
      dir: 'ltr',
      required: true,
      'aria-describedby': describedBy,
      'aria-invalid': wrong,
      autofocus: problem !== undefined && !named,
    },
  })}${textField({
    name: 'password',
    label: 'Password',
    control: {
      type: 'password',
      autocomplete: 'current-password',
      required: true,
      'aria-describedby': describedBy,
      'aria-invalid': wrong,
      autofocus: problem !== undefined && named,
    },
  })}<div class="actions">${button({ label: 'Sign in', emphasis: 'primary' })}${
    app && button({ label: 'Cancel', name: 'decision', value: 'cancel', form: 'cancel' })
  }</div></div>`;
  return layout(
    {
      title: `${problem ? 'Error: ' : ''}Sign in${app ? ` to continue to ${isolated(app.name)}` : ''}`,
      width: 'narrow',
      footnote: 'Before you type your password, check that the address in your browser is that of your platform.',
    },
    sheet(html`${heading('Sign in', reason(app, signed_in_as))}
${problem && notice('error', messageOf(problem), { id: PROBLEM })}
${form({ action, hidden }, fields)}
${
  // A form of its own, so that cancelling does not send the password.
  app && html`<div hidden>${form({ action, hidden, id: 'cancel' }, html``)}</div>`
}`),
  );
}

function reason(app: SignInView['app'], signedInAs: string | undefined): Html | undefined {
  if (!app) return signedInAs ? html`<p>You are signed in as ${at(signedInAs)}.</p>` : undefined;
  const name = html`<strong>${nameOf(app.name)}</strong>`;
  if (signedInAs) {
    return html`<p>You are signed in as ${at(signedInAs)}. ${name} asks you to type your password again, so that the right account
is used.</p>`;
  }
  return html`<p>${name} asks for access to your account. Sign in to see what it may do; you decide after that.</p>`;
}

function messageOf(problem: SignInProblem): string {
  switch (problem.kind) {
    case 'wrong':
      return 'This screen name and password do not belong together. Check both, and try again.';
    case 'suspended':
      return 'This user is suspended. Only the operator of this platform can end that.';
    case 'throttled':
      return `There were too many attempts. Try again in ${durationOf(problem.retry_after_s)}.`;
    case 'stale':
      return 'This page was open for too long. Please sign in again.';
  }
}

/** Final pages of a visit: something to read, nothing to fill in. */
import { linkButton } from './design/form.ts';
import { html } from './design/html.ts';
import { nameOf } from './design/identity.ts';
import { heading, layout } from './design/layout.ts';
import { sheet } from './design/sheet.ts';
import { paths } from './paths.ts';

/** Says that nothing was approved, for apps without a callback. */
export function cancelledPage({ app }: { readonly app: { readonly name: string } }): string {
  const name = nameOf(app.name);
  return layout(
    { title: 'Cancelled', width: 'narrow' },
    sheet(html`${heading(html`${name} has no access`)}
<p>You have cancelled, so nothing was authorized. You can close this page.</p>
<p>If you change your mind, start again in ${name}.</p>`),
  );
}

/** Says that the person is signed out. */
export function signedOutPage(): string {
  return layout(
    { title: 'Signed out', width: 'narrow' },
    sheet(html`${heading('You are signed out')}
<p>Apps that you have authorized keep their access. To take it back, sign in and open your settings.</p>
<div class="actions">${linkButton(paths.signIn, 'Sign in', 'primary')}</div>`),
  );
}

/** Content of an error page. */
export interface ErrorView {
  readonly status: number;
  readonly title: string;
  readonly message: string;
  /** Suggested next step for the person. */
  readonly hint?: string | undefined;
}

/** Says what went wrong. */
export function errorPage({ status, title, message, hint }: ErrorView): string {
  return layout(
    { title, width: 'narrow' },
    sheet(html`${heading(title, html`<p class="soft">Error ${status}</p>`)}
<p>${message}</p>
${hint && html`<p>${hint}</p>`}`),
  );
}

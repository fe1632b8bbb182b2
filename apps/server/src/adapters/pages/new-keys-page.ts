import { linkButton } from './design/form.ts';
import { html } from './design/html.ts';
import { nameOf } from './design/identity.ts';
import { heading, layout } from './design/layout.ts';
import { notice } from './design/notice.ts';
import { facts, sheet } from './design/sheet.ts';
import { isolated } from './design/words.ts';
import { paths } from './paths.ts';

/** Content of the page that shows new keys. */
export interface NewKeysView {
  readonly csrf: string;
  readonly user: { readonly screen_name: string };
  readonly app: { readonly id: string; readonly name: string };
  readonly consumer_key: string;
  readonly consumer_secret: string;
}

/** Shows the new keys of an app: the only time that the secret is visible. */
export function newKeysPage({ csrf, user, app, consumer_key, consumer_secret }: NewKeysView): string {
  return layout(
    {
      title: `New keys of ${isolated(app.name)}`,
      width: 'wide',
      signed_in: { screen_name: user.screen_name, csrf },
    },
    sheet(html`${heading(html`New keys of ${nameOf(app.name)}`)}
${notice('warning', 'Copy the secret now, to where only the app can read it. It is not shown again.', { takesFocus: true })}
${facts([
  ['Consumer key', html`<code translate="no">${consumer_key}</code>`],
  ['Consumer secret', html`<code translate="no">${consumer_secret}</code>`],
])}
<p>The keys from before no longer work.</p>
<div class="actions">${linkButton(paths.app(app.id), 'I have copied both', 'primary')}</div>`),
  );
}

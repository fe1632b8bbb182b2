import { html } from './design/html.ts';
import { nameOf } from './design/identity.ts';
import { heading, layout } from './design/layout.ts';
import { notice } from './design/notice.ts';
import { sheet } from './design/sheet.ts';
import { durationOf } from './design/words.ts';

/** Content of the PIN page. */
export interface PinView {
  readonly pin: string;
  readonly app: { readonly name: string };
  /** Remaining lifetime of the PIN. */
  readonly valid_for_s: number;
}

/** Shows the PIN that the user enters in an app without a callback. */
export function pinPage({ pin, app, valid_for_s }: PinView): string {
  const name = nameOf(app.name);
  // One text visually, so that it is copied as one; digit by digit for a screen reader.
  const seen = html`<code id="pin" aria-hidden="true">${pin}</code>`;
  return layout(
    { title: 'Your PIN', width: 'narrow', footnote: 'You can take this access back at any time in your settings.' },
    sheet(html`${heading(
      html`Enter this PIN in ${name}`,
      html`<p>You have authorized the app. Return to it and type the PIN to finish.</p>`,
    )}
<p class="pin">${seen}<span class="hidden">${[...pin].join(' ')}</span></p>
<p>It works once, and only in the next ${durationOf(valid_for_s)}.</p>
${notice('warning', html`<p>Type it into ${name} only. Nobody who calls or writes to you needs it.</p>`)}`),
  );
}

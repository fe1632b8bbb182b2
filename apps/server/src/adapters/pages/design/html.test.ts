import { expect, test } from 'vitest';
import { html, prose } from './html.ts';

test('HTML escapes interpolated values, and nothing else', () => {
  expect(html`<p title="${'"<&\'>'}">${html`<b>${1}</b>`}${['<', undefined, false, null]}</p>`.text).toBe(
    '<p title="&quot;&lt;&amp;&#39;&gt;"><b>1</b>&lt;</p>',
  );
  expect(prose('`<a>` & b').text).toBe('<code>&lt;a&gt;</code> &amp; b');
});

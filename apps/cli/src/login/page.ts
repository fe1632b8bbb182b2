/** Page that the browser shows after the callback. Self-contained: it loads nothing and runs nothing. */
import { createHash } from 'node:crypto';

/** A page of one heading and one sentence. */
export interface Page {
  readonly status: number;
  readonly title: string;
  readonly text: string;
}

const STYLE = `:root{color-scheme:light dark;--paper:#fbf9f5;--sheet:#fff;--ink:#1d1b18;--soft:#5f5a52;--line:#e4dfd5;--brand:#b3331b}
@media (prefers-color-scheme:dark){:root{--paper:#16150f;--sheet:#1d1c17;--ink:#ece7dc;--soft:#a8a294;--line:#35332b;--brand:#d9573d}}
body{margin:0;min-height:100vh;display:grid;place-items:center;font:1rem/1.55 system-ui,sans-serif;background:var(--paper);color:var(--ink)}
main{box-sizing:border-box;max-width:26rem;margin:1rem;padding:2.25rem 2rem;text-align:center;background:var(--sheet);border:1px solid var(--line);border-radius:12px}
svg{width:2.25rem;height:2.25rem;fill:var(--brand)}
h1{margin:.75rem 0 .4rem;font:700 1.6rem/1.2 Palatino,Georgia,serif}
p{margin:0;color:var(--soft);overflow-wrap:anywhere;text-wrap:balance}`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Headers of every page. The address of the page contains a verifier, so it is neither cached nor sent as a referrer. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  connection: 'close',
};

/** A page as HTML. */
export function pageHtml({ title, text }: Page): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)} - Broadside</title>
<style>${STYLE}</style>
<main>
<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7"/><path fill="#fff" d="M8 8h16v5H8zM8 16h7v2H8zM8 21h7v2H8zM18 16h6v7h-6z"/></svg>
<h1>${escaped(title)}</h1>
<p>${escaped(text)}</p>
</main>
</html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

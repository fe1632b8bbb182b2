import { icon } from './brand.ts';
import { type Html, html, trusted } from './html.ts';

/** Contents of the document head. */
interface Head {
  readonly title: string;
  /** The whole style sheet. */
  readonly style: string;
  /** Further `meta` elements by name. */
  readonly meta: Readonly<Record<string, string>>;
  /** Links open in tabs of their own: the page is inside of a frame. */
  readonly newTabs?: boolean;
}

/** Renders an HTML document that loads nothing from other hosts. */
export function htmlDocument({ title, style, meta, newTabs = false }: Head, body: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${Object.entries(meta).map(([name, content]) => html`<meta name="${name}" content="${content}">`)}
${newTabs && html`<base target="_blank">`}
<title>${title}</title>
<link rel="icon" href="${icon}">
<style>${trusted(style)}</style>
</head>
<body>
${body}
</body>
</html>
`.text;
}

import { stringifyJson } from '@broadside/core';
import { escapeHtml, Html } from '../pages/design/html.ts';

const TOKENS = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?/g;

/** Renders JSON for reading, with syntax colours. */
export function jsonBlock(value: unknown): Html {
  let at = 0;
  let marked = '';
  const text = indented(value, '');
  for (const match of text.matchAll(TOKENS)) {
    const [token, quoted, colon] = match;
    const kind = quoted === undefined ? 'l' : colon === undefined ? 's' : 'k';
    marked += `${escapeHtml(text.slice(at, match.index))}<span class="${kind}">${escapeHtml(quoted ?? token)}</span>${colon ?? ''}`;
    at = match.index + token.length;
  }
  return new Html(marked + escapeHtml(text.slice(at)));
}

/** Like `JSON.stringify` with two spaces, but exact for `bigint` and with short lists of values on one line. */
function indented(value: unknown, indent: string): string {
  if (typeof value !== 'object' || value === null) return stringifyJson(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const flat = stringifyJson(value);
    const plain = value.every((item) => typeof item !== 'object' || item === null);
    if (value.length === 0 || (plain && flat.length < 60)) return flat.replaceAll('","', '", "');
    return `[\n${value.map((item) => inner + indented(item, inner)).join(',\n')}\n${indent}]`;
  }
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  if (members.length === 0) return '{}';
  const lines = members.map(([name, member]) => `${inner}${JSON.stringify(name)}: ${indented(member, inner)}`);
  return `{\n${lines.join(',\n')}\n${indent}}`;
}

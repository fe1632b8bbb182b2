import { type ErrorName, errorsOf, type PageOperation } from '@broadside/core';
import { type Html, html } from '../pages/design/html.ts';
import { errorStyleOf, meaning } from './article.ts';
import type { Shown } from './shown.ts';

/** Errors of requests that match no operation. */
const OUTSIDE: readonly ErrorName[] = ['ROUTE_NOT_FOUND', 'METHOD_NOT_ALLOWED'];

/** All errors listed by operations with the same error format, by status and code. */
export function errorList(operations: readonly Exclude<Shown, PageOperation>[]): Html {
  const [first] = operations;
  if (!first) return html``;
  const { code, status: statusOf } = errorStyleOf(first);
  const outside = operations.some(({ kind }) => kind !== 'operator') ? OUTSIDE : [];
  const names = [...new Set([...operations.flatMap(errorsOf), ...outside])];
  const byStatus = [...Map.groupBy(names, statusOf)].sort(([one], [other]) => one - other);
  return html`${byStatus.map(
    ([status, list]) =>
      html`<h3>${status}</h3><dl class="fields">${[...Map.groupBy(list.sort(), code)]
        .sort(([one], [other]) => Number(one) - Number(other))
        .map(
          ([word, same]) =>
            html`<div><dt><code>${word}</code></dt><dd>${same.map((name) => html`${meaning(name)} `)}</dd></div>`,
        )}</dl>`,
  )}`;
}

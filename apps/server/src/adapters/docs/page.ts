/**
 * The reference page: one HTML document, rendered from the contract, that loads nothing from other hosts. It can be read with
 * scripts turned off; the script adds a filter and copy buttons.
 */
import { createHash } from 'node:crypto';
import {
  type AnyOperation,
  allOperatorOperations,
  type ByKind,
  type CallableKind,
  dispatch,
  type Environment,
  fieldsOf,
  isOffered,
} from '@broadside/core';
import { documentedOperations, includedEntities, namesOf, resourceOf, titleOf } from '@broadside/core/openapi';
import * as z from 'zod';
import { mark } from '../pages/design/brand.ts';
import { htmlDocument } from '../pages/design/document.ts';
import { type Html, html, trusted } from '../pages/design/html.ts';
import { article, badge } from './article.ts';
import { errorList } from './errors.ts';
import { memberList } from './fields.ts';
import { introduction } from './introduction.ts';
import type { Shown } from './samples.ts';
import { script } from './script.ts';
import { style } from './style.ts';

/** Subject of the page, besides the contract. */
export interface PageOptions {
  /** `undefined` on the listener that serves authentication and data retrieval. */
  readonly environment: Environment | undefined;
  /** The base URL of the listener. */
  readonly serverUrl: string;
  readonly version: string;
}

/** Path at which a listener serves its OpenAPI document. */
export const OPENAPI_PATH = '/openapi.json';

const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Only the page's own style and script; no other hosts, no frames, no forms. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src ${sha256(style)}`,
  `script-src ${sha256(script)}`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const names: Readonly<Record<Environment | 'base', string>> = {
  production: 'Production',
  sandbox: 'Sandbox',
  base: 'Authentication and data',
};

/** Renders the page. */
export function renderPage(options: PageOptions): string {
  const { environment, version } = options;
  const operations = documentedOperations(environment).filter(
    (operation) => operation.kind !== 'ads' || environment === undefined || isOffered(operation, environment),
  );
  const page = new Page(options, operations);
  const resources = [...Map.groupBy(operations, resourceOf)];
  const operator = [...Map.groupBy(allOperatorOperations, resourceOf)];
  const where = names[environment ?? 'base'];
  const subject = environment === undefined ? 'authentication and data retrieval' : 'advertising interface';
  const meta = { description: `Reference of the Broadside ${subject}` };
  return htmlDocument(
    { title: `Broadside reference · ${where}`, style, meta },
    html`<a class="skip" href="#content">Skip to the reference</a>
<header class="top">
  <button class="menu" popovertarget="contents" aria-label="Contents"><span></span><span></span><span></span></button>
  <a class="brand" href="#top">${mark}<b>Broadside</b></a>
  <span class="where">${where}</span>
  <span class="version">${version}</span>
  <a class="document" href="${OPENAPI_PATH}">OpenAPI</a>
</header>
<nav id="contents" popover aria-label="Contents">
  <input id="filter" type="search" placeholder="Filter operations" aria-label="Filter operations" hidden>
  <a href="#top">Introduction</a>
  <a href="#requests">Requests</a>
  <a href="#answers">Answers</a>
  <a href="#limits">Rate limits</a>
  ${resources.map(([name, list]) => navigation(titleOf(name), list))}
  <h2>Operator</h2>
  <a href="#operator">Operator procedures</a>
  ${operator.map(([name, list]) => navigation(operatorTitle(name), list))}
  <h2>More</h2>
  <a href="#errors">Errors</a>
  <p class="none" hidden>No operation fits.</p>
</nav>
<main id="content">
  ${introduction(options)}
  ${resources.map(([name, list]) => page.resource(name, titleOf(name), list))}
  <section id="operator" class="part">
    <h2>Operator procedures</h2>
    <p>What the operator of the platform does: create people, apps, tokens, production accounts and their funding, grant access,
    and post, like and follow in the name of people. They have no public path. Call them with tRPC at <code>/trpc</code> of any listener, or with
    <code>broadside admin</code>; both send the operator's token as <code>Authorization: Bearer</code>.</p>
  </section>
  ${operator.map(([name, list]) => page.resource(name, operatorTitle(name), list))}
  ${errors(operations.filter((operation) => operation.kind !== 'page'))}
</main>
<script>${trusted(script)}</script>`,
  );
}

function operatorTitle(resource: string): string {
  return titleOf(resource.slice(resource.indexOf('.') + 1));
}

function navigation(title: string, operations: readonly Shown[]): Html {
  return html`<div class="group"><h2>${title}</h2>${operations.map(
    (operation) =>
      html`<a href="#${operation.id}" data-find="${`${operation.id} ${operation.summary} ${operation.http?.path ?? ''}`.toLowerCase()}">${badge(operation)}<span>${operation.id.slice(operation.id.lastIndexOf('.') + 1)}</span></a>`,
  )}</div>`;
}

type ErrorGroup = 'numbers' | 'upload numbers' | 'problems' | 'words';

const errorGroups: ByKind<CallableKind, [], ErrorGroup> = {
  ads: () => 'words',
  operator: () => 'words',
  auth: () => 'numbers',
  data: () => 'problems',
  upload: ({ version }) => (version === '2' ? 'problems' : 'upload numbers'),
};

function errors(operations: readonly AnyOperation[]): Html {
  const grouped = Map.groupBy([...operations, ...allOperatorOperations], (operation) =>
    dispatch(errorGroups, operation),
  );
  const group = (name: ErrorGroup) => grouped.get(name) ?? [];
  const [numbers, uploads, problems] = [group('numbers'), group('upload numbers'), group('problems')];
  return html`<section id="errors" class="part">
  <h2>Errors</h2>
  <p>What a program decides by is <code>code</code>; <code>message</code> is for people and can change.</p>
  ${errorList(numbers)}
  ${uploads.length > 0 && html`<h2 class="again">Errors of media upload 1.1</h2>${errorList(uploads)}`}
  ${problems.length > 0 && html`<h2 class="again">Problems of data retrieval and of media upload</h2>${errorList(problems)}`}
  ${numbers.length > 0 && html`<h2 class="again">Errors of the operator's procedures</h2>`}
  ${errorList(group('words'))}
</section>`;
}

/** Lists the result of an operation, and the other entities that its responses can contain. */
function entitiesOf(operation: AnyOperation): readonly z.ZodType[] {
  if (operation.envelope === 'nothing') return [];
  return [operation.data, ...includedEntities(operation).map(([, entity]) => entity)];
}

class Page {
  readonly #options: PageOptions;
  readonly #names: ReadonlyMap<z.ZodType, string>;
  readonly #shown = new Set<string>();

  constructor(options: PageOptions, operations: readonly Shown[]) {
    this.#options = options;
    this.#names = namesOf([...operations.filter((operation) => operation.kind !== 'page'), ...allOperatorOperations]);
  }

  resource(name: string, title: string, operations: readonly Shown[]): Html {
    const entities = [
      ...new Set(operations.flatMap((operation) => (operation.kind === 'page' ? [] : entitiesOf(operation)))),
    ];
    return html`<section class="part resource" id="r-${name}">
  <h2>${title}</h2>
  ${operations.map((operation) => article(operation, this.#options, this.#entityOf(operation)))}
  ${entities.map((entity) => this.#entity(entity))}
</section>`;
  }

  #entityOf(operation: Shown): string | undefined {
    return operation.kind === 'page' ? undefined : this.#names.get(operation.data);
  }

  #entity(schema: z.ZodType): Html | undefined {
    const name = this.#names.get(schema);
    if (name === undefined || this.#shown.has(name) || !(schema instanceof z.ZodObject)) return undefined;
    this.#shown.add(name);
    const fields = fieldsOf(schema);
    return html`<article class="entity" id="e-${name}"><details><summary><h3>${name}</h3><span>${fields.length} ${fields.length === 1 ? 'field' : 'fields'}</span></summary>
    ${memberList(fields)}</details></article>`;
  }
}

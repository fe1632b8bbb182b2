/**
 * The reference: HTML documents, rendered from the contract, that load nothing from other hosts. They can be read with scripts turned
 * off; the script adds the search, a choice of the language of samples, copy buttons, and in development mode trials of calls.
 */
import { createHash } from 'node:crypto';
import {
  type AnyOperation,
  allOperatorOperations,
  type ByKind,
  type CallableKind,
  dispatch,
  fieldsOf,
  isOffered,
} from '@broadside/core';
import {
  type DocumentedInterface,
  documentedOperations,
  includedEntities,
  namesOf,
  resourceOf,
  titleOf,
} from '@broadside/core/openapi';
import * as z from 'zod';
import type { AppName, ListenerName } from '../../listener-name.ts';
import { mark } from '../pages/design/brand.ts';
import { htmlDocument } from '../pages/design/document.ts';
import { type Html, html, trusted } from '../pages/design/html.ts';
import { article, badge } from './article.ts';
import { errorList } from './errors.ts';
import { memberList } from './fields.ts';
import { introduction } from './introduction.ts';
import { entityId, type Href } from './samples.ts';
import { script } from './script.ts';
import type { Shown } from './shown.ts';
import { style } from './style.ts';

/** Subject of the reference, besides the contract. */
export interface PageOptions {
  /** `undefined` on the listener that serves authentication and data retrieval. */
  readonly environment: DocumentedInterface;
  /** The base URL of the listener. */
  readonly serverUrl: string;
  readonly version: string;
  /** The base URLs of all listeners, where they are known: the pages lead to the references of the others. */
  readonly listeners?: Readonly<Record<ListenerName, string>> | undefined;
  /** Calls can be tried, with the credentials of the demo: in development mode. */
  readonly trial?: boolean;
}

/** Path at which a listener serves its OpenAPI document. */
export const OPENAPI_PATH = '/openapi.json';

const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Only the page's own style and script; no other hosts, no frames, no forms. The search and trials ask the listener itself. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src ${sha256(style)}`,
  `script-src ${sha256(script)}`,
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const names: Readonly<Record<AppName, string>> = {
  control: 'Control of worlds',
  api: 'Authentication and data',
  ads: 'Advertising',
  sandbox: 'Sandbox',
};

function listenerOf(environment: DocumentedInterface): AppName {
  if (environment === 'control') return environment;
  return environment === undefined ? 'api' : environment === 'production' ? 'ads' : 'sandbox';
}

/** The name of the page with all errors. */
const ERRORS = 'errors';

/** The reference of a listener: an introduction, a page for each resource, and one of errors. */
export class Reference {
  readonly #options: PageOptions;
  readonly #operations: readonly Shown[];
  readonly #resources: ReadonlyMap<string, readonly Shown[]>;
  readonly #names: ReadonlyMap<z.ZodType, string>;
  /** The page of each id that links lead to. */
  readonly #places = new Map<string, string>();

  constructor(options: PageOptions) {
    this.#options = options;
    const { environment } = options;
    const offered = documentedOperations(environment).filter(
      (operation) =>
        operation.kind !== 'ads' ||
        environment === undefined ||
        environment === 'control' ||
        isOffered(operation, environment),
    );
    this.#operations = offered;
    this.#resources = Map.groupBy([...offered, ...allOperatorOperations], resourceOf);
    this.#names = namesOf([...offered.filter((operation) => operation.kind !== 'page'), ...allOperatorOperations]);
    this.#places.set(ERRORS, ERRORS);
    for (const [resource, operations] of this.#resources) {
      for (const { id } of operations) this.#places.set(id, resource);
      for (const entity of operations.flatMap(entitiesOf)) {
        const name = this.#names.get(entity);
        if (name !== undefined && !this.#places.has(entityId(name))) this.#places.set(entityId(name), resource);
      }
    }
  }

  /** The names of the pages; that of the introduction is empty. */
  get pages(): readonly string[] {
    return ['', ...this.#resources.keys(), ERRORS];
  }

  /** Renders a page; `undefined` where there is none of the name. */
  page(name: string): string | undefined {
    if (!this.pages.includes(name)) return undefined;
    const { environment, version, trial } = this.#options;
    // Relative, so that the pages can be served below a prefix.
    const root = name === '' ? 'docs' : '../docs';
    const below = name === '' ? 'docs/' : '';
    const href: Href = (id) => {
      const place = this.#places.get(id) ?? '';
      if (place === name) return `#${id}`;
      return `${place === '' ? root : below + place}${id === place ? '' : `#${id}`}`;
    };
    const where = names[listenerOf(environment)];
    const subject =
      environment === undefined
        ? 'authentication and data retrieval'
        : environment === 'control'
          ? 'control of worlds'
          : 'advertising interface';
    const title = name === '' ? undefined : this.#titleOf(name);
    const meta = { description: `Reference of the Broadside ${subject}${title === undefined ? '' : `: ${title}`}` };
    return htmlDocument(
      { title: [title ?? [], `Broadside reference · ${where}`].flat().join(' · '), style, meta },
      html`<a class="skip" href="#content">Skip to the reference</a>
<header class="top">
  <button class="menu" popovertarget="contents" aria-label="Contents"><span></span><span></span><span></span></button>
  <a class="brand" href="${name === '' ? '#top' : root}">${mark}<b>Broadside</b></a>
  ${this.#listeners()}
  <span class="version">${version}</span>
  <a class="document" href="${name === '' ? '.' : '..'}${OPENAPI_PATH}">OpenAPI</a>
</header>
<nav id="contents" popover aria-label="Contents" data-index="${below}index.json"${trial && html` data-trial="${below}trial.json"`}>
  <input id="search" type="search" placeholder="Search  /" aria-label="Search the reference" autocomplete="off" hidden>
  <div id="found" aria-live="polite" hidden></div>
  <div id="groups">
  <a href="${name === '' ? '#top' : root}">Introduction</a>
  <a href="${href('requests')}">Requests</a>
  <a href="${href('answers')}">Answers</a>
  <a href="${href('limits')}">Rate limits</a>
  <a href="${href(ERRORS)}">Errors</a>
  ${[...this.#resources]
    .filter(([, [one]]) => one?.kind !== 'operator')
    .map(([resource, list]) => navigation(this.#titleOf(resource), list, href, resource === name))}
  <h2>Operator</h2>
  <a href="${href('operator')}">Operator procedures</a>
  ${[...this.#resources]
    .filter(([, [one]]) => one?.kind === 'operator')
    .map(([resource, list]) => navigation(this.#titleOf(resource), list, href, resource === name))}
  </div>
</nav>
<main id="content">
  ${this.#content(name, href)}
</main>
<script>${trusted(script)}</script>`,
    );
  }

  /** Leads to the references of the other listeners. */
  #listeners(): Html {
    const { environment, listeners } = this.#options;
    const own = listenerOf(environment);
    if (!listeners) return html`<span class="where">${names[own]}</span>`;
    const links = listenerOrder.map((listener) =>
      listener === own
        ? html`<a aria-current="page" href="#top">${names[listener]}</a>`
        : html`<a href="${listeners[listener]}/docs">${names[listener]}</a>`,
    );
    return html`<div class="where listeners" role="group" aria-label="Listener">${links}</div>`;
  }

  #titleOf(name: string): string {
    if (name === ERRORS) return 'Errors';
    return this.#resources.get(name)?.[0]?.kind === 'operator' ? operatorTitle(name) : titleOf(name);
  }

  #content(name: string, href: Href): Html {
    if (name === ERRORS) return errors(this.#operations.filter((operation) => operation.kind !== 'page'));
    if (name !== '') return this.#resource(name, href);
    return html`${introduction({ ...this.#options, href })}
  <section id="operator" class="part">
    <h2>Operator procedures</h2>
    <p>What the operator of the platform does: create people, apps, tokens, production accounts and their funding, grant access,
    and post, like and follow in the name of people. They have no public path. Call them with tRPC at <code>/trpc</code> of any listener, or with
    <code>broadside admin</code>; both send the operator's token as <code>Authorization: Bearer</code>.</p>
  </section>`;
  }

  #resource(name: string, href: Href): Html {
    const operations = this.#resources.get(name) ?? [];
    const entities = [...new Set(operations.flatMap(entitiesOf))];
    return html`<section class="part resource" id="r-${name}">
  <h2>${this.#titleOf(name)}</h2>
  ${operations.map((operation) => article(operation, { ...this.#options, href }, this.#entityOf(operation)))}
  ${entities.map((entity) => this.#entity(entity, name))}
</section>`;
  }

  #entityOf(operation: Shown): string | undefined {
    return operation.kind === 'page' ? undefined : this.#names.get(operation.data);
  }

  /** Describes an entity on the page of the first resource that has it. */
  #entity(schema: z.ZodType, page: string): Html | undefined {
    const name = this.#names.get(schema);
    if (name === undefined || this.#places.get(entityId(name)) !== page || !(schema instanceof z.ZodObject))
      return undefined;
    const fields = fieldsOf(schema);
    return html`<article class="entity" id="${entityId(name)}"><details><summary><h3>${name}</h3><span>${fields.length} ${fields.length === 1 ? 'field' : 'fields'}</span></summary>
    ${memberList(fields)}</details></article>`;
  }
}

const listenerOrder: readonly ListenerName[] = ['api', 'ads', 'sandbox'];

function operatorTitle(resource: string): string {
  return titleOf(resource.slice(resource.indexOf('.') + 1));
}

function navigation(title: string, operations: readonly Shown[], href: Href, isOpen: boolean): Html {
  return html`<details class="group"${isOpen && html` open`}><summary>${title}</summary>${operations.map(
    (operation) =>
      html`<a href="${href(operation.id)}">${badge(operation)}<span>${operation.id.slice(operation.id.lastIndexOf('.') + 1)}</span></a>`,
  )}</details>`;
}

type ErrorGroup = 'numbers' | 'upload numbers' | 'problems' | 'words';

const errorGroups: ByKind<CallableKind, [], ErrorGroup> = {
  ads: () => 'words',
  operator: () => 'words',
  control: () => 'words',
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
function entitiesOf(operation: Shown): readonly z.ZodType[] {
  if (operation.kind === 'page' || operation.envelope === 'nothing') return [];
  return [operation.data, ...includedEntities(operation).map(([, entity]) => entity)];
}

/**
 * The reference page: one HTML document, rendered from the contract, without anything from elsewhere. It can be read with
 * scripts turned off; the script adds a filter and copy buttons.
 */
import { createHash } from 'node:crypto';
import {
  type AnyOperation,
  allOperations,
  allOperatorOperations,
  capabilities,
  defaultOf,
  descriptionOf,
  type Environment,
  type ErrorName,
  errorCatalogue,
  errorCode,
  errorStatus,
  errorsOf,
  type Field,
  fieldsOf,
  isNullable,
  isOffered,
  isRead,
  isRequired,
  type JsonSchema,
  type Operation,
  pathParameters,
  rateBucket,
  stringifyJson,
  wireTypeOf,
} from '@broadside/core';
import { formEncode } from '@broadside/core/auth';
import { exampleAnswer, exampleParams, namesOf, resourceOf, titleOf } from '@broadside/core/openapi';
import * as z from 'zod';
import { jsonBlock } from './highlight.ts';
import { Html, html, prose } from './html.ts';
import { script } from './script.ts';
import { style } from './style.ts';

/** What the page is about, beside the contract. */
export interface PageOptions {
  /** `undefined` on the listener that serves no advertising: the page then shows everything, as a whole. */
  readonly environment: Environment | undefined;
  /** The base URL of the listener. */
  readonly serverUrl: string;
  readonly version: string;
}

/** Where the listeners with advertising operations serve the OpenAPI document. */
export const OPENAPI_PATH = '/openapi.json';

const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Nothing but the page's own style and script, nothing from elsewhere, no frames, no forms. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src ${sha256(style)}`,
  `script-src ${sha256(script)}`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='7' fill='%23b3331b'/%3E%3Cpath d='M8 8h16v5H8zM8 16h7v2H8zM8 21h7v2H8zM18 16h6v7h-6z' fill='%23fff'/%3E%3C/svg%3E";

const mark = html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7"/><path d="M8 8h16v5H8zM8 16h7v2H8zM8 21h7v2H8zM18 16h6v7h-6z"/></svg>`;

const environmentName: Readonly<Record<Environment, string>> = { production: 'Production', sandbox: 'Sandbox' };

/** Renders the page. */
export function renderPage(options: PageOptions): string {
  const { environment, version } = options;
  const operations = allOperations.filter(
    (operation) => environment === undefined || isOffered(operation, environment),
  );
  const page = new Page(options, operations);
  const resources = [...Map.groupBy(operations, resourceOf)];
  const operator = [...Map.groupBy(allOperatorOperations, resourceOf)];
  const where = environment === undefined ? undefined : environmentName[environment];
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="Reference of the Broadside advertising interface">
<title>Broadside reference${where && ` · ${where}`}</title>
<link rel="icon" href="${icon}">
<style>${raw(style)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the reference</a>
<header class="top">
  <button class="menu" popovertarget="contents" aria-label="Contents"><span></span><span></span><span></span></button>
  <a class="brand" href="#top">${mark}<b>Broadside</b></a>
  <span class="where">${where ?? 'Reference'}</span>
  <span class="version">${version}</span>
  ${environment && html`<a class="document" href="${OPENAPI_PATH}">OpenAPI</a>`}
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
  ${page.introduction()}
  ${resources.map(([name, list]) => page.resource(name, titleOf(name), list))}
  <section id="operator" class="part">
    <h2>Operator procedures</h2>
    <p>What the operator of the platform does: create people, apps, tokens, production accounts and their funding, and grant
    access. They have no public path. Call them with tRPC at <code>/trpc</code> of any listener, or with
    <code>broadside admin</code>; both send the operator's token as <code>Authorization: Bearer</code>.</p>
  </section>
  ${operator.map(([name, list]) => page.resource(name, operatorTitle(name), list))}
  ${page.errors([...operations, ...allOperatorOperations])}
</main>
<script>${raw(script)}</script>
</body>
</html>
`.text;
}

function raw(text: string): Html {
  return new Html(text);
}

function operatorTitle(resource: string): string {
  return titleOf(resource.slice(resource.indexOf('.') + 1));
}

function navigation(title: string, operations: readonly AnyOperation[]): Html {
  return html`<div class="group"><h2>${title}</h2>${operations.map(
    (operation) =>
      html`<a href="#${operation.id}" data-find="${`${operation.id} ${operation.summary} ${operation.http?.path ?? ''}`.toLowerCase()}">${badge(operation)}<span>${operation.id.slice(operation.id.lastIndexOf('.') + 1)}</span></a>`,
  )}</div>`;
}

function badge(operation: AnyOperation): Html {
  const word = operation.http?.method ?? (isRead(operation) ? 'QUERY' : 'MUT');
  return html`<i class="method ${word.toLowerCase()}">${word}</i>`;
}

class Page {
  readonly #options: PageOptions;
  readonly #names: ReadonlyMap<z.ZodType, string>;
  readonly #shown = new Set<string>();

  constructor(options: PageOptions, operations: readonly AnyOperation[]) {
    this.#options = options;
    this.#names = namesOf([...operations, ...allOperatorOperations]);
  }

  introduction(): Html {
    const { environment, serverUrl } = this.#options;
    const address = environment
      ? html`<p class="address"><span>Address</span><code>${serverUrl}</code></p>`
      : html`<p class="note">This listener serves authentication and data retrieval. The advertising operations below are answered
        by the advertising listener and by its sandbox; what is marked <em>sandbox only</em> exists there alone.</p>`;
    const sandbox =
      environment === 'sandbox'
        ? html`<p>This is the sandbox: nothing is served and nothing is charged, and some operations exist here only.</p>`
        : undefined;
    return html`<section id="top" class="part lead">
  <h1>The advertising interface, operation by operation</h1>
  ${address}
  ${sandbox}
  <p>Each operation has one name, such as <code>campaigns.create</code>. It is the method of the typed client, the words of
  the command line, the tRPC procedure and the <code>operationId</code> of the OpenAPI document.</p>
</section>
<section id="requests" class="part">
  <h2>Requests</h2>
  <p>Sign every request with OAuth 1.0a (RFC 5849, HMAC-SHA1 or HMAC-SHA256), with the keys of an app and the access token of a
  user. The signature covers the method, the URL, the query and a form body; each nonce is good for one request.</p>
  <p>Parameters of POST and PUT come in a form body, in a JSON body or in the query string, each name once. Lists are separated by
  commas, or are arrays in JSON. Times have an offset, as in <code>2026-01-15T08:00:00Z</code>. On PUT an empty value removes what
  can be removed.</p>
  <p>Amounts of money are whole numbers in millionths of the currency unit: 5.50 is <code>5500000</code>. They and other 64-bit
  numbers are exact, so read them with a parser that keeps every digit.</p>
</section>
<section id="answers" class="part">
  <h2>Answers</h2>
  <p>A success has the parameters that were sent in <code>request</code> and what was asked for in <code>data</code>. Lists come in
  pages: pass <code>next_cursor</code> as <code>cursor</code> until it is null. A batch succeeds or fails as a whole, and tells the
  faults of each item in <code>operation_errors</code>.</p>
  <p>A refusal lists every fault that was found; the first decides the status.</p>
  <pre>${jsonBlock({ errors: [{ code: 'MISSING_PARAMETER', message: '"name" is a required parameter', parameter: 'name' }], request: { params: {} } })}</pre>
</section>
<section id="limits" class="part">
  <h2>Rate limits</h2>
  <p>Answers tell what is left in <code>x-rate-limit-limit</code>, <code>x-rate-limit-remaining</code> and
  <code>x-rate-limit-reset</code> (seconds since 1970); where an account is counted too, in the same with
  <code>x-account-rate-limit-</code>. A request above the limit gets 429 and counts as well. The figures on this page are the
  published ones; a platform can set others.</p>
</section>`;
  }

  resource(name: string, title: string, operations: readonly AnyOperation[]): Html {
    const entities = [...new Set(operations.map(({ data }) => data))];
    return html`<section class="part resource" id="r-${name}">
  <h2>${title}</h2>
  ${operations.map((operation) => this.#operation(operation))}
  ${entities.map((entity) => this.#entity(entity))}
</section>`;
  }

  #operation(operation: AnyOperation): Html {
    const { id, summary, description, sandboxOnly } = operation;
    return html`<article id="${id}" class="operation">
  <div class="words">
    <h3><a href="#${id}">${summary}</a></h3>
    <p class="route">${badge(operation)}<code>${operation.http ? markPath(operation.http.path) : `/trpc/${id}`}</code></p>
    ${description && html`<p>${prose(description)}</p>`}
    <ul class="facts">
      <li><code>${id}</code></li>
      ${sandboxOnly && html`<li class="sandbox">Sandbox only</li>`}
      <li>${access(operation)}</li>
      ${operation.rateLimit && html`<li>${limit(operation)}</li>`}
    </ul>
    ${this.#parameters(operation)}
    ${refusals(operation)}
  </div>
  <div class="shown">${this.#samples(operation)}</div>
</article>`;
  }

  #parameters(operation: AnyOperation): Html {
    const { batch, exclusive } = operation;
    const inPath = pathParameters(operation);
    const fields = fieldsOf(operation.params).filter(([name]) => !(batch && name === 'operations'));
    const groups = (['Create', 'Update', 'Delete'] as const).flatMap((type) => {
      const schema = batch?.[type];
      return schema
        ? [html`<h4>Items with <code>operation_type</code> ${type}</h4>${this.#fields(fieldsOf(schema), [])}`]
        : [];
    });
    return html`${fields.length > 0 && html`<h4>Parameters</h4>${this.#fields(fields, inPath)}`}
    ${batch && html`<p>The body is a JSON array of 1 to ${batch.max} items, each with <code>operation_type</code> and <code>params</code>.</p>`}
    ${groups}
    ${exclusive?.map(([one, other]) => html`<p><code>${one}</code> and <code>${other}</code> cannot be used together.</p>`)}`;
  }

  #fields(fields: readonly Field[], inPath: readonly string[]): Html {
    const ordered = [...fields].sort(([one, a], [other, b]) => rank(one, a, inPath) - rank(other, b, inPath));
    return html`<dl class="fields">${ordered.map(([name, schema]) => {
      const words = inPath.includes(name) ? 'in the path' : isRequired(schema) ? 'required' : undefined;
      return html`<div><dt><code>${breakable(name)}</code> <span class="type">${typeWords(schema)}</span>${words && html` <span class="must">${words}</span>`}</dt><dd>${details(schema)}</dd></div>`;
    })}</dl>`;
  }

  #entity(schema: z.ZodType): Html | undefined {
    const name = this.#names.get(schema);
    if (name === undefined || this.#shown.has(name) || !(schema instanceof z.ZodObject)) return undefined;
    this.#shown.add(name);
    const fields = fieldsOf(schema);
    return html`<article class="entity" id="e-${name}"><details><summary><h3>${name}</h3><span>${fields.length} fields</span></summary>
    <dl class="fields">${fields.map(
      ([field, member]) =>
        html`<div><dt><code>${breakable(field)}</code> <span class="type">${typeWords(member)}${isNullable(member) ? ' or null' : ''}</span></dt><dd>${details(member)}</dd></div>`,
    )}</dl></details></article>`;
  }

  #samples(operation: AnyOperation): Html {
    const name = this.#names.get(operation.data);
    const gives = name && html` <a href="#e-${name}">${operation.envelope === 'entity' ? name : `list of ${name}`}</a>`;
    const answer = operation.http === null ? outcome(operation) : exampleAnswer(operation);
    return html`${operation.http && sample('HTTP', this.#http(operation))}
    ${sample('Client', client(operation))}
    ${!operation.batch && sample('Command line', commandLine(operation, this.#options.environment))}
    <figure><figcaption>${operation.http ? '200' : 'Result'}${gives}</figcaption><pre>${jsonBlock(answer)}</pre></figure>`;
  }

  #http(operation: Operation): string {
    const { method, path } = operation.http;
    const params = operation.batch ? operation.example.params : exampleParams(operation);
    const inPath = pathParameters(operation);
    const target = path.replace(/:(\w+)/g, (_, name: string) => String(params[name] ?? name));
    const rest = Object.entries(params).filter(([name]) => !inPath.includes(name));
    const host = this.#options.environment === undefined ? '...' : this.#options.serverUrl.split('/')[2];
    const head = (query: string) => `${method} ${target}${query} HTTP/1.1\nHost: ${host}\nAuthorization: OAuth ...`;
    if (operation.batch) {
      return `${head('')}\nContent-Type: application/json\n\n${stringifyJson(params['operations'])}`;
    }
    const encoded = formEncode(rest.map(([name, value]): [string, string] => [name, plain(value)])).replaceAll(
      '%2C',
      ',',
    );
    if (rest.length === 0) return head('');
    if (isRead(operation) || method === 'DELETE') return head(`?${encoded}`);
    return `${head('')}\nContent-Type: application/x-www-form-urlencoded\n\n${encoded}`;
  }

  errors(operations: readonly AnyOperation[]): Html {
    const used = new Set<ErrorName>(operations.flatMap((operation) => errorsOf(operation)));
    for (const name of ['ROUTE_NOT_FOUND', 'METHOD_NOT_ALLOWED'] as const) used.add(name);
    const byStatus = [...Map.groupBy(used, errorStatus)].sort(([one], [other]) => one - other);
    return html`<section id="errors" class="part">
  <h2>Errors</h2>
  <p>What a program decides by is <code>code</code>; <code>message</code> is for people and can change.</p>
  ${byStatus.map(
    ([status, names]) =>
      html`<h3>${status}</h3><dl class="fields">${names
        .sort()
        .map(
          (name) =>
            html`<div><dt><code>${errorCode(name)}</code></dt><dd>${prose(errorCatalogue[name].message)}.</dd></div>`,
        )}</dl>`,
  )}
</section>`;
  }
}

/** Long names break after an underscore. */
function breakable(name: string): Html {
  return html`${name.split(/(?<=_)/).map((word, index) => html`${index > 0 && html`<wbr>`}${word}`)}`;
}

function rank(name: string, schema: z.ZodType, inPath: readonly string[]): number {
  if (inPath.includes(name)) return 0;
  return isRequired(schema) ? 1 : 2;
}

function markPath(path: string): Html {
  return html`${path.split(/(:\w+)/).map((part) => (part.startsWith(':') ? html`<var>{${part.slice(1)}}</var>` : part))}`;
}

function access({ access: who }: AnyOperation): Html {
  if (who.auth === 'operator') return html`Operator only`;
  if (!('capability' in who)) return html`Any signed-in user`;
  return html`${capabilities[who.capability].map((name, index) => html`${index > 0 ? ' ' : ''}<code>${name}</code>`)}`;
}

function limit({ rateLimit }: AnyOperation): string {
  if (rateLimit === null) return '';
  const { limit: most, window_ms, scope } = rateBucket(rateLimit);
  const minutes = window_ms / 60_000;
  const window = minutes === 1 ? 'a minute' : `${minutes} minutes`;
  return `${most.toLocaleString('en')} in ${window}${scope === 'category' ? ', all writes together' : ''}`;
}

/** The type of a field in a few words. */
function typeWords(schema: z.ZodType): string {
  const type = wireTypeOf(schema);
  if (!type) return 'object';
  switch (type.kind) {
    case 'text':
      return 'text';
    case 'long':
      return '64-bit number';
    case 'int':
      return 'number';
    case 'boolean':
      return 'true or false';
    case 'time':
      return 'time';
    case 'enum':
      return 'one of';
    case 'list':
      return type.values ? 'list of' : 'list';
  }
}

function details(schema: z.ZodType): Html {
  const type = wireTypeOf(schema);
  const text = descriptionOf(schema);
  const standing = defaultOf(schema);
  const values = type?.values ?? numbers(type?.json);
  const chips = html`${values.map((value) => html`<code>${value}</code> `)}`;
  return html`${text && prose(text)}
  ${standing !== undefined && html` <span class="default">Default <code>${plain(standing)}</code>.</span>`}
  ${values.length > 0 && values.length <= 14 && html`<p class="values">${chips}</p>`}
  ${values.length > 14 && html`<details class="values"><summary>${values.length} values</summary>${chips}</details>`}`;
}

function numbers(json: JsonSchema | undefined): readonly string[] {
  const values = json?.['enum'];
  return Array.isArray(values) ? values.map(String) : [];
}

function refusals(operation: AnyOperation): Html {
  const names = errorsOf(operation);
  return html`<details class="refusals"><summary>${names.length} errors</summary><ul>${names.map(
    (name) =>
      html`<li><b>${errorStatus(name)}</b> <code>${errorCode(name)}</code> ${prose(errorCatalogue[name].message)}.</li>`,
  )}</ul></details>`;
}

function sample(title: string, text: string): Html {
  return html`<figure><figcaption>${title}</figcaption><pre>${text}</pre></figure>`;
}

/** The parameters of the example, those of the path first. */
function sampleParams(operation: AnyOperation): Readonly<Record<string, unknown>> {
  const inPath = pathParameters(operation);
  const entries = Object.entries(exampleParams(operation));
  return Object.fromEntries([
    ...entries.filter(([name]) => inPath.includes(name)),
    ...entries.filter(([name]) => !inPath.includes(name)),
  ]);
}

function client(operation: AnyOperation): string {
  const params = operation.batch ? operation.example.params : sampleParams(operation);
  const input = Object.keys(params).length === 0 ? '' : literal(params, '');
  if (operation.http !== null) return `await client.${operation.id}(${input})`;
  return `await trpc.${operation.id}.${isRead(operation) ? 'query' : 'mutate'}(${input})`;
}

/** A value as TypeScript. */
function literal(value: unknown, indent: string): string {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'string') return `'${value.replace(/['\\]/g, '\\$&')}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const items = value.map((item) => literal(item, inner));
    const flat = `[${items.join(', ')}]`;
    return flat.length < 60 && !flat.includes('\n')
      ? flat
      : `[\n${items.map((item) => `${inner}${item},\n`).join('')}${indent}]`;
  }
  const members = Object.entries(value).map(([name, member]) => `${name}: ${literal(member, inner)}`);
  const flat = `{ ${members.join(', ')} }`;
  return flat.length < 60 && !flat.includes('\n')
    ? flat
    : `{\n${members.map((member) => `${inner}${member},\n`).join('')}${indent}}`;
}

function commandLine(operation: AnyOperation, environment: Environment | undefined): string {
  const kebab = (name: string) => name.replaceAll('_', '-');
  const words = ['broadside', ...operation.id.split('.').map(kebab)];
  const flags = Object.entries(exampleParams(operation)).map(
    ([name, value]) => `--${kebab(name)} ${quoted(plain(value))}`,
  );
  if (operation.http && (environment === 'sandbox' || operation.sandboxOnly)) flags.push('--sandbox');
  const line = [words.join(' '), ...flags];
  return line.join(' ').length < 60 ? line.join(' ') : line.join(' \\\n  ');
}

function quoted(text: string): string {
  return /^[\w.,:@/+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A value as it stands in a query or on a command line. */
function plain(value: unknown): string {
  return Array.isArray(value) ? value.map(plain).join(',') : String(value);
}

/** What a procedure gives: the data without the envelope of HTTP. */
function outcome(operation: AnyOperation): unknown {
  const { data } = exampleAnswer(operation);
  return data;
}

/** Sample calls of an operation and their responses, for each way to call it. */
import {
  type AnyOperation,
  type AuthOperation,
  authContract,
  type ByKind,
  type ControlOperation,
  type DataOperation,
  dispatch,
  isRead,
  type Operation,
  type OperationKind,
  type OperatorOperation,
  type PageOperation,
  pageContract,
  pathParameters,
  stringifyJson,
  type UploadOperation,
  uploadContract,
} from '@broadside/core';
import { formEncode } from '@broadside/core/auth';
import { type DocumentedInterface, exampleAnswer, exampleOutcome, exampleParams } from '@broadside/core/openapi';
import { type Html, html } from '../pages/design/html.ts';
import { curlCall } from './curl.ts';
import { exampleRequest, FILE, plain } from './example-request.ts';
import { jsonBlock } from './highlight.ts';
import { literal, Named, quoted } from './literal.ts';
import { pythonCall } from './python.ts';
import type { Shown } from './shown.ts';

/** Returns the address of what the reference describes: an operation or an entity. */
export type Href = (id: string) => string;

/** Surroundings of the samples. */
export interface SampleOptions {
  readonly environment: DocumentedInterface;
  readonly serverUrl: string;
  readonly href: Href;
  /** See `PageOptions`. */
  readonly trial?: boolean;
}

/** The id of an entity's description. */
export function entityId(name: string): string {
  return `e-${name}`;
}

/** Returns the samples of an operation. @param entity the name of its result, if the reference describes that entity */
export function samples(operation: Shown, options: SampleOptions, entity: string | undefined): Html {
  const request = exampleRequest(operation);
  const call = dispatch(clientCalls, operation);
  const line = dispatch(commands, operation, options);
  return html`<div class="calls">${figure('curl', curlCall(request, options.serverUrl), true)}
    ${figure('Python', pythonOf(operation, options))}
    ${call !== undefined && figure('TypeScript', call)}
    ${line !== undefined && figure('Command line', line)}</div>
    ${dispatch(answers, operation, options, entity)}`;
}

/** A page is opened in the browser of a person. */
function pythonOf(operation: Shown, { serverUrl }: SampleOptions): string {
  if (operation.kind !== 'page') return pythonCall(exampleRequest(operation), serverUrl);
  return `webbrowser.open(\n    "${serverUrl}${operation.http.path}?${formOf(exampleParams(operation))}",\n)`;
}

const clientCalls: ByKind<OperationKind, [], string | undefined> = {
  ads: clientCall,
  operator: procedureCall,
  control: procedureCall,
  auth: oauthCall,
  data: clientCall,
  upload: uploadCall,
  page: oauthCall,
};

const commands: ByKind<OperationKind, [options: SampleOptions], string | undefined> = {
  ads: commandLine,
  operator: commandLine,
  control: commandLine,
  auth: ({ id }) => otherCommands[id],
  data: commandLine,
  upload: uploadCommand,
  page: ({ id }) => otherCommands[id],
};

const answers: ByKind<OperationKind, [options: SampleOptions, entity: string | undefined], Html> = {
  ads: envelopedAnswer,
  control: envelopedAnswer,
  operator: (operation, { href }, entity) => {
    const many = operation.envelope !== 'entity' && operation.envelope !== 'message';
    return jsonFigure(html`Result${entityLink(entity, many, href)}`, exampleOutcome(operation));
  },
  auth: (operation, { href }, entity) => {
    const response = exampleAnswer(operation);
    const title = html`200${entityLink(entity, false, href)}`;
    return typeof response === 'string'
      ? figure(html`${title} form-encoded`, response, true)
      : jsonFigure(title, response);
  },
  data: (operation, { href }, entity) =>
    jsonFigure(html`200${entityLink(entity, true, href)}`, exampleAnswer(operation)),
  upload: (operation, { href }, entity) => {
    const { status = 200 } = operation.http;
    if (operation.envelope === 'nothing') return figure(`${status}`, 'No body', true);
    return jsonFigure(html`${status}${entityLink(entity, false, href)}`, exampleAnswer(operation));
  },
  page: () => {
    const { oauth_callback } = authContract.oauth.request_token.example.params;
    const { oauth_token, oauth_verifier } = authContract.oauth.access_token.example.params;
    const approved = formEncode([
      ['oauth_token', oauth_token],
      ['oauth_verifier', oauth_verifier],
    ]);
    return html`${figure('Approved: the browser goes to', `${oauth_callback}?${approved}`, true)}
    ${figure('Cancelled: the browser goes to', `${oauth_callback}?${formEncode([['denied', oauth_token]])}`, true)}`;
  },
};

function envelopedAnswer(
  operation: Operation | ControlOperation,
  { href }: SampleOptions,
  entity: string | undefined,
): Html {
  const many = operation.envelope !== 'entity' && operation.envelope !== 'message';
  return jsonFigure(html`200${entityLink(entity, many, href)}`, exampleAnswer(operation));
}

const { upload, status } = uploadContract.media;

const { request_token: begin, access_token: exchange, invalidate_token: revoke } = authContract.oauth;
const { token: bearer, invalidate_token: revokeBearer } = authContract.oauth2;
const { authorize, authenticate } = pageContract.oauth_pages;

/** Commands that are not named by the dotted id: one performs all the steps of signing in. */
const otherCommands: Readonly<Record<string, string>> = {
  ...Object.fromEntries([begin, authorize, authenticate, exchange].map(({ id }) => [id, 'broadside login'])),
  [revoke.id]: 'broadside logout',
};

/** One command performs all the steps of an upload. */
function uploadCommand(operation: UploadOperation): string {
  if (isRead(operation)) return `broadside media status ${status.example.params.media_id}`;
  return `broadside media upload ${FILE} --category ${upload.example.params.media_category ?? ''}`;
}

function uploadCall(operation: UploadOperation): string {
  const bytes = operation.bytes ? { [operation.bytes.part]: new Named('bytes') } : {};
  return `await client.${operation.id}(${literal({ ...sampleParams(operation), ...bytes })})`;
}

function entityLink(name: string | undefined, many: boolean, href: Href): Html | undefined {
  if (name === undefined) return undefined;
  return html` <a href="${href(entityId(name))}">${many ? `list of ${name}` : name}</a>`;
}

function figure(title: Html | string, text: Html | string, wraps = false): Html {
  return html`<figure><figcaption>${title}</figcaption><pre${wraps && html` class="wraps"`}>${text}</pre></figure>`;
}

function jsonFigure(title: Html, value: unknown): Html {
  return figure(title, jsonBlock(value));
}

function formOf(params: Readonly<Record<string, unknown>>): string {
  return formEncode(Object.entries(params).map(([name, value]): [string, string] => [name, plain(value)]));
}

/** The client's functions for authentication, which are not methods named by the dotted id. */
const oauthCalls: Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => string>> = {
  [begin.id]: (params) => `await oauth.requestToken(${literal(params)})`,
  [authorize.id]: (params) => `oauth.authorizeUrl(${literal(params)})`,
  [authenticate.id]: (params) => `oauth.authenticateUrl(${literal(params)})`,
  [exchange.id]: (params) => {
    const { oauth_token_secret } = begin.example.data;
    return `await oauth.accessToken(${literal({ ...params, oauth_token_secret })})`;
  },
  [revoke.id]: () => 'await oauth.invalidateToken()',
  [bearer.id]: () => 'await oauth.bearerToken()',
  [revokeBearer.id]: (params) => `await oauth.invalidateBearerToken(${literal(params)})`,
};

function oauthCall(operation: AuthOperation | PageOperation): string | undefined {
  return oauthCalls[operation.id]?.(exampleParams(operation));
}

function clientCall(operation: Operation | DataOperation): string {
  return `await client.${operation.id}(${input(operation)})`;
}

function procedureCall(operation: OperatorOperation | ControlOperation): string {
  return `await trpc.${operation.id}.${isRead(operation) ? 'query' : 'mutate'}(${input(operation)})`;
}

function input(operation: Operation | OperatorOperation | ControlOperation | DataOperation): string {
  const params = operation.batch ? operation.example.params : sampleParams(operation);
  return Object.keys(params).length === 0 ? '' : literal(params);
}

/** The words of the command of an operation. Control is what all of the server's own commands do, so it is none of them. */
function commandWords(id: string): readonly string[] {
  const [first, second = '', ...others] = id.split('.');
  return first === 'control' ? [second === 'worlds' ? 'world' : second, ...others] : id.split('.');
}

/** Parameters of the example, path parameters first. */
function sampleParams(operation: AnyOperation): Readonly<Record<string, unknown>> {
  const inPath = pathParameters(operation);
  const entries = Object.entries(exampleParams(operation));
  return Object.fromEntries([
    ...entries.filter(([name]) => inPath.includes(name)),
    ...entries.filter(([name]) => !inPath.includes(name)),
  ]);
}

function commandLine(
  operation: Operation | OperatorOperation | ControlOperation | DataOperation,
  { environment }: SampleOptions,
): string {
  const kebab = (name: string) => name.replace(/[._]/g, '-');
  const words = ['broadside', ...commandWords(operation.id).map(kebab)];
  const params = operation.batch ? operation.example.params : exampleParams(operation);
  const inJson =
    operation.batch !== undefined ||
    ((operation.kind === 'ads' || operation.kind === 'control') && operation.body === 'json');
  const inPath = pathParameters(operation);
  const asFlags = Object.entries(params).filter(([name]) => !inJson || inPath.includes(name));
  const flags = asFlags.map(([name, value]) => `--${kebab(name)} ${quoted(plain(value))}`);
  if (inJson) {
    const rest = Object.fromEntries(Object.entries(params).filter(([name]) => !inPath.includes(name)));
    flags.push(`--data ${quoted(stringifyJson(operation.batch ? params['operations'] : rest))}`);
  }
  if (operation.kind !== 'operator' && operation.kind !== 'control' && environment === 'sandbox')
    flags.push('--sandbox');
  const line = [words.join(' '), ...flags];
  return line.join(' ').length < 60 ? line.join(' ') : line.join(' \\\n  ');
}

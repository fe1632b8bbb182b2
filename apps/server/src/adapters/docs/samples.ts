/** Sample calls of an operation and their responses, for each way to call it. */
import {
  type AnyOperation,
  type AuthOperation,
  authContract,
  type ByKind,
  type DataOperation,
  dispatch,
  type Environment,
  isRead,
  type Operation,
  type OperationKind,
  type OperationOfKind,
  type OperatorOperation,
  type PageOperation,
  pageContract,
  pathParameters,
  stringifyJson,
  type UploadOperation,
  uploadContract,
} from '@broadside/core';
import { formEncode, percentEncode } from '@broadside/core/auth';
import { exampleAnswer, exampleOutcome, exampleParams, isProtocolParameter, takesForm } from '@broadside/core/openapi';
import { type Html, html } from '../pages/design/html.ts';
import { jsonBlock } from './highlight.ts';
import { literal, Named, plain, quoted } from './literal.ts';

/** Base URLs of the sample calls. */
export interface SampleOptions {
  readonly environment: Environment | undefined;
  readonly serverUrl: string;
}

/** Any operation that the page shows. */
export type Shown = OperationOfKind<OperationKind>;

type Samples = readonly [options: SampleOptions, entity: string | undefined];

const byKind: ByKind<OperationKind, Samples, Html> = {
  ads: adsSamples,
  operator: operatorSamples,
  auth: authSamples,
  data: dataSamples,
  upload: uploadSamples,
  page: pageSamples,
};

/** Returns the samples of an operation. @param entity the name of its result, if the page describes that entity */
export function samples(operation: Shown, ...given: Samples): Html {
  return dispatch(byKind, operation, ...given);
}

function adsSamples(operation: Operation, options: SampleOptions, entity: string | undefined): Html {
  const link =
    entity === undefined
      ? undefined
      : entityLink(entity, operation.envelope !== 'entity' && operation.envelope !== 'message');
  return html`${sample('HTTP', http(operation, options))}
    ${sample('Client', clientCall(operation))}
    ${!operation.batch && operation.body !== 'json' && sample('Command line', commandLine(operation, options))}
    ${jsonFigure(html`200${link}`, exampleAnswer(operation))}`;
}

function operatorSamples(operation: OperatorOperation, options: SampleOptions, entity: string | undefined): Html {
  const link =
    entity === undefined
      ? undefined
      : entityLink(entity, operation.envelope !== 'entity' && operation.envelope !== 'message');
  return html`${sample('Client', procedureCall(operation))}
    ${sample('Command line', commandLine(operation, options))}
    ${jsonFigure(html`Result${link}`, exampleOutcome(operation))}`;
}

function authSamples(operation: AuthOperation, options: SampleOptions, entity: string | undefined): Html {
  const call = oauthCall(operation);
  const response = exampleAnswer(operation);
  const title = html`200${entity === undefined ? undefined : entityLink(entity, false)}`;
  return html`${figure('curl', curl(operation, options), true)}
    ${call !== undefined && figure('Client', call, true)}
    ${typeof response === 'string' ? figure(html`${title} form-encoded`, response, true) : jsonFigure(title, response)}`;
}

function dataSamples(operation: DataOperation, options: SampleOptions, entity: string | undefined): Html {
  const params = Object.entries(exampleParams(operation)).map(([name, value]): [string, string] => [
    name,
    plain(value),
  ]);
  const query = formEncode(params).replaceAll('%2C', ',');
  const request = [
    `curl ${quoted(`${options.serverUrl}${operation.http.path}?${query}`)}`,
    `-H "Authorization: Bearer $BEARER_TOKEN"`,
  ].join(' \\\n  ');
  const link = entity === undefined ? undefined : entityLink(entity, true);
  return html`${figure('curl', request, true)}
    ${sample('Client', clientCall(operation))}
    ${sample('Command line', commandLine(operation, options))}
    ${jsonFigure(html`200${link}`, exampleAnswer(operation))}`;
}

function uploadSamples(operation: UploadOperation, options: SampleOptions, entity: string | undefined): Html {
  const { status = 200 } = operation.http;
  const isEmpty = operation.envelope === 'nothing';
  const link = entity === undefined || isEmpty ? undefined : entityLink(entity, false);
  return html`${figure('curl', uploadCurl(operation, options), true)}
    ${sample('Client', uploadCall(operation))}
    ${commands[operation.id] !== undefined && sample('Command line', commands[operation.id] ?? '')}
    ${isEmpty ? figure(`${status}`, 'No body', true) : jsonFigure(html`${status}${link}`, exampleAnswer(operation))}`;
}

/** Sample of an upload step. Bytes come from a file on the caller's machine. */
function uploadCurl(operation: UploadOperation, { serverUrl }: SampleOptions): string {
  const { command, path, method } = operation.http;
  const params = exampleParams(operation);
  const inPath = pathParameters(operation);
  const target = path.replace(/:(\w+)/g, (_, name: string) => String(params[name] ?? name));
  const pairs = Object.entries({ ...(command === undefined ? {} : { command }), ...params })
    .filter(([name]) => !inPath.includes(name))
    .map(([name, value]): [string, string] => [name, plain(value)]);
  const query = isRead(operation) && pairs.length > 0 ? `?${formEncode(pairs)}` : '';
  const parts = [
    ...pairs.map(([name, value]) => `${name}=${value}`),
    ...(operation.bytes ? [`${operation.bytes.part}=@${FILE}`] : []),
  ];
  const body = isRead(operation) ? [] : parts.map((part) => `-F ${quoted(part)}`);
  const verb = method === 'POST' && body.length === 0 ? '-X POST ' : '';
  return [`curl ${verb}${quoted(`${serverUrl}${target}${query}`)}`, `-H 'Authorization: OAuth ...'`, ...body].join(
    ' \\\n  ',
  );
}

const FILE = 'photo.png';

const { upload, status } = uploadContract.media;

/** CLI commands for uploads: one performs all the steps. */
const commands: Readonly<Record<string, string>> = {
  [upload.id]: `broadside media upload ${FILE} --category ${upload.example.params.media_category ?? ''}`,
  [status.id]: `broadside media status ${status.example.params.media_id}`,
};

function uploadCall(operation: UploadOperation): string {
  const bytes = operation.bytes ? { [operation.bytes.part]: new Named('bytes') } : {};
  return `await client.${operation.id}(${literal({ ...sampleParams(operation), ...bytes })})`;
}

function pageSamples(page: PageOperation, { serverUrl }: SampleOptions): Html {
  const call = oauthCall(page);
  const { oauth_callback } = authContract.oauth.request_token.example.params;
  const { oauth_token, oauth_verifier } = authContract.oauth.access_token.example.params;
  const approved = formEncode([
    ['oauth_token', oauth_token],
    ['oauth_verifier', oauth_verifier],
  ]);
  const address = `${serverUrl}${page.http.path}?${formOf(exampleParams(page))}`;
  return html`${figure('Address', address, true)}
    ${call !== undefined && figure('Client', call, true)}
    ${figure('Approved: the browser goes to', `${oauth_callback}?${approved}`, true)}
    ${figure('Cancelled: the browser goes to', `${oauth_callback}?${formEncode([['denied', oauth_token]])}`, true)}`;
}

function entityLink(name: string, many: boolean): Html {
  return html` <a href="#e-${name}">${many ? `list of ${name}` : name}</a>`;
}

function sample(title: string, text: string): Html {
  return figure(title, text);
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

function http(operation: Operation, { serverUrl }: SampleOptions): string {
  const { method, path } = operation.http;
  const params = operation.batch ? operation.example.params : exampleParams(operation);
  const inPath = pathParameters(operation);
  const target = path.replace(/:(\w+)/g, (_, name: string) => String(params[name] ?? name));
  const rest = Object.entries(params).filter(([name]) => !inPath.includes(name));
  const host = serverUrl.split('/')[2];
  const head = (query: string) => `${method} ${target}${query} HTTP/1.1\nHost: ${host}\nAuthorization: OAuth ...`;
  if (operation.batch) {
    return `${head('')}\nContent-Type: application/json\n\n${stringifyJson(params['operations'])}`;
  }
  if (operation.body === 'json') {
    return `${head('')}\nContent-Type: application/json\n\n${stringifyJson(Object.fromEntries(rest))}`;
  }
  const encoded = formOf(Object.fromEntries(rest)).replaceAll('%2C', ',');
  if (rest.length === 0) return head('');
  if (isRead(operation) || method === 'DELETE') return head(`?${encoded}`);
  return `${head('')}\nContent-Type: application/x-www-form-urlencoded\n\n${encoded}`;
}

/** Sample call of an authentication endpoint. Dots stand for the parameters that a library adds when it signs. */
function curl(operation: AuthOperation, { serverUrl }: SampleOptions): string {
  const params = Object.entries(exampleParams(operation)).map(([name, value]): [string, string] => [
    name,
    plain(value),
  ]);
  const protocol = params.filter(([name]) => isProtocolParameter(name));
  const others = params.filter(([name]) => !isProtocolParameter(name));
  const pairs = [...protocol.map(([name, value]) => `${name}="${percentEncode(value)}"`), '...'];
  const proof =
    operation.access.auth === 'basic'
      ? '-u "$CONSUMER_KEY:$CONSUMER_SECRET"'
      : `-H 'Authorization: OAuth ${pairs.join(', ')}'`;
  const inForm = takesForm(operation) && others.length > 0;
  const body = inForm ? [`-d ${quoted(formEncode(others))}`] : [];
  const query = !inForm && others.length > 0 ? `?${formEncode(others)}` : '';
  const address = quoted(`${serverUrl}${operation.http.path}${query}`);
  return [`curl ${inForm ? '' : '-X POST '}${address}`, proof, ...body].join(' \\\n  ');
}

const { request_token: begin, access_token: exchange, invalidate_token: revoke } = authContract.oauth;
const { token: bearer, invalidate_token: revokeBearer } = authContract.oauth2;
const { authorize, authenticate } = pageContract.oauth_pages;

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

function procedureCall(operation: OperatorOperation): string {
  return `await trpc.${operation.id}.${isRead(operation) ? 'query' : 'mutate'}(${input(operation)})`;
}

function input(operation: Operation | OperatorOperation | DataOperation): string {
  const params = operation.batch ? operation.example.params : sampleParams(operation);
  return Object.keys(params).length === 0 ? '' : literal(params);
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

function commandLine(operation: Operation | OperatorOperation | DataOperation, { environment }: SampleOptions): string {
  const kebab = (name: string) => name.replace(/[._]/g, '-');
  const words = ['broadside', ...operation.id.split('.').map(kebab)];
  const flags = Object.entries(exampleParams(operation)).map(
    ([name, value]) => `--${kebab(name)} ${quoted(plain(value))}`,
  );
  if (operation.kind !== 'operator' && environment === 'sandbox') flags.push('--sandbox');
  const line = [words.join(' '), ...flags];
  return line.join(' ').length < 60 ? line.join(' ') : line.join(' \\\n  ');
}

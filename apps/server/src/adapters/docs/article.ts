/** Section of the page for one operation. */
import {
  type AuthOperation,
  type ByKind,
  type ControlOperation,
  capabilities,
  dispatch,
  type ErrorName,
  errorCatalogue,
  errorCode,
  errorNumber,
  errorStatus,
  errorsOf,
  fieldsOf,
  isRead,
  type Operation,
  type OperationKind,
  pathParameters,
  problemSlug,
  rateBucket,
  restatedMembers,
  restatedSentences,
  stringifyJson,
  type UploadOperation,
  uploadErrorNumber,
  uploadErrorStatus,
} from '@broadside/core';
import { isProtocolParameter, proofs, readersProof, takesForm, uploadersProof } from '@broadside/core/openapi';
import { type Html, html, prose } from '../pages/design/html.ts';
import { parameterList } from './fields.ts';
import { type SampleOptions, samples } from './samples.ts';
import type { Shown } from './shown.ts';
import { trialOf } from './trial.ts';

/** Renders the article of an operation. @param entity the name of its result, if the page describes that entity */
export function article(operation: Shown, options: SampleOptions, entity: string | undefined): Html {
  const { id, summary, description, http } = operation;
  const trial = options.trial ? trialOf(operation) : undefined;
  return html`<article id="${id}" class="operation"${trial && html` data-trial="${stringifyJson(trial)}"`}>
  <div class="words">
    <h3><a href="#${id}">${summary}</a></h3>
    <p class="route">${badge(operation)}<code>${http ? markPath(http.path) : `/trpc/${id}`}</code>${command(operation)}</p>
    ${http?.aliases?.map((alias) => html`<p class="alias">Also <code>${alias}</code></p>`)}
    ${description && html`<p>${prose(description)}</p>`}
    <ul class="facts">
      <li><code>${id}</code></li>
      ${operation.kind === 'ads' && operation.sandboxOnly && html`<li class="sandbox">Sandbox only</li>`}
      <li>${dispatch(accessByKind, operation)}</li>
      ${operation.rateLimit !== null && html`<li>${limit(operation)}</li>`}
    </ul>
    ${parameters(operation)}
    ${operation.kind !== 'page' && refusals(errorsOf(operation), operation)}
  </div>
  <div class="shown">${samples(operation, options, entity)}</div>
</article>`;
}

/** Returns the HTTP method, or `query` or `mutation` for a procedure. */
export function badge(operation: Shown): Html {
  const word = operation.kind !== 'operator' ? operation.http.method : isRead(operation) ? 'QUERY' : 'MUT';
  return html`<i class="method ${word.toLowerCase()}">${word}</i>`;
}

/** Example errors of an operation: codes or problem types, with HTTP statuses. */
interface ErrorStyle {
  readonly code: (name: ErrorName) => string | number;
  readonly status: (name: ErrorName) => number;
}

const words: ErrorStyle = { code: errorCode, status: errorStatus };
const numbers: ErrorStyle = { code: errorNumber, status: errorStatus };
const problems: ErrorStyle = { code: problemSlug, status: errorStatus };
const uploadNumbers: ErrorStyle = { code: uploadErrorNumber, status: uploadErrorStatus };

const errorStyles: ByKind<OperationKind, [], ErrorStyle> = {
  ads: () => words,
  operator: () => words,
  control: () => words,
  auth: () => numbers,
  data: () => problems,
  upload: ({ version }) => (version === '2' ? problems : uploadNumbers),
  page: () => words,
};

/** Groups operations by the form of their errors: operations whose errors look alike return the same object. */
export function errorStyleOf(operation: Shown): ErrorStyle {
  return dispatch(errorStyles, operation);
}

/** Returns the meaning of an error as a sentence. */
export function meaning(name: ErrorName): Html {
  const { message } = errorCatalogue[name];
  return prose(message.endsWith('.') ? message : `${message}.`);
}

function markPath(path: string): Html {
  return html`${path.split(/(:\w+)/).map((part) => (part.startsWith(':') ? html`<var>{${part.slice(1)}}</var>` : part))}`;
}

/** The parameter `command`, which discriminates operations of one path. */
function command(operation: Shown): Html | undefined {
  const name = operation.kind === 'upload' && operation.version === '1.1' ? operation.http.command : undefined;
  return name && html` <code>command=${name}</code>`;
}

const accessByKind: ByKind<OperationKind, [], Html> = {
  ads({ access }) {
    if (!('capability' in access)) return html`Any signed-in user`;
    const permissions = capabilities[access.capability];
    return html`${permissions.map((name, index) => html`${index > 0 ? ' ' : ''}<code>${name}</code>`)}`;
  },
  operator: () => html`Operator only`,
  control: () => html`Operator only`,
  auth: ({ access }) => html`${withoutStop(proofs[access.auth])}`,
  data: () => html`${withoutStop(readersProof)}`,
  upload: () => html`${withoutStop(uploadersProof)}`,
  page: () => html`For a person's browser`,
};

function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, '');
}

/** Returns the text after the figure of a rate limit: who shares it. */
const limitedByKind: ByKind<OperationKind, [bucket: ReturnType<typeof rateBucket>], string> = {
  ads(operation, { scope }) {
    if (scope === 'endpoint') return '';
    return isRead(operation) ? ', all lookups of this kind together' : ', all writes together';
  },
  operator: () => '',
  control: () => '',
  auth: () => ' for each app',
  data: (_, { app_limit }) =>
    app_limit === undefined ? '' : ` for each user, ${app_limit.toLocaleString('en')} for each app`,
  upload: (_, { app_day_limit = 0 }) => ` for each user, ${app_day_limit.toLocaleString('en')} in a day for each app`,
  page: () => ' for each address, all pages together',
};

function limit(operation: Shown): string {
  const { rateLimit } = operation;
  if (rateLimit === null) return '';
  const bucket = rateBucket(rateLimit);
  const minutes = bucket.window_ms / 60_000;
  const figure = `${bucket.limit.toLocaleString('en')} in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}`;
  const development = bucket.development_limit;
  const other = development === undefined ? '' : `, ${development} in development mode`;
  return `${figure}${other}${dispatch(limitedByKind, operation, bucket)}`;
}

function parameters(operation: Shown): Html {
  const restated = operation.kind === 'ads' ? restatedMembers(operation) : undefined;
  const { batch, exclusive } = operation.kind === 'page' ? {} : operation;
  const inPath = operation.kind === 'page' ? [] : pathParameters(operation);
  const fields = fieldsOf(operation.params).filter(([name]) => !(batch && name === 'operations'));
  const groups = (['Create', 'Update', 'Delete'] as const).flatMap((type) => {
    const schema = batch?.[type];
    return schema
      ? [html`<h4>Items with <code>operation_type</code> ${type}</h4>${parameterList(fieldsOf(schema))}`]
      : [];
  });
  return html`${fields.length > 0 && html`<h4>Parameters</h4>${parameterList(fields, inPath)}`}
    ${dispatch(placesByKind, operation)}
    ${batch && html`<p>The body is a JSON array of 1 to ${batch.max} items, each with <code>operation_type</code> and <code>params</code>.</p>`}
    ${groups}
    ${restated && html`<p class="restated">${prose(restatedSentences(restated).join(' '))}</p>`}
    ${exclusive?.map(([one, other]) => html`<p><code>${one}</code> and <code>${other}</code> cannot be used together.</p>`)}`;
}

/** Describes where parameters are sent, unless the method implies it. */
const placesByKind: ByKind<OperationKind, [], Html | undefined> = {
  ads: jsonPlaces,
  operator: () => undefined,
  control: jsonPlaces,
  auth: authPlaces,
  data: () => undefined,
  upload: uploadPlaces,
  page: () => undefined,
};

function jsonPlaces({ body }: Operation | ControlOperation): Html | undefined {
  return body === 'json' ? html`<p class="places">As a JSON object in the body.</p>` : undefined;
}

function authPlaces(operation: AuthOperation): Html | undefined {
  if (takesForm(operation)) return html`<p class="places">In a form body or in the query.</p>`;
  const protocol = Object.keys(operation.params.shape).filter(isProtocolParameter);
  if (protocol.length === 0) return undefined;
  const names = protocol.map((name, index) => html`${index > 0 && ' and '}<code>${name}</code>`);
  const verb = protocol.length === 1 ? 'stands' : 'stand';
  return html`<p class="places">${names} ${verb} in the <code>Authorization</code> header, in the query or in a form body.</p>`;
}

function uploadPlaces(operation: UploadOperation): Html | undefined {
  if (isRead(operation)) return undefined;
  const { bytes } = operation;
  return html`${
    bytes &&
    html`<p class="places">The bytes, up to ${bytes.max_bytes.toLocaleString('en')}, are required: as they are in the part <code>${bytes.part}</code> of
    <code>multipart/form-data</code>${bytes.base64 !== undefined && html`, or in base64 as the parameter <code>${bytes.base64}</code>`}.</p>`
  }
    <p class="places">Parameters stand in parts of <code>multipart/form-data</code>, in a form body, in a JSON body or in the query.</p>`;
}

function refusals(names: readonly ErrorName[], operation: Shown): Html {
  const { code, status } = errorStyleOf(operation);
  return html`<details class="refusals"><summary>${names.length} errors</summary><ul>${names.map(
    (name) => html`<li><b>${status(name)}</b> <code>${code(name)}</code> ${meaning(name)}</li>`,
  )}</ul></details>`;
}

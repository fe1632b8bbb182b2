/** What the page says of one operation. */
import {
  capabilities,
  type ErrorName,
  errorCatalogue,
  errorCode,
  errorNumber,
  errorStatus,
  errorsOf,
  fieldsOf,
  isRead,
  problemSlug,
  rateBucket,
  type UploadOperation,
  uploadErrorNumber,
  uploadErrorStatus,
} from '@broadside/core';
import { isProtocolParameter, proofs, readersProof, takesForm, uploadersProof } from '@broadside/core/openapi';
import { type Html, html, prose } from '../pages/design/html.ts';
import { parameterList } from './fields.ts';
import { isPage, type SampleOptions, type Shown, samples } from './samples.ts';

/** The article of an operation. @param entity the name of what it gives, if that is described on the page */
export function article(operation: Shown, options: SampleOptions, entity: string | undefined): Html {
  const { id, summary, description, http } = operation;
  const aliases = (http !== null && 'aliases' in http && http.aliases) || [];
  return html`<article id="${id}" class="operation">
  <div class="words">
    <h3><a href="#${id}">${summary}</a></h3>
    <p class="route">${badge(operation)}<code>${http ? markPath(http.path) : `/trpc/${id}`}</code>${command(operation)}</p>
    ${aliases.map((alias) => html`<p class="alias">Also <code>${alias}</code></p>`)}
    ${description && html`<p>${prose(description)}</p>`}
    <ul class="facts">
      <li><code>${id}</code></li>
      ${'sandboxOnly' in operation && operation.sandboxOnly && html`<li class="sandbox">Sandbox only</li>`}
      <li>${access(operation)}</li>
      ${operation.rateLimit !== null && html`<li>${limit(operation)}</li>`}
    </ul>
    ${parameters(operation)}
    ${!isPage(operation) && refusals(errorsOf(operation), operation)}
  </div>
  <div class="shown">${samples(operation, options, entity)}</div>
</article>`;
}

/** The method, or whether a procedure reads or writes. */
export function badge(operation: Shown): Html {
  const word = operation.http?.method ?? (!isPage(operation) && isRead(operation) ? 'QUERY' : 'MUT');
  return html`<i class="method ${word.toLowerCase()}">${word}</i>`;
}

/** The `code` of errors as an operation answers with them; the kind of the problem where it answers with problems. */
export function codeOf(operation: Shown): (name: ErrorName) => string | number {
  if (isPage(operation)) return errorCode;
  if (operation.kind === 'upload') return operation.version === '2' ? problemSlug : uploadErrorNumber;
  if (operation.kind === 'data') return problemSlug;
  return operation.kind === 'auth' ? errorNumber : errorCode;
}

/** The HTTP status of errors as an operation answers with them. */
export function statusOf(operation: Shown): (name: ErrorName) => number {
  const isNumbered = !isPage(operation) && operation.kind === 'upload' && operation.version === '1.1';
  return isNumbered ? uploadErrorStatus : errorStatus;
}

/** What an error means, as a sentence. */
export function meaning(name: ErrorName): Html {
  const { message } = errorCatalogue[name];
  return prose(message.endsWith('.') ? message : `${message}.`);
}

function markPath(path: string): Html {
  return html`${path.split(/(:\w+)/).map((part) => (part.startsWith(':') ? html`<var>{${part.slice(1)}}</var>` : part))}`;
}

/** What tells operations of one path apart. */
function command(operation: Shown): Html | undefined {
  if (isPage(operation) || operation.kind !== 'upload' || operation.version === '2') return undefined;
  const { command: name } = operation.http;
  return name && html` <code>command=${name}</code>`;
}

function access(operation: Shown): Html {
  if (isPage(operation)) return html`For a person's browser`;
  const { access: who } = operation;
  if (operation.kind === 'auth') return html`${proofs[operation.access.auth].replace(/\.$/, '')}`;
  if (operation.kind === 'data') return html`${readersProof.replace(/\.$/, '')}`;
  if (operation.kind === 'upload') return html`${uploadersProof.replace(/\.$/, '')}`;
  if (who.auth === 'operator') return html`Operator only`;
  if (!('capability' in who)) return html`Any signed-in user`;
  return html`${capabilities[who.capability].map((name, index) => html`${index > 0 ? ' ' : ''}<code>${name}</code>`)}`;
}

function limit(operation: Shown): string {
  const { rateLimit } = operation;
  if (rateLimit === null) return '';
  const { limit: most, app_limit, app_day_limit = 0, window_ms, scope } = rateBucket(rateLimit);
  const minutes = window_ms / 60_000;
  const figure = `${most.toLocaleString('en')} in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}`;
  if (app_limit !== undefined) return `${figure} for each user, ${app_limit.toLocaleString('en')} for each app`;
  if (isPage(operation)) return `${figure} for each address, all pages together`;
  if (operation.kind === 'auth') return `${figure} for each app`;
  if (operation.kind === 'upload') {
    return `${figure} for each user, ${app_day_limit.toLocaleString('en')} in a day for each app`;
  }
  return `${figure}${scope === 'category' ? ', all writes together' : ''}`;
}

function parameters(operation: Shown): Html {
  const batch = 'batch' in operation ? operation.batch : undefined;
  const exclusive = 'exclusive' in operation ? operation.exclusive : undefined;
  const inPath = [...(operation.http?.path ?? '').matchAll(/:(\w+)/g)].flatMap(([, name]) => name ?? []);
  const fields = fieldsOf(operation.params).filter(([name]) => !(batch && name === 'operations'));
  const groups = (['Create', 'Update', 'Delete'] as const).flatMap((type) => {
    const schema = batch?.[type];
    return schema
      ? [html`<h4>Items with <code>operation_type</code> ${type}</h4>${parameterList(fieldsOf(schema))}`]
      : [];
  });
  return html`${fields.length > 0 && html`<h4>Parameters</h4>${parameterList(fields, inPath)}`}
    ${places(operation)}
    ${batch && html`<p>The body is a JSON array of 1 to ${batch.max} items, each with <code>operation_type</code> and <code>params</code>.</p>`}
    ${groups}
    ${exclusive?.map(([one, other]) => html`<p><code>${one}</code> and <code>${other}</code> cannot be used together.</p>`)}`;
}

/** Where the parameters of an endpoint of authentication or of an upload stand. */
function places(operation: Shown): Html | undefined {
  if (isPage(operation)) return undefined;
  if (operation.kind === 'upload') return uploadPlaces(operation);
  if ('body' in operation && operation.body === 'json')
    return html`<p class="places">As a JSON object in the body.</p>`;
  if (operation.kind !== 'auth') return undefined;
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
  const code = codeOf(operation);
  const status = statusOf(operation);
  return html`<details class="refusals"><summary>${names.length} errors</summary><ul>${names.map(
    (name) => html`<li><b>${status(name)}</b> <code>${code(name)}</code> ${meaning(name)}</li>`,
  )}</ul></details>`;
}

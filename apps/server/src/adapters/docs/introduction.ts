/** Introduction that a reader needs before the first operation. */
import {
  ApiError,
  authContract,
  dataContract,
  numberedError,
  pageContract,
  requestProblem,
  uploadContract,
  wireError,
} from '@broadside/core';
import type { DocumentedInterface } from '@broadside/core/openapi';
import { type Html, html } from '../pages/design/html.ts';
import { jsonBlock } from './highlight.ts';
import { pythonSession } from './python.ts';
import type { Href } from './samples.ts';

interface IntroductionOptions {
  readonly environment: DocumentedInterface;
  readonly serverUrl: string;
  readonly href: Href;
}

/** Sections before the operations, by the ids that the contents link to. */
export function introduction(options: IntroductionOptions): Html {
  if (options.environment === 'control') return controlOfWorlds(options);
  return options.environment === undefined ? base(options) : advertising(options);
}

function address({ serverUrl }: IntroductionOptions): Html {
  return html`<p class="address"><span>Address</span><code>${serverUrl}</code></p>`;
}

/** The values that the samples leave out. */
function signing(): Html {
  return html`<p>The samples leave out what each request has in common. curl does not sign: dots stand for what a library, or
  <code>broadside api</code>, adds. Those in Python use this session:</p>
  <pre class="wraps">${pythonSession}</pre>`;
}

function base(options: IntroductionOptions): Html {
  const { request_token, access_token } = authContract.oauth;
  const { authorize, authenticate } = pageContract.oauth_pages;
  const { token } = authContract.oauth2;
  const { lookup } = dataContract.posts;
  const { initialize, append, finalize, status } = uploadContract.media;
  const link = ({ id, http }: { id: string; http: { method: string; path: string } }) =>
    html`<a href="${options.href(id)}">${http.method} ${http.path}</a>`;
  const [issue] = new ApiError({
    error: 'MISSING_PARAMETER',
    parameter: 'oauth_callback',
    message: '"oauth_callback" is a required parameter',
  }).issues;
  const empty = {
    error: 'INVALID_PARAMETER',
    parameter: 'ids',
    message: 'The `ids` query parameter can not be empty',
  } as const;
  return html`<section id="top" class="part lead">
  <h1>Authentication and data, endpoint by endpoint</h1>
  ${address(options)}
  <p>How an app gets the credentials with which it calls: the access token of a person by OAuth 1.0a in three legs, or a bearer
  token of its own. Both kinds can be revoked, and both open data retrieval: posts, their authors and their media. The access token of a person
  uploads media too. The advertising interface and its sandbox are other listeners, each with a reference of its own.</p>
  <ol class="legs">
    <li>${link(request_token)} gives the app a request token.</li>
    <li>The person's browser opens ${link(authorize)}, or ${link(authenticate)} to sign in to the app. The person
    approves, and comes back to the app with a verifier, or reads a PIN.</li>
    <li>${link(access_token)} exchanges both for the access token.</li>
  </ol>
  <p>${link(token)} gives the app its bearer token, with which ${link(lookup)} reads.</p>
</section>
<section id="requests" class="part">
  <h2>Requests</h2>
  <p>Most endpoints are signed with OAuth 1.0a (RFC 5849, HMAC-SHA1 or HMAC-SHA256); each says whose keys and which token sign. The
  signature covers the method, the URL, the query and a form body; each nonce is good for one request. HTTP Basic takes the key and
  the secret of the app, each percent-encoded. Authentication needs HTTPS; only a server in development mode, or one on the same
  machine, does without.</p>
  ${signing()}
  <p>Parameters of authentication come in the query string or in a form body, each name once. Those whose names begin with <code>oauth_</code> can
  stand in the <code>Authorization</code> header instead, beside the signature.</p>
  <p>Data retrieval takes lists, separated by commas. An object has its default fields only: <code>post.fields</code>,
  <code>user.fields</code> and the like name more, and <code>expansions</code> bring along in <code>includes</code> what belongs to
  it.</p>
  <p>Media are uploaded at once or in segments: ${link(initialize)} announces them, ${link(append)} sends a segment,
  ${link(finalize)} ends the upload, and ${link(status)} reports the progress of processing. Version 1.1 has one path for all of it, where
  <code>command</code> selects the step. In multipart bodies, parameters are not signed.</p>
  <p>The typed client has a function for each endpoint of authentication, and a method for each of data retrieval and of uploads;
  <code>client.media.upload(bytes)</code> takes all the steps:</p>
  <pre class="wraps">const oauth = createOAuth({ base_url: '${options.serverUrl}', consumer_key, consumer_secret });
const client = createClient({ base_url: '${options.serverUrl}', bearer_token });</pre>
</section>
<section id="answers" class="part">
  <h2>Answers</h2>
  <p>Request tokens and access tokens come as a form-encoded text, everything else as a JSON object. A rejection by authentication is
  JSON, and its errors have numbers. It lists every error that was found; the first determines the status. The endpoints below
  <code>/oauth2</code> have one error for whatever is wrong, and say in <code>details</code> what it was.</p>
  <pre>${jsonBlock({ errors: [numberedError(issue)] })}</pre>
  <p>Data retrieval answers with what it found. What is missing or not to be seen has a problem in <code>errors</code> beside it, and
  the status is 200 all the same. A request that is invalid as a whole is rejected with a problem (RFC 9457):</p>
  <pre>${jsonBlock(requestProblem([empty], options.serverUrl))}</pre>
  <p>Uploads of version 2 are rejected with such problems as well, those of version 1.1 with errors that have numbers.</p>
  <p>In development mode a rejected signature is explained in <code>diagnosis</code>: which mistake it fits, and what should have been
  signed.</p>
</section>
<section id="limits" class="part">
  <h2>Rate limits</h2>
  <p>Responses report the remaining quota in <code>x-rate-limit-limit</code>, <code>x-rate-limit-remaining</code> and
  <code>x-rate-limit-reset</code> (seconds since 1970). A request above the limit gets 429, or the one error of its endpoint, and
  counts as well; <code>retry-after</code> says in how many seconds to come again. A platform can set other figures than those on this
  page.</p>
</section>
${requests()}`;
}

function controlOfWorlds(options: IntroductionOptions): Html {
  const rejected = wireError({ error: 'WORLD_NOT_FOUND', parameter: 'world_id', value: 'w4k2m9xq' });
  return html`<section id="top" class="part lead">
  <h1>The control of worlds, operation by operation</h1>
  ${address(options)}
  <p>A world is a platform of its own: people, posts, advertising, credentials, a clock. One server has many; the one it starts with is
  <code>default</code>. Requests to the other listeners need nothing new: the credentials that they carry belong to one world, and so does
  the request.</p>
</section>
<section id="requests" class="part">
  <h2>Requests</h2>
  <p>Every request has the token of the operator as <code>Authorization: Bearer</code>. A server with a demo writes it to
  <code>operator.token</code> in its data directory. Parameters of POST and PUT are the members of a JSON object in the body.</p>
</section>
<section id="answers" class="part">
  <h2>Answers</h2>
  <p>A success has the parameters that were sent in <code>request</code> and what was asked for in <code>data</code>. A rejection lists
  every error that was found.</p>
  <pre>${jsonBlock({ errors: [rejected], request: { params: { world_id: 'w4k2m9xq' } } })}</pre>
</section>
<section id="limits" class="part">
  <h2>Rate limits</h2>
  <p>There are none here.</p>
</section>`;
}

function advertising(options: IntroductionOptions): Html {
  const sandbox =
    options.environment === 'sandbox' &&
    html`<p>This is the sandbox: nothing is served and nothing is charged, and some operations exist here only.</p>`;
  const rejected = wireError({
    error: 'MISSING_PARAMETER',
    message: '"name" is a required parameter',
    parameter: 'name',
  });
  return html`<section id="top" class="part lead">
  <h1>The advertising interface, operation by operation</h1>
  ${address(options)}
  ${sandbox}
  <p>Each operation has one name, such as <code>campaigns.create</code>. It is the method of the typed client, the words of
  the command line, the tRPC procedure and the <code>operationId</code> of the OpenAPI document.</p>
</section>
<section id="requests" class="part">
  <h2>Requests</h2>
  <p>Sign every request with OAuth 1.0a (RFC 5849, HMAC-SHA1 or HMAC-SHA256), with the keys of an app and the access token of a
  user. The signature covers the method, the URL, the query and a form body; each nonce is good for one request. The
  reference of the authentication listener explains how an app gets such a token.</p>
  ${signing()}
  <p>Parameters of POST and PUT come in a form body, in a JSON body or in the query string, each name once. Lists are separated by
  commas, or are arrays in JSON. Times have an offset, as in <code>2026-01-15T08:00:00Z</code>. On PUT an empty value removes what
  can be removed.</p>
  <p>An update takes back what was loaded: a client may send the whole entity, with what it changed. Members that cannot be changed are
  accepted where they are what the entity has, and rejected otherwise, with the value that holds. Those that change by themselves, such as
  <code>updated_at</code>, are passed over. Misspelt names are rejected all the same. Each update names its members of both kinds.</p>
  <p>Amounts of money are whole numbers in millionths of the currency unit: 5.50 is <code>5500000</code>. They and other 64-bit
  numbers are exact, so read them with a parser that keeps every digit.</p>
</section>
<section id="answers" class="part">
  <h2>Answers</h2>
  <p>A success has the parameters that were sent in <code>request</code> and what was asked for in <code>data</code>. Lists come in
  pages: pass <code>next_cursor</code> as <code>cursor</code> until it is null. A batch succeeds or fails as a whole, and reports the
  errors of each item in <code>operation_errors</code>.</p>
  <p>A rejection lists every error that was found; the first determines the status.</p>
  <pre>${jsonBlock({ errors: [rejected], request: { params: {} } })}</pre>
</section>
<section id="limits" class="part">
  <h2>Rate limits</h2>
  <p>Responses report the remaining quota in <code>x-rate-limit-limit</code>, <code>x-rate-limit-remaining</code> and
  <code>x-rate-limit-reset</code> (seconds since 1970); where an account is counted too, in the same with
  <code>x-account-rate-limit-</code>. A request above the limit gets 429 and counts as well; <code>retry-after</code> says in
  how many seconds to come again. The figures on this page are the published ones; a platform can set others.
  In development mode lookups without an account can be repeated far more often, since one listing of them takes several requests.</p>
</section>
${requests()}`;
}

/** The rules for every request of every listener. */
function requests(): Html {
  return html`<section id="request-ids" class="part">
  <h2>Ids of requests, and HEAD</h2>
  <p>Every answer has the id of its request in <code>x-request-id</code>. The log of the server has it too, with user, app and account:
  quote it when you ask the operator. HEAD is answered wherever GET is, with the same headers and no body, and counts as much.</p>
</section>`;
}

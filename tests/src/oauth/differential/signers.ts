/** Third-party signers: oauthlib and npm oauth. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { formPairs, type Pair } from '@broadside/core/auth';
import { OAuth } from 'oauth';
import { type Case, FORM, type Signed } from './requests.ts';

/** The interpreter that has oauthlib: Debian's own first, since that is where apt installs it. */
export function pythonWithOauthlib(): string | undefined {
  return ['/usr/bin/python3', 'python3'].find((python) => spawnSync(python, ['-c', 'import oauthlib']).status === 0);
}

/** The part of a URL that is in the request line. */
export function targetOf(url: string): string {
  const [, target = ''] = /^[a-z]+:\/\/[^/?]*(.*)$/i.exec(url) ?? [];
  return target.startsWith('/') ? target : `/${target}`;
}

interface OauthlibAnswer {
  readonly url: string;
  readonly authorization: string | null;
  readonly contentType: string | null;
  readonly body: string | null;
  readonly baseString: string;
}

/** Signs all cases with oauthlib, in one process. */
export function signWithOauthlib(python: string, cases: readonly Case[]): Signed[] {
  const script = fileURLToPath(new URL('./oauthlib-oracle.py', import.meta.url));
  const input = cases.map((one) => JSON.stringify({ ...one, url: one.origin + one.path + one.query })).join('\n');
  const run = spawnSync(python, [script], { input, encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (run.status !== 0) throw new Error(`oauthlib failed: ${run.stderr}`);
  const answers: OauthlibAnswer[] = run.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return answers.map((answer, index) => ({
    sent: {
      method: cases[index]?.method ?? '',
      target: targetOf(answer.url),
      authorization: answer.authorization ?? undefined,
      contentType: answer.contentType ?? undefined,
      body: answer.body ?? undefined,
    },
    baseString: answer.baseString,
  }));
}

/** `oauth_body_hash`, which oauthlib adds to a body that is not a form. */
function bodyHash(one: Case): Pair[] {
  if (one.body === null || one.contentType === FORM) return [];
  return [['oauth_body_hash', createHash('sha1').update(one.body).digest('base64')]];
}

/** The protocol parameters of a case that a signer does not add by itself. */
export function extras(one: Case): Pair[] {
  const pairs = bodyHash(one);
  if (one.callback !== null) pairs.push(['oauth_callback', one.callback]);
  if (one.verifier !== null) pairs.push(['oauth_verifier', one.verifier]);
  return pairs;
}

export function pairsOf(encoded: string): Pair[] {
  const pairs = formPairs(encoded, 1000);
  if (pairs === undefined || pairs === 'too many') throw new Error(`a case with a bad query or body: ${encoded}`);
  return pairs;
}

/** npm `oauth` with nonce, time and connection replaced; `watch` reports what it signed and would have sent. */
export function npmOauth(one: Case): { oauth: OAuth; watch: { signed: Signed | undefined } } {
  const oauth = new OAuth(null, null, one.consumerKey, one.consumerSecret, '1.0', null, one.signatureMethod);
  const watch: { signed: Signed | undefined } = { signed: undefined };
  let baseString = '';
  const make = oauth._createSignatureBase.bind(oauth);
  oauth._createSignatureBase = (method, url, parameters) => {
    baseString = make(method, url, parameters);
    return baseString;
  };
  oauth._getNonce = () => one.nonce;
  oauth._getTimestamp = () => one.timestamp;
  oauth._createClient = (_port, _hostname, method, target, headers) => {
    const sent = { method, target, authorization: headers.Authorization, contentType: headers['Content-Type'] };
    watch.signed = { sent, baseString };
    return {
      on: () => {},
      write: (written) => {
        watch.signed = { sent: { ...sent, body: written }, baseString };
      },
      end: () => {},
    };
  };
  return { oauth, watch };
}

export function signWithNpm(one: Case): Signed {
  const { oauth, watch } = npmOauth(one);
  const form = one.contentType === FORM && one.body !== null;
  const values = new Map<string, string[]>();
  for (const [key, value] of [...extras(one), ...(form ? pairsOf(one.body) : [])]) {
    values.set(key, [...(values.get(key) ?? []), value]);
  }
  const parameters = Object.fromEntries(values);
  const url = one.origin + one.path + one.query;
  oauth._performSecureRequest(
    one.token,
    one.tokenSecret ?? undefined,
    one.method,
    url,
    form || values.size > 0 ? parameters : null,
    form ? null : one.body,
    // A GET without a content type would be sent as a form, which is not tested here.
    one.contentType ?? 'text/plain',
  );
  if (watch.signed === undefined) throw new Error('npm oauth sent nothing');
  return watch.signed;
}

/** Classes 1 to 3 of the head of this file. */
export function npmIsWrong(one: Case): boolean {
  const inQuery = pairsOf(one.query.slice(1)).map(([key]) => key);
  const inForm = one.contentType === FORM && one.body !== null ? pairsOf(one.body).map(([key]) => key) : [];
  const twice = new Set(inQuery).size < inQuery.length;
  return twice || inQuery.some((key) => inForm.includes(key)) || one.origin.includes('[');
}

/** Calls with curl. Dots stand for the parameters that a library adds when it signs. */
import { stringifyJson } from '@broadside/core';
import { formEncode, percentEncode } from '@broadside/core/auth';
import { type ExampleBody, type ExampleRequest, FILE, type Pairs, type Proof } from './example-request.ts';
import { quoted } from './literal.ts';

/** Writes the call. */
export function curlCall({ method, path, query, body, proof }: ExampleRequest, serverUrl: string): string {
  const usual = body === undefined ? 'GET' : 'POST';
  // With -X, curl would wait for the body of a HEAD.
  const verb = method === usual ? '' : method === 'HEAD' ? '-I ' : `-X ${quoted(method)} `;
  const search = query.length > 0 ? `?${encoded(query)}` : '';
  // Otherwise curl expands brackets, and takes dots out of the path.
  const asIs = `${/[[\]{}]/.test(path) ? '-g ' : ''}${/\/\.{1,2}(?:\/|$)/.test(path) ? '--path-as-is ' : ''}`;
  const parts = [`curl ${verb}${asIs}${quoted(`${serverUrl}${path}${search}`)}`, ...proofOf(proof), ...contentOf(body)];
  return parts.join(' \\\n  ');
}

/** Encodes parameters; commas between the elements of a list stay readable. */
function encoded(pairs: Pairs): string {
  return formEncode(pairs).replaceAll('%2C', ',');
}

function proofOf(proof: Proof): readonly string[] {
  switch (proof.scheme) {
    case 'bearer':
      return ['-H "Authorization: Bearer $BEARER_TOKEN"'];
    case 'operator':
      return ['-H "Authorization: Bearer $OPERATOR_TOKEN"'];
    case 'basic':
      return ['-u "$CONSUMER_KEY:$CONSUMER_SECRET"'];
    case 'none':
      return [];
    case 'oauth1': {
      const protocol = proof.protocol.map(([name, value]) => `${name}="${percentEncode(value)}"`);
      return [`-H 'Authorization: OAuth ${[...protocol, '...'].join(', ')}'`];
    }
  }
}

function contentOf(body: ExampleBody | undefined): readonly string[] {
  if (body === undefined) return [];
  if ('form' in body) return [`-d ${quoted(encoded(body.form))}`];
  if ('json' in body) return ["-H 'Content-Type: application/json'", `-d ${quoted(stringifyJson(body.json))}`];
  // Of --data, an @ at the beginning would name a file.
  if ('text' in body) return [`-H ${quoted(`Content-Type: ${body.type}`)}`, `--data-raw ${quoted(body.text)}`];
  if ('bytes' in body) return [`-H ${quoted(`Content-Type: ${body.type}`)}`, `--data-binary @${quoted(body.bytes)}`];
  return [
    // A value that begins with @ or < would name a file.
    ...body.parts.map(
      ([name, value]) => `${/^[@<]|;/.test(value) ? '--form-string' : '-F'} ${quoted(`${name}=${value}`)}`,
    ),
    ...(body.file ? [`-F ${quoted(`${body.file}=@${FILE}`)}`] : []),
  ];
}

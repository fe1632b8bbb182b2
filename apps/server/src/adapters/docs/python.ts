/** Calls in Python, with requests and requests-oauthlib. */
import { type ExampleBody, type ExampleRequest, FILE, type Pairs, type Proof } from './example-request.ts';

/** The session that signs, as the introduction of the reference makes it: the samples use it. */
export const pythonSession = `import requests
from requests_oauthlib import OAuth1Session

session = OAuth1Session(
    consumer_key,
    client_secret=consumer_secret,
    resource_owner_key=access_token,
    resource_owner_secret=access_token_secret,
)`;

/** Writes the call. */
export function pythonCall(request: ExampleRequest, serverUrl: string): string {
  const { method, path, query, body, proof } = request;
  const { caller, argument } = callers(proof);
  const args = [
    `"${serverUrl}${path}"`,
    ...(query.length > 0 ? [`params=${dictionary(query)}`] : []),
    ...bodyArguments(body),
    ...(argument === undefined ? [] : [argument]),
  ];
  const flat = args.join(', ');
  const call = `${caller}.${method.toLowerCase()}`;
  return flat.length < 60 && !flat.includes('\n')
    ? `${call}(${flat})`
    : `${call}(\n${args.map((one) => `    ${one.replaceAll('\n', '\n    ')},\n`).join('')})`;
}

interface Caller {
  readonly caller: string;
  /** The arguments that are added to each call. */
  readonly argument?: string;
}

/** Names of the protocol parameters in requests-oauthlib. */
const protocolNames: Readonly<Record<string, string>> = { oauth_callback: 'callback_uri', oauth_verifier: 'verifier' };

function callers(proof: Proof): Caller {
  switch (proof.scheme) {
    case 'bearer':
      return { caller: 'requests', argument: 'headers={"Authorization": f"Bearer {bearer_token}"}' };
    case 'operator':
      return { caller: 'requests', argument: 'headers={"Authorization": f"Bearer {operator_token}"}' };
    case 'basic':
      return { caller: 'requests', argument: 'auth=(consumer_key, consumer_secret)' };
    case 'none':
      return { caller: 'requests' };
    case 'oauth1': {
      const { token, protocol } = proof;
      if (token === 'user') return { caller: 'session' };
      const args = [
        'consumer_key',
        'client_secret=consumer_secret',
        ...(token === 'request' ? ['resource_owner_key=oauth_token', 'resource_owner_secret=oauth_token_secret'] : []),
        ...protocol.flatMap(([name, value]) => {
          const known = protocolNames[name];
          return known === undefined ? [] : [`${known}=${text(value)}`];
        }),
      ];
      return { caller: `OAuth1Session(\n${args.map((one) => `    ${one},\n`).join('')})` };
    }
  }
}

function bodyArguments(body: ExampleBody | undefined): readonly string[] {
  if (body === undefined) return [];
  if ('form' in body) return [`data=${dictionary(body.form)}`];
  if ('json' in body) return [`json=${pythonLiteral(body.json)}`];
  if ('text' in body) {
    return [`data=${text(body.text)}.encode()`, `headers={"Content-Type": ${text(body.type)}}`];
  }
  if ('bytes' in body) {
    return [`data=open(${text(body.bytes)}, "rb")`, `headers={"Content-Type": ${text(body.type)}}`];
  }
  const { parts, file } = body;
  if (file === undefined) return [`files=${dictionary(parts, (value) => `(None, ${text(value)})`)}`];
  return [
    ...(parts.length > 0 ? [`data=${dictionary(parts)}`] : []),
    `files={${text(file)}: open(${text(FILE)}, "rb")}`,
  ];
}

function dictionary(pairs: Pairs, written: (value: string) => string = text): string {
  return braced(
    '{',
    '}',
    pairs.map(([name, value]) => `${text(name)}: ${written(value)}`),
  );
}

function pythonLiteral(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return braced('[', ']', value.map(pythonLiteral));
  if (typeof value !== 'object') return String(value);
  return braced(
    '{',
    '}',
    Object.entries(value).map(([name, member]) => `${text(name)}: ${pythonLiteral(member)}`),
  );
}

function braced(open: string, close: string, items: readonly string[]): string {
  const flat = `${open}${items.join(', ')}${close}`;
  if (flat.length < 60 && !flat.includes('\n')) return flat;
  return `${open}\n${items.map((item) => `    ${item.replaceAll('\n', '\n    ')},\n`).join('')}${close}`;
}

/** The escapes of JSON are those of Python. */
function text(value: string): string {
  return JSON.stringify(value);
}

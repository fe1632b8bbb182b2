/**
 * A client that signs by RFC 5849, or with any requested mistake. It is independent of the code under test, so that an
 * error in one is not hidden by the other.
 */
import { nodeHmac } from './node-hmac.ts';
import type { Random } from './random.ts';

type Place = 'header' | 'query' | 'form';

export interface Parameter {
  readonly name: string;
  readonly value: string;
  readonly place: Place;
}

/** A request before it is signed. */
export interface Plan {
  readonly method: string;
  readonly scheme: string;
  readonly host: string;
  /** `''` for the default port. */
  readonly port: string;
  readonly prefix: string;
  /** As sent. */
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  /** Undefined for no form body. */
  readonly form: readonly (readonly [string, string])[] | undefined;
  readonly body: string | undefined;
  readonly contentType: string | undefined;
  readonly place: Place;
  /** Protocol parameters in sending order, without the signature. */
  readonly protocol: readonly (readonly [string, string])[];
  readonly realm: string | undefined;
  readonly secrets: { readonly consumer: string; readonly token: string | undefined };
  readonly headers: Readonly<Record<string, string>>;
  readonly otherBases: readonly string[];
}

/** A plan as sent on the wire. */
export interface Sent {
  readonly method: string;
  readonly target: string;
  readonly authorization: string | undefined;
  readonly contentType: string | undefined;
  readonly body: string | undefined;
}

export const NOW = 1_790_000_000;
export const FORM = 'application/x-www-form-urlencoded';
const WORD = 'abcdefghijklmnopqrstuvwxyz';
const ALNUM = `${WORD}ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789`;
const RESERVED = ":/?#[]@!$&'()*+,;=%";
const TEXT = `${ALNUM}${RESERVED}  -._~"<>\\^\`{|}éüßñ€漢字😀`;
const unreserved = /[A-Za-z0-9\-._~]/;
const utf8 = new TextEncoder();

export function hex(byte: number): string {
  return `%${byte < 16 ? '0' : ''}${byte.toString(16).toUpperCase()}`;
}

/** Encodes by RFC 5849 section 3.6, byte by byte. */
export function enc(text: string): string {
  if (/^[A-Za-z0-9\-._~]*$/.test(text)) return text;
  return encBut(text, '');
}

/** Like {@link enc}, with some more characters left raw. */
export function encBut(text: string, raw: string): string {
  let encoded = '';
  for (const character of text) {
    if (unreserved.test(character) || raw.includes(character)) encoded += character;
    else for (const byte of utf8.encode(character)) encoded += hex(byte);
  }
  return encoded;
}

export function parametersOf(plan: Plan): Parameter[] {
  const at =
    (place: Place) =>
    ([name, value]: readonly [string, string]) => ({ name, value, place });
  const protocol = plan.protocol.map(at(plan.place));
  return [
    ...(plan.place === 'header' ? protocol : []),
    ...plan.query.map(at('query')),
    ...(plan.place === 'query' ? protocol : []),
    ...(plan.form ?? []).map(at('form')),
    ...(plan.place === 'form' ? protocol : []),
  ];
}

export function isOwn(parameter: Parameter): boolean {
  return !parameter.name.startsWith('oauth_');
}

export function addressOf(plan: Plan): string {
  return `${originOf(plan)}${plan.prefix}${plan.path}`;
}

export function originOf(plan: Pick<Plan, 'scheme' | 'host' | 'port'>): string {
  return plan.port === '' ? `${plan.scheme}://${plan.host}` : `${plan.scheme}://${plan.host}:${plan.port}`;
}

export type Encoded = readonly [string, string];

export function sorted(pairs: readonly Encoded[]): Encoded[] {
  return [...pairs].sort(([a, b], [c, d]) => (a < c ? -1 : a > c ? 1 : b < d ? -1 : b > d ? 1 : 0));
}

export function joined(pairs: readonly Encoded[]): string {
  return pairs.map(([name, value]) => `${name}=${value}`).join('&');
}

/** Returns the parameter string, with another encoding if given. */
export function normalized(parameters: readonly Parameter[], encode: (text: string) => string = enc): string {
  return joined(sorted(parameters.map(({ name, value }) => [encode(name), encode(value)])));
}

export function baseString(method: string, address: string, parameters: string): string {
  return `${method}&${enc(address)}&${enc(parameters)}`;
}

export function rightText(plan: Plan): string {
  return baseString(plan.method, addressOf(plan), normalized(parametersOf(plan)));
}

export function rightKey(plan: Plan): string {
  return `${enc(plan.secrets.consumer)}&${enc(plan.secrets.token ?? '')}`;
}

function methodOf(plan: Plan): string {
  return plan.protocol.find(([name]) => name === 'oauth_signature_method')?.[1] ?? '';
}

export function digestOf(plan: Plan): 'sha1' | 'sha256' {
  return methodOf(plan) === 'HMAC-SHA256' ? 'sha256' : 'sha1';
}

export function rightSignature(plan: Plan): string {
  return nodeHmac(digestOf(plan), rightKey(plan), rightText(plan));
}

/** Writes the request as it goes over the wire. */
export function send(plan: Plan, signature: string, random: Random): Sent {
  const credentials: Encoded[] = [...plan.protocol, ['oauth_signature', signature]];
  const wire = (pairs: readonly Encoded[]) =>
    pairs.map(([name, value]) => `${onWire(name, random)}=${onWire(value, random)}`).join('&');
  const query = wire(plan.place === 'query' ? [...plan.query, ...credentials] : plan.query);
  const form = wire(plan.place === 'form' ? [...(plan.form ?? []), ...credentials] : (plan.form ?? []));
  const inHeader = [
    ...(plan.realm === undefined ? [] : [`realm="${plan.realm}"`]),
    ...credentials.map(([name, value]) => `${enc(name)}="${enc(value)}"`),
  ];
  return {
    method: plan.method,
    target: query === '' ? plan.path : `${plan.path}?${query}`,
    authorization: plan.place === 'header' ? `OAuth ${inHeader.join(', ')}` : undefined,
    contentType: plan.contentType,
    body: plan.form === undefined ? plan.body : form,
  };
}

/** Returns some encoding that decodes to the text: on the wire a client may leave more raw than in the base string. */
function onWire(text: string, random: Random): string {
  const encoded = random.chance(50) ? enc(text) : encBut(text, "!*'(),:/@$;?");
  return random.chance(30) ? encoded.replaceAll('%20', '+') : encoded;
}

/** Generates a random request. Given members are kept. */
export function randomPlan(random: Random, given: Partial<Plan> = {}): Plan {
  const method = random.pick(['GET', 'POST', 'PUT', 'DELETE', 'PATCH']);
  const mayHaveBody = method !== 'GET' && method !== 'DELETE';
  const isForm = given.form !== undefined || (!('form' in given) && mayHaveBody && random.chance(50));
  const json = !isForm && mayHaveBody && random.chance(50);
  const places: Place[] = isForm ? ['header', 'query', 'form'] : ['header', 'query'];
  const withToken = random.chance(75);
  const secretCharacters = random.chance(70) ? ALNUM : `${ALNUM}+/=&% `;
  const token = withToken ? random.text(secretCharacters, 20, 45) : undefined;
  const protocol: [string, string][] = [
    ['oauth_consumer_key', random.text(ALNUM, 10, 25)],
    ['oauth_nonce', random.text(random.chance(70) ? ALNUM : `${ALNUM}+/=`, 8, 32)],
    ['oauth_signature_method', random.pick(['HMAC-SHA1', 'HMAC-SHA256'])],
    ['oauth_timestamp', String(NOW - 250 + random.below(500))],
  ];
  if (withToken) protocol.push(['oauth_token', `${random.below(1e9)}-${random.text(ALNUM, 20, 40)}`]);
  if (random.chance(80)) protocol.push(['oauth_version', '1.0']);
  if (random.chance(15))
    protocol.push(['oauth_callback', random.pick(['oob', 'https://app.example.com/cb?x=1&y=a b'])]);
  if (random.chance(15)) protocol.push(['oauth_verifier', random.text(ALNUM, 7, 40)]);
  const scheme = random.pick(['http', 'https']);
  return {
    method,
    scheme,
    host: random.pick(['ads.example.com', 'api.example.org', '127.0.0.1', 'localhost', 'internal-7', '[::1]']),
    port: random.pick(['', '', '8001', '8443', '3000']),
    prefix: random.pick(['', '', '', '/ads', '/p/v1']),
    path: randomPath(random),
    query: randomPairs(random, 0, 4),
    form: isForm ? randomPairs(random, 1, 5) : undefined,
    body: json ? JSON.stringify({ name: random.text(TEXT, 0, 12), count: random.below(100) }) : undefined,
    contentType: isForm ? random.pick([FORM, `${FORM};charset=UTF-8`]) : json ? 'application/json' : undefined,
    place: random.pick(places),
    protocol: random.shuffled(protocol),
    realm: random.chance(20) ? random.text(ALNUM, 1, 10) : undefined,
    secrets: { consumer: random.text(secretCharacters, 20, 45), token },
    headers: {},
    otherBases: random.chance(50) ? ['http://127.0.0.1:9000', 'http://127.0.0.1:9002'] : [],
    ...given,
  };
}

function randomPath(random: Random): string {
  let path = '';
  for (let left = 1 + random.below(4); left > 0; left -= 1) {
    path += `/${random.pick(['12', 'accounts', random.text(ALNUM, 3, 11), random.text(`${ALNUM}-._~!*'(),:@$;`, 1, 6), encBut(random.text(TEXT, 1, 4), '')])}`;
  }
  return random.chance(10) ? `${path}/` : path;
}

/** Generates pairs with different names. */
export function randomPairs(random: Random, min: number, max: number, characters = TEXT): [string, string][] {
  const names = new Set<string>();
  for (let left = min + random.below(max - min + 1); left > 0; left -= 1) {
    names.add(
      random.chance(80) ? random.text(`${WORD}_`, 1, 12) : `${random.text(WORD, 1, 4)}${random.text(characters, 1, 4)}`,
    );
  }
  return [...names].map((name) => [name, random.chance(90) ? random.text(characters, 1, 20) : '']);
}

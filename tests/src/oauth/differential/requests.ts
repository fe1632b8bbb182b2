/** Random requests to sign, of what makes signatures difficult. */
import type { ReceivedRequest, SignatureMethod } from '@broadside/core/auth';
import fc from 'fast-check';

export const FORM = 'application/x-www-form-urlencoded';

export const SEED = 20_240_229;

export const CASES = 12_000;

/** A request to sign. */
export interface Case {
  readonly method: string;
  readonly origin: string;
  readonly path: string;
  /** The query as it is sent, with its `?`, or nothing. */
  readonly query: string;
  readonly body: string | null;
  readonly contentType: string | null;
  readonly place: 'header' | 'query' | 'form';
  readonly consumerKey: string;
  readonly consumerSecret: string;
  readonly token: string | null;
  readonly tokenSecret: string | null;
  readonly callback: string | null;
  readonly verifier: string | null;
  readonly nonce: string;
  readonly timestamp: string;
  readonly signatureMethod: SignatureMethod;
}

/** Request of a signer, and the base string that it signed. */
export interface Signed {
  readonly sent: ReceivedRequest;
  readonly baseString: string;
}

const ATOMS = [
  ...'aZ09-._~ +%&=/?!*\'(),;:@$"<>\\[]{}|^`#',
  'é',
  'ß',
  '☃',
  '漢',
  '😀',
  '👩‍👧',
  '\u0301',
  '\n',
  '\0',
  '\uFFFD',
];

const text = fc.string({ unit: fc.constantFrom(...ATOMS), maxLength: 8 });

const name = fc.oneof(text, fc.constantFrom('a', 'a1', 'a-', 'A', 'b', 'name', 'é', 'filter[]'));

/** Ways in which clients write one and the same text in a query or form body. */
const SPELLINGS: readonly ((text: string) => string)[] = [
  (raw) => encodeURIComponent(raw),
  (raw) => encodeURIComponent(raw).replaceAll('%20', '+'),
  (raw) => encodeURIComponent(raw).replace(/%../g, (triplet) => triplet.toLowerCase()),
  (raw) => Buffer.from(raw).toString('hex').replace(/../g, '%$&'),
  (raw) => encodeURIComponent(raw).replace(/%(2C|2F|3A|3B|3F|40|24)/g, decodeURIComponent),
];

/** `name=value` as sent; in names and values that hold a raw `=`, `&`, `+` or `%` these are always encoded. */
const piece = fc
  .record({
    name,
    value: text,
    spelling: fc.constantFrom(...SPELLINGS),
    bare: fc.boolean(),
    rawEquals: fc.boolean(),
    gap: fc.constantFrom('&', '&', '&', '&', '&&'),
  })
  .map(({ name: key, value, spelling, bare, rawEquals, gap }) => {
    const spelled = rawEquals ? spelling(value).replace(/%3D/gi, '=') : spelling(value);
    // A key without "=" must not be empty, or there is no pair at all.
    return (bare && value === '' && key !== '' ? spelling(key) : `${spelling(key)}=${spelled}`) + gap;
  });

const pieces = (minLength: number) =>
  fc.array(piece, { minLength, maxLength: 5 }).map((list) => list.join('').replace(/&$/, ''));

const segment = fc.constantFrom(
  ...[
    '',
    '12',
    'accounts',
    'a%20b',
    '%7E',
    '%7e',
    '~',
    '%C3%A9',
    '%2F',
    'a+b',
    "it's",
    '(x)',
    'a;v=1',
    'a:b',
    '@',
    '..',
    '.',
  ],
  ...['!$&*,=', '%F0%9F%98%80', '1.1', 'x.json'],
);

const path = fc.oneof(
  { weight: 1, arbitrary: fc.constant('') },
  { weight: 12, arbitrary: fc.array(segment, { minLength: 1, maxLength: 4 }).map((list) => `/${list.join('/')}`) },
);

const origin = fc
  .record({
    scheme: fc.constantFrom('http', 'https', 'HTTPS'),
    host: fc.constantFrom(
      'example.com',
      'ADS-api.Example.COM',
      '127.0.0.1',
      'localhost',
      'xn--mnchen-3ya.de',
      '[::1]',
      '[2001:DB8::1]',
    ),
    port: fc.constantFrom('', '', ':80', ':443', ':8001'),
  })
  .map(({ scheme, host, port }) => `${scheme}://${host}${port}`);

const body = fc.oneof(
  { weight: 2, arbitrary: fc.constant({ kind: 'none' as const }) },
  { weight: 2, arbitrary: pieces(1).map((form) => ({ kind: 'form' as const, form })) },
  { weight: 1, arbitrary: fc.dictionary(text, text, { maxKeys: 3 }).map((json) => ({ kind: 'json' as const, json })) },
);

const filled = fc.string({ unit: fc.constantFrom(...ATOMS), minLength: 1, maxLength: 12 });

const visible = fc.string({ unit: fc.constantFrom(..."aZ09-._~+/=!*'(),;:@&%"), minLength: 1, maxLength: 24 });

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });

export const requests: fc.Arbitrary<Case> = fc
  .record({
    bodyless: fc.constantFrom('GET', 'HEAD', 'DELETE', 'get', 'PATCH', 'OPTIONS'),
    bodied: fc.constantFrom('POST', 'PUT', 'POST', 'PUT'),
    origin,
    path,
    query: maybe(pieces(0)),
    body,
    place: fc.constantFrom('header' as const, 'header' as const, 'query' as const, 'form' as const),
    consumerKey: filled,
    consumerSecret: text,
    token: maybe(fc.record({ key: filled, secret: text })),
    callback: maybe(fc.oneof(filled, fc.constantFrom('oob', 'https://app.example.com/cb?x1=1&x2=a%20b', 'myapp://cb'))),
    verifier: maybe(filled),
    nonce: visible,
    timestamp: fc.integer({ min: 1, max: 4_000_000_000 }),
    signatureMethod: fc.constantFrom('HMAC-SHA1' as const, 'HMAC-SHA1' as const, 'HMAC-SHA256' as const),
  })
  .map(({ bodyless, bodied, query, body: content, token, place, ...rest }) => {
    const where = place === 'form' && content.kind !== 'form' ? 'query' : place;
    // oauthlib decodes twice outside the header.
    const protocol = (value: string) => (where === 'header' ? value : value.replaceAll('%', '_'));
    return {
      ...rest,
      method: content.kind === 'none' ? bodyless : bodied,
      query: query === null ? '' : `?${query}`,
      body: content.kind === 'form' ? content.form : content.kind === 'json' ? JSON.stringify(content.json) : null,
      contentType: content.kind === 'form' ? FORM : content.kind === 'json' ? 'application/json' : null,
      place: where,
      consumerKey: protocol(rest.consumerKey),
      token: token === null ? null : protocol(token.key),
      tokenSecret: token === null ? null : token.secret,
      callback: rest.callback === null ? null : protocol(rest.callback),
      verifier: rest.verifier === null ? null : protocol(rest.verifier),
      nonce: protocol(rest.nonce),
      timestamp: String(rest.timestamp),
    };
  });

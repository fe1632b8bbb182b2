/** Worst cases for the event loop of the server, of the largest size that each surface takes. */
import { MAX_JSON_ESCAPES } from '@broadside/core';
import { MAX_BODY_BYTES } from '@broadside/core/wire';
import { type Credentials, type Request, wire } from './wire.ts';

/** One case. */
export interface HoldCase {
  readonly name: string;
  /** The listener that it is sent to. */
  readonly base: string;
  /** The request as it goes over the wire, with a nonce of its own. */
  readonly make: () => Promise<Buffer>;
  /** How many times it is sent, one after the other. Once by default. */
  readonly times?: number;
  /** What it asks for is made by the first request, and kept. */
  readonly isOnce?: boolean;
}

const SIZE = MAX_BODY_BYTES - 1000;
/** Longest form that the advertising interface takes. */
const FORM = 250_000 - 1000;

const filled = (unit: string, size = SIZE) => unit.repeat(Math.floor(size / unit.length));
const members = (count: number, name = 'k') =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${name}${i}`, 1]));

/** Bodies of a batch of campaigns. */
const bodies: Readonly<Record<string, () => string>> = {
  'a number of millions of digits': () => `[${filled('1')}]`,
  'numbers as long as they may be': () => `[${Array(9_990).fill('1'.repeat(99)).join(',')}]`,
  'open arrays': () => filled('['),
  'empty objects': () => `[${filled('{},')}{}]`,
  'as many names as there may be': () => JSON.stringify([{ operation_type: 'Create', params: members(9_900) }]),
  'unknown names in every item': () =>
    JSON.stringify(
      Array.from({ length: 40 }, () => ({ operation_type: 'Create', params: members(240, 'campaign_nam') })),
    ),
  'a long name twice': () =>
    `[{"operation_type":"Create","params":{"${filled('x', SIZE / 2)}":1,"${filled('x', SIZE / 2 - 100)}":2}}]`,
  'a text': () => JSON.stringify([{ operation_type: 'Create', params: { name: filled('x', SIZE - 100) } }]),
  escapes: () => `[{"operation_type":"Create","params":{"name":"${filled('\\u0041', SIZE - 100)}"}}]`,
  'escaped quotes': () => `[{"operation_type":"Create","params":{"name":"${filled('\\"', SIZE - 100)}"}}]`,
  'as many escaped quotes as there may be': () =>
    `[{"operation_type":"Create","params":{"name":"${'\\"'.repeat(MAX_JSON_ESCAPES)}${filled('a', SIZE - 2 * MAX_JSON_ESCAPES - 100)}"}}]`,
  'combining characters': () =>
    JSON.stringify([{ operation_type: 'Create', params: { name: filled('a\u0301', SIZE / 2) } }]),
  blanks: () => `${filled(' ')}[]`,
  'no JSON': () => filled('x'),
};

/** Bodies of a batch of users in a dialect. */
const users: Readonly<Record<string, () => string>> = {
  hashes: () =>
    `[{"operation_type":"Update","params":{"users":[${filled(`{"twitter_id":["${'a'.repeat(64)}"]},`, SIZE - 100)}{}]}}]`,
  'short records': () =>
    `[{"operation_type":"Update","params":{"users":[${filled('{"twitter_id":1},', SIZE - 100)}{}]}}]`,
  'nothing but names': () => filled('"a":'),
  'names in an object': () => `[{${filled('"twitter_id":1,')}`,
};

const forms: Readonly<Record<string, (name: string) => Record<string, string>>> = {
  'quotes in a form': (name) => ({ [name]: filled("'", FORM / 3) }),
  'blanks in a form': (name) => ({ [name]: filled(' ', FORM) }),
  'commas in a form': (name) => ({ [name]: filled('a,', FORM / 4) }),
  'many parameters in a form': () =>
    Object.fromEntries(Array.from({ length: 980 }, (_, i) => [`p${i}`, filled('%', 300)])),
};

/** Requests that are signed. */
function signedCases(held: Credentials): readonly (readonly [name: string, request: Request])[] {
  const account = `/12/accounts/${held.account_id}`;
  const batch = `/12/batch/accounts/${held.account_id}/campaigns`;
  return [
    ...Object.entries(bodies).map(([name, json]) => [name, { method: 'POST', target: batch, json: json() }] as const),
    ...Object.entries(bodies).map(
      ([name, json]) => [`tRPC: ${name}`, { method: 'POST', target: '/trpc/campaigns.batch', json: json() }] as const,
    ),
    ...Object.entries(forms).map(
      ([name, form]) => [name, { method: 'POST', target: `${account}/campaigns`, form: form('name') }] as const,
    ),
    ['a query', { method: 'GET', target: `${account}/campaigns?campaign_ids=${filled('a,', 15_000)}` }],
    ['a cursor', { method: 'GET', target: `${account}/campaigns?cursor=${filled('W10', 15_000)}` }],
  ];
}

/** A host of the dialect that is shipped, which a server in development mode knows. */
const DIALECT = 'https://ads-api.twitter.com';

/** Requests in a dialect, where names and values are translated. */
function dialectCases({ account_id }: Credentials): readonly (readonly [name: string, request: Request])[] {
  const account = `/11/accounts/${account_id}`;
  const batch = `/11/batch/accounts/${account_id}/campaigns`;
  const audience = `${account}/custom_audiences/1/users`;
  const names: readonly (keyof typeof bodies)[] = [
    'empty objects',
    'as many names as there may be',
    'unknown names in every item',
    'a long name twice',
    'combining characters',
  ];
  return [
    ...Object.entries(users).map(
      ([name, json]) => [`users: ${name}`, { method: 'POST', target: audience, json: json() }] as const,
    ),
    ...names.map((name) => [name, { method: 'POST', target: batch, json: bodies[name]?.() ?? '' }] as const),
    ...Object.entries(forms).map(
      ([name, form]) => [name, { method: 'POST', target: `${account}/campaigns`, form: form('name') }] as const,
    ),
    ['a name again and again', { method: 'GET', target: `${account}/campaigns?${filled('campaign_ids=a&', 13_000)}` }],
    ['a path', { method: 'GET', target: `/11${filled('/tweets', 15_000)}` }],
    ['a version', { method: 'GET', target: `/${filled('1', 15_000)}/tweets` }],
  ];
}

const UPLOAD = 8 * 1024 * 1024 - 1000;
const DOCTOR = 48_000;

/** Forms with bytes in base64. As they are sent, a plus or a slash takes three characters. */
const uploads: Readonly<Record<string, () => string>> = {
  'letters in base64': () => filled('A', UPLOAD),
  'plus signs in base64': () => filled('+/', UPLOAD / 3),
  'blanks for base64': () => filled(' ', UPLOAD),
  'line breaks in base64': () => filled('A\n', UPLOAD / 2),
  'quotes for base64': () => filled("'", UPLOAD / 3),
  'characters beyond ASCII for base64': () => filled('\u00e9', UPLOAD / 6),
};

function uploadCases(): readonly (readonly [name: string, request: Request])[] {
  const target = '/1.1/media/upload.json';
  return Object.entries(uploads).flatMap(([name, text]) => [
    [`form with ${name}`, { method: 'POST', target, form: { media_data: text() } }] as const,
    [
      `JSON with ${name}`,
      { method: 'POST', target: '/2/media/upload', json: JSON.stringify({ media: text() }) },
    ] as const,
  ]);
}

/** Requests with a wrong signature, which the doctor looks into. */
function doctorCases(account: string): readonly (readonly [name: string, request: Request])[] {
  const many = (count: number, value: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, value]));
  const forms = {
    'one long parameter': { name: filled('a', DOCTOR) },
    'percent signs': { name: filled('%', DOCTOR / 3) },
    blanks: { name: filled(' ', DOCTOR) },
    'many parameters': many(900, filled('%2', 30)),
  };
  return [
    ...Object.entries(forms).map(
      ([name, form]) => [`doctor: ${name}`, { method: 'POST', target: `${account}/campaigns`, form }] as const,
    ),
    ['doctor: a query', { method: 'GET', target: `${account}/campaigns?${filled('a=%2520&', 15_000)}` }],
  ];
}

/** A request of given lines and a body. */
function raw(
  base: string,
  first: string,
  headers: Readonly<Record<string, string>>,
  body: string | Buffer = '',
): Buffer {
  const bytes = Buffer.from(body);
  const all = { host: new URL(base).host, connection: 'close', ...headers };
  const lines = [`${first} HTTP/1.1`, ...Object.entries(all).map(([name, value]) => `${name}: ${value}`)];
  if (bytes.length > 0) lines.push(`content-length: ${bytes.length}`);
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), bytes]);
}

const HEADER = 8_000;
const COOKIE = 30_000;
const TARGET = 16_000;
const form = { 'content-type': 'application/x-www-form-urlencoded' };

/** One in so many headers that can be read is looked at for its form. */
const LOOKED_AT = 16;

/** Headers that can be read, with all parameters that a signature needs. */
function readableCases(base: string, path: string): readonly HoldCase[] {
  const needed =
    'oauth_consumer_key="k", oauth_nonce="n", oauth_signature="abc%3D", oauth_signature_method="HMAC-SHA1", oauth_timestamp="1700000000"';
  const headers: Readonly<Record<string, (length: number) => string>> = {
    letters: (length) => `${needed}, X="${filled('a', length)}"`,
    'letters before an equals sign': (length) => `${needed}, X="${filled('a', length)}="`,
    'a long name': (length) => `${needed}, ${filled('a', length)}=""`,
    'many parameters': (length) => `${needed}${filled(', a=""', length / 2)}`,
    'percent signs': (length) => `${needed}, X="${filled('%25', length)}"`,
    'escaped quotes': (length) => `realm="${filled('\\"', length)}", ${needed}`,
    backslashes: (length) => `realm="${filled('\\\\', length)}", ${needed}`,
    blanks: (length) => `${filled(' ', length)}${needed}`,
    commas: (length) => `${needed}${filled(',', length)}`,
  };
  // Each time one that was not sent before: otherwise it would be read by its form.
  let length = HEADER - needed.length;
  return Object.entries(headers).map(([name, headerOf]) => ({
    name: `authorization that can be read: ${name}`,
    base,
    times: LOOKED_AT,
    make: async () => raw(base, `GET ${path}`, { authorization: `OAuth ${headerOf(length--)}` }),
  }));
}

/** Requests that are not signed, or whose signature is nothing but characters. */
function rawCases({ ads_base_url: ads, base_url: api, account_id }: Credentials): readonly HoldCase[] {
  const path = `/12/accounts/${account_id}/campaigns`;
  const headers: Readonly<Record<string, string>> = {
    'many parameters': `OAuth ${filled('a="",', HEADER)}`,
    'a long value': `OAuth oauth_nonce="${filled('a', HEADER - 50)}"`,
    'percent signs': `OAuth oauth_nonce="${filled('%25', HEADER - 50)}"`,
    quotes: `OAuth ${filled('"', HEADER)}`,
    blanks: `OAuth ${filled(' ', HEADER)}a="b"`,
    'equals signs': `OAuth ${filled('=', HEADER)}`,
    'too long': `OAuth ${filled('a="b", ', 30_000)}`,
    Basic: `Basic ${filled('A', HEADER)}`,
    Bearer: `Bearer ${filled('A', HEADER)}`,
  };
  const queries: Readonly<Record<string, string>> = {
    ampersands: filled('&', TARGET),
    'many parameters': filled('a=1&', TARGET),
    'percent signs': `a=${filled('%41', TARGET)}`,
    'equals signs': filled('=', TARGET),
    blanks: `a=${filled('+', TARGET)}`,
  };
  const pages = ['/sign-in', '/oauth/authorize'];
  const forms: Readonly<Record<string, string>> = {
    'a long name': `username_or_email=${filled('a', FORM)}`,
    'a long password': `username_or_email=demo&password=${filled('%61', FORM)}`,
    'many parameters': filled('a=1&', FORM),
    'percent signs': `password=${filled('%25', FORM)}`,
    'bytes that are no text': `password=${filled('%9F', FORM)}`,
  };
  const calls = Array(90).fill('campaigns.list').join(',');
  const input = encodeURIComponent(JSON.stringify(members(200, '')));
  const one = (name: string, base: string, make: () => Buffer): HoldCase => ({ name, base, make: async () => make() });
  return [
    ...Object.entries(headers).map(([name, authorization]) =>
      one(`authorization: ${name}`, ads, () => raw(ads, `GET ${path}`, { authorization })),
    ),
    ...readableCases(ads, path),
    ...Object.entries(queries).flatMap(([name, query]) => [
      one(`query: ${name}`, ads, () => raw(ads, `GET ${path}?${query}`, {})),
      one(`query of a page: ${name}`, api, () => raw(api, `GET /oauth/authorize?${query}`, {})),
    ]),
    ...pages.flatMap((page) =>
      Object.entries(forms).map(([name, body]) =>
        one(`form of ${page}: ${name}`, api, () => raw(api, `POST ${page}`, { ...form, origin: api }, body)),
      ),
    ),
    one('cookies', api, () => raw(api, 'GET /sign-in', { cookie: filled('a=b; ', COOKIE) })),
    one('one cookie', api, () => raw(api, 'GET /settings', { cookie: `session=${filled('%41', COOKIE)}` })),
    one('a batch of tRPC', ads, () => raw(ads, `GET /trpc/${calls}?batch=1&input=${input}`, {})),
    one('a batch of tRPC, posted', ads, () =>
      raw(
        ads,
        `POST /trpc/${calls}?batch=1`,
        { 'content-type': 'application/json', authorization: 'OAuth a="b"' },
        `{"0":${filled('[', SIZE)}`,
      ),
    ),
  ];
}

/** Bodies of parts, whose requests are signed: a signature does not cover them. */
function multipartCases(held: Credentials): readonly HoldCase[] {
  const part = (name: string, header: string, content: string) =>
    `--b\r\ncontent-disposition: form-data; name="${name}"${header}\r\n\r\n${content}\r\n`;
  const bodies: Readonly<Record<string, () => string>> = {
    'many tiny parts': () => `${filled(part('a', '', ''), SIZE)}--b--`,
    'many tiny files': () => `${filled(part('media', '; filename="a"', 'x'), SIZE)}--b--`,
    'long headers': () => `${filled(part('a', `\r\nx: ${filled('y', 15_000)}`, ''), SIZE)}--b--`,
    'a long name': () => `${part(filled('a', 60_000), '', '')}--b--`,
    'a long value': () => `${part('media_category', '', filled('x', SIZE))}--b--`,
    'beginnings of the boundary': () => `${part('media', '; filename="a"', filled('\r\n--', SIZE))}--b--`,
    'no end': () => part('media', '; filename="a"', filled('x', SIZE)),
    'no part': () => filled('\r\n', SIZE),
  };
  return Object.entries(bodies).map(([name, body]) => ({
    name: `parts: ${name}`,
    base: held.base_url,
    make: async () => {
      const signed = await wire(at(held), { method: 'POST', target: '/1.1/media/upload.json' });
      const authorization = /authorization: ([^\r]*)/.exec(signed.toString('latin1'))?.[1] ?? '';
      const type = { 'content-type': 'multipart/form-data; boundary=b' };
      return raw(held.base_url, 'POST /1.1/media/upload.json', { ...type, authorization }, body());
    },
  }));
}

/** The head of a request ends here. */
const HEAD_END = '\r\n\r\n';

/** A request whose body comes in chunks of so many bytes each, as far as the largest body goes. */
function inChunks(request: Buffer, bytes: number): Buffer {
  const end = request.indexOf(HEAD_END);
  const head = request.toString('latin1', 0, end).replace(/^content-length: .*$/im, 'transfer-encoding: chunked');
  const body = request.subarray(end + HEAD_END.length, end + HEAD_END.length + SIZE);
  const count = Math.floor(body.length / bytes);
  const chunk = Buffer.from(`${bytes.toString(16)}\r\n${'?'.repeat(bytes)}\r\n`);
  const chunks = Buffer.alloc(count * chunk.length, chunk);
  for (let i = 0; i < count; i++) body.copy(chunks, i * chunk.length + chunk.indexOf('?'), i * bytes, (i + 1) * bytes);
  return Buffer.concat([Buffer.from(`${head}${HEAD_END}`, 'latin1'), chunks, Buffer.from('0\r\n\r\n')]);
}

/** Bodies of each kind in chunks of a byte, of which what is read at once has ten thousand, and in the smallest that are read to the end. */
function chunkedCases(held: Credentials): readonly HoldCase[] {
  const batch = `/12/batch/accounts/${held.account_id}/campaigns`;
  const form = signedCases(held).find(([name]) => name === 'blanks in a form')?.[1];
  const upload = uploadCases()[0]?.[1];
  if (!form || !upload) throw new Error('there is no such case');
  const signed = [
    ['a batch', held, { method: 'POST', target: batch, json: bodies['a text']?.() ?? '' }],
    ['a form', held, form],
    ['a form of an upload', at(held), upload],
  ] as const;
  const parts = multipartCases(held).find(({ name }) => name === 'parts: no end');
  if (!parts) throw new Error('there is no such case');
  return [
    ...signed.map(
      ([name, by, request]): HoldCase => ({
        name: `byte by byte: ${name}`,
        base: by.ads_base_url,
        make: async () => inChunks(await wire(by, request), 1),
      }),
    ),
    { name: 'byte by byte: parts', base: parts.base, make: async () => inChunks(await parts.make(), 1) },
    { name: 'in small chunks: parts', base: parts.base, make: async () => inChunks(await parts.make(), 16) },
  ];
}

/** The credentials for the listener of authentication and media. */
function at(held: Credentials): Credentials {
  return { ...held, ads_base_url: held.base_url };
}

/** All cases. */
export function holdCases(held: Credentials): readonly HoldCase[] {
  const account = `/12/accounts/${held.account_id}`;
  const wrong = { ...held, consumer_secret: 'wrong' };
  const signed = (by: Credentials, some: readonly (readonly [name: string, request: Request])[]) =>
    some.map(([name, request]): HoldCase => ({ name, base: by.ads_base_url, make: () => wire(by, request) }));
  return [
    ...[held, { ...held, ads_base_url: DIALECT }].map((by): HoldCase => {
      const name = `${by === held ? '' : 'dialect: '}the first OpenAPI document`;
      const make = () => wire(by, { method: 'GET', target: '/openapi.json' });
      return { name, base: held.ads_base_url, make, isOnce: true };
    }),
    ...signed(held, signedCases(held)),
    ...dialectCases(held).map(
      ([name, request]): HoldCase => ({
        name: `dialect: ${name}`,
        base: held.ads_base_url,
        make: () => wire({ ...held, ads_base_url: DIALECT }, request),
      }),
    ),
    ...signed(at(held), uploadCases()),
    ...signed(wrong, doctorCases(account)),
    ...rawCases(held),
    ...multipartCases(held),
    ...chunkedCases(held),
  ];
}

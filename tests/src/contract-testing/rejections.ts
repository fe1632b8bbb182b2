/** Requests that are rejected, derived from successful ones, and values that a schema rejects. */
import type { SignOverrides, TestRequest } from '@broadside/testkit';
import type { Described, Field, Json } from './document.ts';

/** More than a request may have where no media are uploaded, and where they are. */
const TOO_LARGE = `x=${'x'.repeat(5_000_000)}`;
const FAR_TOO_LARGE = TOO_LARGE.padEnd(8 * 1024 * 1024 + 1, 'x');

/** A request without credentials. */
function unsigned({ as: _as, sign: _sign, headers = {}, ...request }: TestRequest): TestRequest {
  const { authorization: _proof, ...others } = headers;
  return { ...request, headers: others, as: null };
}

function bare({ form: _form, json: _json, body: _body, ...request }: TestRequest): TestRequest {
  return request;
}

const wrongSignatures: readonly SignOverrides[] = [{ signature: () => 'AAAA' }, { consumerSecret: 'wrong' }];

/** Derives requests that are rejected from a successful one. The error of each is up to the server. */
export function spoilt(request: TestRequest, { path, fields }: Described): readonly TestRequest[] {
  const changed = { ...bare(request), query: {} };
  const tooLarge = path.includes('/media/') ? FAR_TOO_LARGE : TOO_LARGE;
  const inPath = fields.filter((field) => field.in === 'path').map(({ name }) => name);
  return [
    ...(request.method === 'GET'
      ? [{ ...bare(request), query: { x: 'x'.repeat(20_000) } }]
      : [withBody(request, 'x', 'text/plain'), withBody(request, tooLarge)]),
    unsigned(request),
    ...wrongSignatures.flatMap((wrong) =>
      request.as || request.sign ? [{ ...request, sign: { ...request.sign, ...wrong } }] : [],
    ),
    { ...unsigned(request), headers: { authorization: 'Bearer wrong' } },
    { ...unsigned(request), headers: { authorization: `Basic ${Buffer.from('wrong:wrong').toString('base64')}` } },
    changed,
    { ...changed, query: { nosuch: 'x' } },
    // For those that need one, an unknown token or upload.
    { ...changed, query: { oauth_token: 'unknown' } },
    { ...changed, query: { media_id: '1' } },
    ...inPath.map((name) => ({ ...request, path: elsewhere(path, request.path, name) })),
  ];
}

function withBody(request: TestRequest, body: string, type = 'application/x-www-form-urlencoded'): TestRequest {
  const changed = bare(request);
  return { ...changed, body, headers: { ...changed.headers, 'content-type': type } };
}

/** A path in which another thing is named, which is not there. */
function elsewhere(template: string, path: string, name: string): string {
  const index = template.split('/').indexOf(`{${name}}`);
  return path.split('/').with(index, '1').join('/');
}

/** A request in which one value is malformed. */
export function malformed(request: TestRequest, field: Field): readonly TestRequest[] {
  const { name, schema } = field;
  if (field.in === 'path') return [];
  if (field.in === 'query')
    return wrongTexts(schema).map((text) => ({ ...request, query: { ...request.query, [name]: text } }));
  if (request.form) return wrongTexts(schema).map((text) => ({ ...request, form: { ...request.form, [name]: text } }));
  const { json } = request;
  return isObject(json)
    ? [{}, ...wrongTexts(schema)].map((value) => ({ ...request, json: { ...json, [name]: value } }))
    : [];
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Texts that a schema does not take. */
function wrongTexts(schema: Json): readonly string[] {
  const { type, items, maxLength, maxItems, minimum, maximum } = schema;
  const [first]: readonly unknown[] = Array.isArray(schema['anyOf']) ? schema['anyOf'] : [];
  if (isObject(first)) return wrongTexts({ ...first });
  if (Array.isArray(schema['enum'])) return ['NO_SUCH_VALUE'];
  if (schema['pattern'] !== undefined || schema['format'] === 'date-time') return ['surely not this!'];
  const kind = Array.isArray(type) ? type.find((one) => one !== 'null') : type;
  switch (kind) {
    case 'array': {
      const tooMany =
        typeof maxItems === 'number' ? [Array.from({ length: maxItems + 1 }, (_, n) => `${n}`).join()] : [];
      return [...(isObject(items) && 'enum' in items ? ['NO_SUCH_VALUE'] : []), ...tooMany];
    }
    case 'integer':
    case 'number':
      return [
        'x',
        ...(typeof minimum === 'number' ? [`${minimum - 1}`] : []),
        ...(typeof maximum === 'number' && maximum < 2 ** 53 ? [`${maximum + 1}`] : []),
      ];
    case 'boolean':
      return ['perhaps'];
    case 'string':
      return typeof maxLength === 'number' ? ['x'.repeat(maxLength + 1)] : [];
    default:
      return [];
  }
}

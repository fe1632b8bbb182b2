/** How refusals look: errors with words at the advertising interface, errors with numbers at the endpoints of authentication. */
import {
  type ErrorName,
  errorCatalogue,
  errorCode,
  errorNumber,
  errorStatus,
  numberedError,
  wireError,
} from '../../wire/errors.ts';
import type { JsonSchema } from '../../wire/types.ts';
import { type Components, ref } from './components.ts';
import type { RateLimitHeader } from './rate-limit-headers.ts';
import type { RefusalStyle } from './refusal-style.ts';

/** What the answers of an operation have beside the errors. */
interface RefusalOptions {
  readonly headers: (status: number) => readonly RateLimitHeader[];
  /** The schema of a body, where it is another than that of the style. */
  readonly schema?: (status: number) => JsonSchema | undefined;
}

/** The answers to a refused request, by status. */
export function refusalsOf(
  names: readonly ErrorName[],
  style: RefusalStyle,
  components: Components,
  { headers, schema }: RefusalOptions,
): Readonly<Record<number, JsonSchema>> {
  const answers = [...Map.groupBy(names, errorStatus)].map(([status, errors]): [number, JsonSchema] => [
    status,
    {
      description: errors
        .map((name) => `\`${style.code(name)}\`: ${sentence(errorCatalogue[name].message)}`)
        .join('\n\n'),
      'x-error-codes': [...new Set(errors.map(style.code))],
      ...components.headers(headers(status)),
      content: {
        [style.mediaType]: {
          schema: schema?.(status) ?? ref(style.body),
          examples: Object.fromEntries(errors.map((name) => [name, components.refusal(style, name)])),
        },
      },
    },
  ]);
  return Object.fromEntries(answers);
}

function sentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`;
}

function codesOf({ code }: RefusalStyle, names: readonly ErrorName[]): readonly (string | number)[] {
  const { compare } = new Intl.Collator('en', { numeric: true });
  return [...new Set(names.map(code))].sort((one, other) => compare(String(one), String(other)));
}

const causes = {
  message: { type: 'string', description: 'What a person reads.' },
  parameter: { type: 'string', description: 'The parameter at fault.' },
  details: { type: 'string', description: 'A finer reason.' },
  value: { description: 'The value received.' },
} as const;

const finding = {
  type: 'object',
  properties: {
    mistake: { type: 'string', description: 'The name of a known mistake.' },
    title: { type: 'string' },
    hint: { type: 'string', description: 'What to do about it.' },
    clause: { type: 'string', description: 'Where the standard says so.' },
    detail: { type: 'string', description: 'What the request shows of it.' },
  },
  required: ['mistake', 'title', 'hint'],
} as const;

/** What a server in development mode says of a refused signature. */
export const diagnosisSchema = {
  type: 'object',
  description:
    'Why the signature was refused. Servers in development mode tell it, servers in production mode never do.',
  properties: {
    verdict: { type: 'string', enum: ['valid', 'explained', 'unexplained', 'unsigned', 'malformed'] },
    findings: { type: 'array', items: finding, description: 'What is wrong, in the order in which to put it right.' },
    alternatives: { type: 'array', items: finding, description: 'Mistakes that come to the same in this request.' },
    expected_base_string: { type: 'string', description: 'What RFC 5849 wants signed.' },
    signed_base_string: { type: 'string', description: 'What the client signed.' },
  },
  required: ['verdict', 'findings'],
} as const;

/** Errors named by words (reference, conventions section 7). */
export const wordedErrors: RefusalStyle = {
  mediaType: 'application/json',
  code: errorCode,
  body: 'Errors',
  schemas: (names) => ({
    Error: {
      type: 'object',
      description: 'Why a request was refused.',
      properties: {
        code: {
          type: ['string', 'integer'],
          enum: codesOf(wordedErrors, names),
          description: 'What a program decides by.',
        },
        ...causes,
        attribute: {
          type: 'string',
          description: 'In place of `parameter` where an entity as a whole does not validate.',
        },
      },
      required: ['code', 'message'],
    },
    Errors: {
      type: 'object',
      description: 'A refusal. All faults that were found are listed; the first decides the status.',
      properties: {
        errors: { type: 'array', minItems: 1, items: ref('Error') },
        request: { description: 'What was sent, as far as it could be read.' },
        diagnosis: ref('Diagnosis'),
      },
      required: ['errors', 'request'],
    },
    Diagnosis: diagnosisSchema,
  }),
  exampleName: (name) => name,
  example: (name) => ({
    summary: errorCatalogue[name].message,
    value: { errors: [wireError({ error: name })], request: { params: {} } },
  }),
};

/** Errors named by numbers (reference, auth section 6). */
export const numberedErrors: RefusalStyle = {
  mediaType: 'application/json',
  code: errorNumber,
  body: 'NumberedErrors',
  schemas: (names) => ({
    NumberedError: {
      type: 'object',
      description: 'Why a request was refused.',
      properties: {
        code: { type: 'integer', enum: codesOf(numberedErrors, names), description: 'What a program decides by.' },
        label: { type: 'string', description: 'A word beside the code; code 99 has one.' },
        ...causes,
      },
      required: ['code', 'message'],
    },
    NumberedErrors: {
      type: 'object',
      description: 'A refusal. All faults that were found are listed; the first decides the status.',
      properties: {
        errors: { type: 'array', minItems: 1, items: ref('NumberedError') },
        diagnosis: ref('Diagnosis'),
      },
      required: ['errors'],
    },
    Diagnosis: diagnosisSchema,
  }),
  exampleName: (name) => name,
  example: (name) => ({
    summary: errorCatalogue[name].message,
    value: { errors: [numberedError({ error: name })] },
  }),
};

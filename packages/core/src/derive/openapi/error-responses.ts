/**
 * Error responses: errors with words at the advertising interface, errors with numbers at the endpoints of
 * authentication.
 */
import {
  errorCatalogue,
  errorCode,
  errorNumber,
  errorStatus,
  numberedError,
  wireError,
} from '../../errors/catalogue.ts';
import type { ErrorName } from '../../errors/error-name.ts';
import { uploadError, uploadErrorNumber, uploadErrorStatus } from '../../errors/upload-errors.ts';
import type { Issue, NumberedError } from '../../wire/issues.ts';
import type { JsonSchema } from '../../wire/types.ts';
import { type Components, ref } from './components.ts';
import type { ErrorStyle } from './error-style.ts';
import type { AnswerHeader } from './rate-limit-headers.ts';

/** Parts of an operation's error responses beside the errors. */
interface ErrorResponseOptions {
  readonly headers: (status: number) => readonly AnswerHeader[];
  /** The schema of a body, where it differs from that of the style. */
  readonly schema?: (status: number) => JsonSchema | undefined;
}

/** Returns the error responses of an operation, by status. */
export function errorResponses(
  names: readonly ErrorName[],
  style: ErrorStyle,
  components: Components,
  { headers, schema }: ErrorResponseOptions,
): Readonly<Record<number, JsonSchema>> {
  const answers = [...Map.groupBy(names, style.status ?? errorStatus)].map(([status, errors]): [number, JsonSchema] => [
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
          examples: Object.fromEntries(errors.map((name) => [name, components.errorExample(style, name)])),
        },
      },
    },
  ]);
  return Object.fromEntries(answers);
}

function sentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`;
}

function codesOf({ code }: Pick<ErrorStyle, 'code'>, names: readonly ErrorName[]): readonly (string | number)[] {
  const { compare } = new Intl.Collator('en', { numeric: true });
  return [...new Set(names.map(code))].sort((one, other) => compare(String(one), String(other)));
}

const causes = {
  message: { type: 'string', description: 'What a person reads.' },
  parameter: { type: 'string', description: 'The invalid or missing parameter.' },
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

/** The diagnosis of a rejected signature by a server in development mode. */
export const diagnosisSchema = {
  type: 'object',
  description: 'Why the signature was rejected. Only servers in development mode report it.',
  properties: {
    verdict: { type: 'string', enum: ['valid', 'explained', 'unexplained', 'unsigned', 'malformed'] },
    findings: { type: 'array', items: finding, description: 'What is wrong, in the order in which to put it right.' },
    expected_base_string: { type: 'string', description: 'What RFC 5849 wants signed.' },
    signed_base_string: { type: 'string', description: 'What the client signed.' },
    first_difference: {
      type: 'object',
      description: 'Where the two part.',
      properties: {
        position: {
          type: 'integer',
          minimum: 0,
          description: 'The index of the first character that differs, from 0.',
        },
        expected: { type: 'string', description: 'A few characters around it in the expected base string.' },
        signed: { type: 'string', description: 'The same of what the client signed.' },
      },
      required: ['position', 'expected', 'signed'],
    },
    parameters_begin: {
      type: 'integer',
      minimum: 0,
      description: 'Where unexplained: the index in the expected base string at which the parameters begin.',
    },
    checklist: {
      type: 'array',
      items: { type: 'string' },
      description: 'Where unexplained: what to look at, the likeliest first.',
    },
    tried: { type: 'integer', minimum: 0, description: 'How many signatures were computed.' },
    complete: { type: 'boolean', description: 'False where the request was too large to try everything.' },
  },
  required: ['verdict', 'findings', 'tried', 'complete'],
} as const;

function wordsOf(names: readonly ErrorName[]): readonly (string | number)[] {
  return codesOf(wordedErrors, names).filter((code) => typeof code === 'string');
}

function numbersOf(names: readonly ErrorName[]): readonly (string | number)[] {
  return codesOf(wordedErrors, names).filter((code) => typeof code === 'number');
}

/** A word, or a number where the catalogue has one: two schemas, because generators have no enumeration of both. */
function codeSchema(names: readonly ErrorName[]): JsonSchema {
  const kinds = [ref('ErrorCode'), ...(numbersOf(names).length > 0 ? [ref('ErrorNumber')] : [])];
  return { anyOf: kinds, description: 'What a program decides by.' };
}

/** Errors named by words (reference, conventions section 7). */
export const wordedErrors: ErrorStyle = {
  mediaType: 'application/json',
  code: errorCode,
  body: 'Errors',
  schemas: (names) => ({
    Error: {
      type: 'object',
      description: 'Why the request was rejected.',
      properties: {
        code: codeSchema(names),
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
      description: 'The request was rejected. All errors that were found are listed; the first determines the status.',
      properties: {
        errors: { type: 'array', minItems: 1, items: ref('Error') },
        request: { description: 'What was sent, as far as it could be read.' },
        diagnosis: ref('Diagnosis'),
      },
      required: ['errors', 'request'],
    },
    Diagnosis: diagnosisSchema,
    ErrorCode: { type: 'string', enum: wordsOf(names), description: 'A code that is a word.' },
    ...(numbersOf(names).length > 0
      ? { ErrorNumber: { type: 'integer', enum: numbersOf(names), description: 'A code that is a number.' } }
      : {}),
  }),
  exampleName: (name) => name,
  example: (name) => ({
    summary: errorCatalogue[name].message,
    value: { errors: [wireError({ error: name })], request: { params: {} } },
  }),
};

/** A format of numbered errors. */
interface NumberedStyle {
  readonly code: (name: ErrorName) => number;
  readonly wire: (issue: Issue) => NumberedError;
  readonly status?: (name: ErrorName) => number;
  /** The name of the schema of an error. */
  readonly one: string;
  readonly body: string;
  readonly exampleName: (name: ErrorName) => string;
}

function numberedStyle({ code, wire, status, one, body, exampleName }: NumberedStyle): ErrorStyle {
  return {
    mediaType: 'application/json',
    code,
    ...(status ? { status } : {}),
    body,
    schemas: (names) => ({
      [one]: {
        type: 'object',
        description: 'Why the request was rejected.',
        properties: {
          code: { type: 'integer', enum: codesOf({ code }, names), description: 'What a program decides by.' },
          label: { type: 'string', description: 'A word beside the code; code 99 has one.' },
          ...causes,
        },
        required: ['code', 'message'],
      },
      [body]: {
        type: 'object',
        description:
          'The request was rejected. All errors that were found are listed; the first determines the status.',
        properties: {
          errors: { type: 'array', minItems: 1, items: ref(one) },
          diagnosis: ref('Diagnosis'),
        },
        required: ['errors'],
      },
      Diagnosis: diagnosisSchema,
    }),
    exampleName,
    example: (name) => ({ summary: errorCatalogue[name].message, value: { errors: [wire({ error: name })] } }),
  };
}

/** Errors named by numbers (reference, auth section 6). */
export const numberedErrors: ErrorStyle = numberedStyle({
  code: errorNumber,
  wire: numberedError,
  one: 'NumberedError',
  body: 'NumberedErrors',
  exampleName: (name) => name,
});

/** Errors of version 1.1 of the upload, some of which have other numbers. */
export const uploadErrors: ErrorStyle = numberedStyle({
  code: uploadErrorNumber,
  wire: uploadError,
  status: uploadErrorStatus,
  one: 'UploadError',
  body: 'UploadErrors',
  exampleName: (name) => `Upload_${name}`,
});

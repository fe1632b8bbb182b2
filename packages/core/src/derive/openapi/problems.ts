/**
 * Problems: rejected requests of data retrieval, and partial errors for single ids (reference, conventions section 8).
 */
import { errorCatalogue } from '../../errors/catalogue.ts';
import type { ErrorName } from '../../errors/error-name.ts';
import { problemSlug, requestProblem } from '../../errors/problems.ts';
import type { JsonSchema } from '../../wire/types.ts';
import { ref } from './components.ts';
import { diagnosisSchema } from './error-responses.ts';
import type { ErrorStyle } from './error-style.ts';

const type = {
  type: 'string',
  description: 'An address that stands for the kind of problem; `about:blank` where the status says it all.',
} as const;
const title = { type: 'string', description: 'What kind of problem it is, for people.' } as const;
const detail = { type: 'string', description: 'What happened, for people.' } as const;

/** An error for a part of a request that was otherwise successful. */
export const partialProblem: JsonSchema = {
  type: 'object',
  description: 'Why an id, or a field, gave nothing.',
  properties: {
    type,
    title,
    detail,
    resource_type: { type: 'string', enum: ['post', 'user', 'media'], description: 'What it is about.' },
    resource_id: { type: 'string', description: 'Its id.' },
    parameter: { type: 'string', description: 'What asked for it: `ids`, an expansion or a list of fields.' },
    value: { type: 'string', description: 'The id again.' },
    section: { type: 'string', enum: ['data', 'includes'], description: 'Where it would stand.' },
    field: { type: 'string', description: 'The field that the caller may not see.' },
  },
  required: ['type', 'title', 'detail', 'resource_type', 'resource_id', 'parameter', 'value'],
};

const cause = {
  type: 'object',
  properties: {
    parameters: {
      type: 'object',
      additionalProperties: { type: 'array', items: {} },
      description: 'The parameter and its invalid values; no values if it is missing.',
    },
    message: { type: 'string', description: 'What a person reads.' },
    code: { type: 'integer', description: '89 for an access token that is no longer valid.' },
  },
  required: ['message'],
} as const;

/** A parameter with the details of its error, for examples. */
interface ErrorDetails {
  readonly parameter: string;
  readonly message: string;
}

function problemStyle(prefix: string, details: ErrorDetails): ErrorStyle {
  return {
    mediaType: 'application/problem+json',
    code: problemSlug,
    body: 'Problem',
    schemas: () => ({
      Problem: {
        type: 'object',
        description: 'The request was rejected.',
        properties: {
          type,
          title,
          detail,
          status: { type: 'integer', description: 'The HTTP status.' },
          reason: { type: 'string', description: 'Of `client-forbidden`: what is wrong with the app, as a word.' },
          client_id: { type: 'string', description: 'Of `client-forbidden`: the app.' },
          required_enrollment: { type: 'string', description: 'Of `client-forbidden`: what the app would have to be.' },
          registration_url: { type: 'string', description: 'Of `client-forbidden`: where its owner sees to it.' },
          errors: { type: 'array', minItems: 1, items: cause, description: 'Each error that was found.' },
          diagnosis: ref('Diagnosis'),
        },
        required: ['type', 'title', 'detail'],
      },
      Diagnosis: diagnosisSchema,
    }),
    exampleName: (name) => `${prefix}_${name}`,
    example: (name) => ({
      summary: errorCatalogue[name].message,
      value: requestProblem([isAboutParameter(name) ? { error: name, ...details } : { error: name }], BASE_URL),
    }),
  };
}

function isAboutParameter(error: ErrorName): boolean {
  return error === 'INVALID_PARAMETER' || error === 'MISSING_PARAMETER';
}

const BASE_URL = 'https://api.example.com';

/** Rejections of a lookup as a whole (RFC 9457). */
export const problems: ErrorStyle = problemStyle('Problem', {
  parameter: 'ids',
  message: 'The `ids` query parameter can not be empty',
});

/** Rejections of an upload. */
export const uploadProblems: ErrorStyle = problemStyle('UploadProblem', {
  parameter: 'media_type',
  message: '"media_type" is a required parameter',
});

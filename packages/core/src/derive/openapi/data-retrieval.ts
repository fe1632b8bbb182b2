/** Data retrieval in a document (reference, data retrieval; conventions section 8). */
import type * as z from 'zod';
import { errorsOf } from '../../errors/operation-errors.ts';
import { fieldsOf } from '../../operation/fields.ts';
import type { DataOperation } from '../../operation/operation.ts';
import { descriptionOf, type JsonSchema } from '../../wire/types.ts';
import { exampleAnswer, exampleParams } from '../example.ts';
import { valueSchema } from '../json-schema.ts';
import { elementOf } from '../names.ts';
import type { Components } from './components.ts';
import { errorResponses } from './error-responses.ts';
import type { Family } from './family.ts';
import { queryParameter } from './parameters.ts';
import { partialProblem, problems } from './problems.ts';
import { callerHeaders, errorHeaders } from './rate-limit-headers.ts';

/** Description of the credentials for reading. */
export const readersProof = 'The bearer token of an app, or a signature of an app and the access token of a user.';

/** Describes the operations of data retrieval. */
export const dataRetrieval: Family<DataOperation> = {
  security: () => ['bearer', 'oauth1'],
  notes: () => [readersProof],
  parameters: (operation) => fieldsOf(operation.params).map((field) => queryParameter(field, exampleParams(operation))),
  body: () => undefined,
  responses: (operation, components) => ({
    200: {
      description: 'What was found, also where nothing was.',
      ...components.headers(callerHeaders),
      content: { 'application/json': { schema: lookup(operation, components), example: exampleAnswer(operation) } },
    },
    ...errorResponses(errorsOf(operation), problems, components, {
      headers: (status) => errorHeaders(callerHeaders, status),
    }),
  }),
  extensions: () => ({}),
};

function lookup({ data, includes }: DataOperation, components: Components): JsonSchema {
  return {
    type: 'object',
    properties: {
      data: {
        type: 'array',
        minItems: 1,
        items: components.entity(data),
        description: 'What was found, in the order of the ids. Absent when nothing can be shown.',
      },
      includes: {
        type: 'object',
        properties: Object.fromEntries(fieldsOf(includes).map(([name, field]) => [name, included(field, components)])),
        description: 'What expansions bring along. Absent when there is nothing.',
      },
      errors: {
        type: 'array',
        minItems: 1,
        items: components.define('PartialProblem', partialProblem),
        description: 'One problem for each id or field that gave nothing. Absent when there is none.',
      },
    },
  };
}

/** Returns the schema of a list of objects, each by its name. */
function included(field: z.ZodType, components: Components): JsonSchema {
  const element = elementOf(field);
  if (!element) return valueSchema(field, 'answer');
  const description = descriptionOf(field);
  return {
    type: 'array',
    minItems: 1,
    items: components.entity(element),
    ...(description === undefined ? {} : { description }),
  };
}

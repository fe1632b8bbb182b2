/** The control of worlds in a document. */
import { errorsOf } from '../../errors/operation-errors.ts';
import type { ControlOperation } from '../../operation/operation.ts';
import { exampleAnswer } from '../example.ts';
import { body, descriptionOfSuccess, envelope, parameters } from './advertising.ts';
import { errorResponses, wordedErrors } from './error-responses.ts';
import type { Family } from './family.ts';

/** Describes the operations of the control interface, which are in the forms of the advertising interface. */
export const control: Family<ControlOperation> = {
  security: () => ['operator'],
  notes: () => [],
  parameters,
  body,
  responses: (operation, components) => ({
    200: {
      description: descriptionOfSuccess(operation),
      content: {
        'application/json': { schema: envelope(operation, components), example: exampleAnswer(operation) },
      },
    },
    ...errorResponses(errorsOf(operation), wordedErrors, components, { headers: () => [] }),
  }),
  extensions: () => ({}),
};

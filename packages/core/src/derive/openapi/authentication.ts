/** The endpoints of authentication in a document (reference, auth sections 3 to 7). */

import { errorsOf } from '../../errors/operation-errors.ts';
import { type Field, fieldsOf, isRequired } from '../../operation/fields.ts';
import type { AuthAccess, AuthOperation } from '../../operation/operation.ts';
import type { JsonSchema } from '../../wire/types.ts';
import { exampleAnswer, exampleParams } from '../example.ts';
import { objectSchema } from '../json-schema.ts';
import { pascalCase } from '../names.ts';
import type { Components } from './components.ts';
import { errorResponses, numberedErrors } from './error-responses.ts';
import type { Family } from './family.ts';
import { queryParameter } from './parameters.ts';
import { callerHeaders, errorHeaders } from './rate-limit-headers.ts';
import type { SchemeName } from './security.ts';

const SCHEMES: Readonly<Record<AuthAccess['auth'], readonly SchemeName[]>> = {
  app: ['oauth1'],
  request_token: ['oauth1'],
  access_token: ['oauth1'],
  basic: ['basic'],
  owner: ['oauth1', 'basic'],
};

/** Descriptions of the credentials that an endpoint requires. */
export const proofs: Readonly<Record<AuthAccess['auth'], string>> = {
  app: 'Signed by the app alone, without a token.',
  request_token: 'Signed by the app and the request token.',
  access_token: 'Signed by the app and the access token of a user.',
  basic: 'HTTP Basic with the key and the secret of the app.',
  owner: 'Signed by the app and the access token of its owner, or HTTP Basic with the key and the secret of the app.',
};

/** Returns whether a parameter may be among those of the signature (RFC 5849 section 3.5). */
export function isProtocolParameter(name: string): boolean {
  return name.startsWith('oauth_');
}

/**
 * Returns whether an endpoint of authentication takes its parameters in a form body; otherwise they accompany the
 * signature.
 */
export function takesForm({ params }: AuthOperation): boolean {
  const names = Object.keys(params.shape);
  return names.length > 0 && !names.some(isProtocolParameter);
}

/** Describes the endpoints of authentication. */
export const authentication: Family<AuthOperation> = {
  security: ({ access }) => SCHEMES[access.auth],
  notes: ({ access }) => [proofs[access.auth]],
  parameters: (operation) =>
    takesForm(operation) ? [] : fieldsOf(operation.params).map((field) => parameter(field, exampleParams(operation))),
  body: (operation, components) => (takesForm(operation) ? form(operation, components) : undefined),
  responses: (operation, components) => ({
    200: {
      description: operation.envelope === 'form' ? 'A form-encoded text.' : 'A JSON object.',
      ...components.headers(callerHeaders),
      content: success(operation, components),
    },
    ...errorResponses(errorsOf(operation), numberedErrors, components, {
      headers: (status) => errorHeaders(callerHeaders, status),
    }),
  }),
  extensions: ({ access }) => ({ 'x-proof': access.auth }),
};

/** A protocol parameter is in one of three places, so it is not required in any of them. */
function parameter(field: Field, example: Readonly<Record<string, unknown>>): JsonSchema {
  const { required: _, description, ...others } = queryParameter(field, example);
  const [name, schema] = field;
  if (!isProtocolParameter(name)) return queryParameter(field, example);
  const places = 'among the OAuth parameters of the Authorization header, in the query or in a form body';
  const note = isRequired(schema) ? `Required: ${places}.` : `Stands ${places}.`;
  return { ...others, description: [description ?? [], note].flat().join(' '), 'x-protocol-parameter': true };
}

function form(operation: AuthOperation, components: Components): JsonSchema {
  const fields = fieldsOf(operation.params);
  // Parameters that are not known are ignored (RFC 6749 section 3.2).
  const parameters = { ...objectSchema(fields, 'request'), additionalProperties: true };
  const schema = components.define(`${pascalCase(operation.id)}Parameters`, parameters);
  return {
    ...(fields.some(([, field]) => isRequired(field)) ? { required: true } : {}),
    content: { 'application/x-www-form-urlencoded': { schema, example: exampleParams(operation) } },
  };
}

function success(operation: AuthOperation, components: Components): JsonSchema {
  const schema = components.entity(operation.data);
  const example = exampleAnswer(operation);
  if (operation.envelope === 'object') return { 'application/json': { schema, example } };
  // Clients recognize the form by its content, not by its type, which says HTML (reference, auth section 3).
  const text = { type: 'string', contentMediaType: 'application/x-www-form-urlencoded', contentSchema: schema };
  return { 'text/html': { schema: text, example } };
}

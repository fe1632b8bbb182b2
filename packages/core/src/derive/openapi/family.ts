/**
 * Operations come in families, which differ in authentication, in the place of parameters and in the form of responses.
 * Their common parts are put together here. A document can contain several families.
 */
import type { AnyOperation, PageOperation } from '../../operation/operation.ts';
import type { RateBucketName } from '../../operation/rate-limits.ts';
import type { JsonSchema } from '../../wire/types.ts';
import { resourceOf, titleOf } from '../names.ts';
import type { Components } from './components.ts';
import { rateLimitFacts } from './rate-limit-headers.ts';
import type { SchemeName } from './security.ts';

/** An operation with a path. */
export type Described = (AnyOperation | PageOperation) & {
  readonly http: object;
  readonly rateLimit: RateBucketName | null;
  readonly description?: string;
};

/** Describes the operations of one family. */
export interface Family<O extends Described> {
  /** The schemes of which one is enough; none where no authentication is required. */
  readonly security: (operation: O) => readonly SchemeName[];
  /** Notes for callers beyond the texts of the contract. */
  readonly notes: (operation: O) => readonly string[];
  /** Parameters of path and query. */
  readonly parameters: (operation: O) => readonly JsonSchema[];
  readonly body: (operation: O, components: Components) => JsonSchema | undefined;
  /** All responses, by status. */
  readonly responses: (operation: O, components: Components) => Readonly<Record<number, JsonSchema>>;
  /** Extensions of OpenAPI. */
  readonly extensions: (operation: O) => JsonSchema;
}

/** Describes an operation. */
export function describeOperation<O extends Described>(
  family: Family<O>,
  operation: O,
  components: Components,
): JsonSchema {
  const { id, summary, rateLimit } = operation;
  const parameters = family.parameters(operation);
  const body = family.body(operation, components);
  const description = [operation.description ?? [], family.notes(operation)].flat().join('\n\n');
  return {
    operationId: id,
    summary,
    ...(description === '' ? {} : { description }),
    tags: [titleOf(resourceOf(operation))],
    security: components.security(family.security(operation)),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body ? { requestBody: body } : {}),
    responses: family.responses(operation, components),
    ...family.extensions(operation),
    ...(rateLimit === null ? {} : { 'x-rate-limit': rateLimitFacts(rateLimit) }),
  };
}

import type { ErrorName } from '../../errors/error-name.ts';
import type { JsonSchema } from '../../wire/types.ts';

/** Named schemas of a document. */
export type Schemas = Readonly<Record<string, JsonSchema>>;

/** A format of errors. */
export interface ErrorStyle {
  readonly mediaType: string;
  /** The code that identifies an error to programs. */
  readonly code: (name: ErrorName) => string | number;
  /** The status of an error, where it differs from that of the catalogue. */
  readonly status?: (name: ErrorName) => number;
  /** The name of the schema of a body. */
  readonly body: string;
  /** That schema and the schemas that it refers to, for all errors in the document. */
  readonly schemas: (names: readonly ErrorName[]) => Schemas;
  /** The name of an example; unique among the styles of a document. */
  readonly exampleName: (name: ErrorName) => string;
  readonly example: (name: ErrorName) => JsonSchema;
}

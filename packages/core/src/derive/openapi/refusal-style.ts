import type { ErrorName } from '../../errors/error-name.ts';
import type { JsonSchema } from '../../wire/types.ts';

/** Named schemas of a document. */
export type Schemas = Readonly<Record<string, JsonSchema>>;

/** A way to tell why a request was refused. */
export interface RefusalStyle {
  readonly mediaType: string;
  /** What a program decides by. */
  readonly code: (name: ErrorName) => string | number;
  /** The status of an error, where it is another than that of the catalogue. */
  readonly status?: (name: ErrorName) => number;
  /** The name of the schema of a body. */
  readonly body: string;
  /** That schema and those that it refers to, for all errors that the document has. */
  readonly schemas: (names: readonly ErrorName[]) => Schemas;
  /** The name of an example; no two styles of a document may give one name. */
  readonly exampleName: (name: ErrorName) => string;
  readonly example: (name: ErrorName) => JsonSchema;
}

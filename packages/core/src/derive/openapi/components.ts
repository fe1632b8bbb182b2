/** The shared parts of a document's operations: named schemas, examples of errors, headers and security schemes. */
import type * as z from 'zod';
import type { ErrorName } from '../../errors/error-name.ts';
import type { JsonSchema } from '../../wire/types.ts';
import { variantsOf } from '../../wire/variants.ts';
import { valueSchema } from '../json-schema.ts';
import type { ErrorStyle, Schemas } from './error-style.ts';
import { type AnswerHeader, answerHeaders, requestIdHeader } from './rate-limit-headers.ts';
import { type SchemeName, securitySchemes } from './security.ts';

/** A reference to a named schema. */
export function ref(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** Collects them while the operations are described: components without a reference are not in the document. */
export class Components {
  readonly #schemas = new Map<string, JsonSchema>();
  readonly #errors = new Map<ErrorStyle, Set<ErrorName>>();
  readonly #headers = new Set<AnswerHeader['name']>();
  readonly #schemes = new Set<SchemeName>();
  readonly #entities: ReadonlyMap<z.ZodType, string>;

  /** @param entities the names of the entities that operations return */
  constructor(entities: ReadonlyMap<z.ZodType, string>) {
    this.#entities = entities;
  }

  /** Names a schema. @returns a reference to it */
  define(name: string, schema: JsonSchema): JsonSchema {
    this.#schemas.set(name, schema);
    return ref(name);
  }

  /** Returns the schema of an operation's result: a reference, if it has a name, and of a union a choice of them. */
  entity(data: z.ZodType): JsonSchema {
    const variants = variantsOf(data);
    if (variants) return { oneOf: variants.schemas.map((schema) => this.entity(schema)) };
    const name = this.#entities.get(data);
    return name === undefined ? valueSchema(data, 'answer') : this.define(name, valueSchema(data, 'answer'));
  }

  /** The example of an error. */
  errorExample(style: ErrorStyle, name: ErrorName): JsonSchema {
    const met = this.#errors.get(style) ?? new Set();
    this.#errors.set(style, met.add(name));
    return { $ref: `#/components/examples/${style.exampleName(name)}` };
  }

  /** Returns the headers of a response, with those that every response has. One that can be absent says so beside the reference to it. */
  headers(headers: readonly AnswerHeader[]): { readonly headers?: JsonSchema } {
    const described = [...headers, requestIdHeader].map(({ name, absent }): [string, JsonSchema] => {
      this.#headers.add(name);
      const { description } = answerHeaders[name];
      const reference = { $ref: `#/components/headers/${name}` };
      return [name, absent === undefined ? reference : { ...reference, description: `${description} ${absent}` }];
    });
    return { headers: Object.fromEntries(described) };
  }

  /** Requirements of an operation: one scheme of these is enough. */
  security(names: readonly SchemeName[]): readonly JsonSchema[] {
    for (const name of names) this.#schemes.add(name);
    return names.map((name) => ({ [name]: [] }));
  }

  /** Returns all collected components, once all operations are described, in steps. */
  *collected(): Generator<undefined, JsonSchema & { readonly schemas: Schemas }> {
    const examples: [string, JsonSchema][] = [];
    for (const [style, names] of this.#errors) {
      for (const [name, schema] of Object.entries(style.schemas([...names]))) this.#schemas.set(name, schema);
      yield;
      for (const name of names) {
        examples.push([style.exampleName(name), style.example(name)]);
        yield;
      }
    }
    const named = byName(examples);
    yield;
    return {
      securitySchemes: picked(securitySchemes, this.#schemes),
      headers: picked(answerHeaders, this.#headers),
      examples: named,
      schemas: byName([...this.#schemas]),
    };
  }
}

function byName(entries: readonly (readonly [string, JsonSchema])[]): Record<string, JsonSchema> {
  return Object.fromEntries([...entries].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function picked<Name extends string>(from: Readonly<Record<Name, JsonSchema>>, names: ReadonlySet<Name>): JsonSchema {
  return Object.fromEntries(
    Object.entries<JsonSchema>(from).filter(([name]) => [...names].some((one) => one === name)),
  );
}

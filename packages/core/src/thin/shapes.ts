/** Converts the schemas of responses to the type notation of the thin contract. */
import * as z from 'zod';
import { fieldsOf } from '../operation/fields.ts';
import { type WireType, wireTypeOf } from '../wire/types.ts';
import { variantsOf } from '../wire/variants.ts';
import type { ThinScalar, ThinShape, ThinShapes, ThinType } from './types.ts';

/** Collects the shapes of objects, each once. */
export class ShapeCollector {
  readonly #indexes = new Map<string, number>();
  readonly #shapes: ThinShape[] = [];

  /** All shapes collected so far; their indexes are stable. */
  get shapes(): ThinShapes {
    return this.#shapes;
  }

  /**
   * Returns the type notation of a schema.
   * @param at identifies the value in messages
   * @throws TypeError for a schema that responses cannot have: a client would not know how to decode it
   */
  typeOf(schema: z.ZodType, at: string): ThinType {
    if (schema instanceof z.ZodOptional) return withEnding(this.typeOf(inner(schema.def.innerType), at), '?');
    if (schema instanceof z.ZodNullable) return withEnding(this.typeOf(inner(schema.def.innerType), at), '|null');
    if (schema instanceof z.ZodArray) return `${this.typeOf(inner(schema.def.element), at)}[]`;
    if (schema instanceof z.ZodObject) return this.#indexOf(schema, at);
    const variants = variantsOf(schema);
    if (variants) return this.#asTheyCome(variants.schemas, at);
    return wordOf(wireTypeOf(schema), at);
  }

  /** Objects of several kinds are passed through unchanged, so none may have a member that clients would convert. */
  #asTheyCome(schemas: readonly z.ZodObject[], at: string): ThinType {
    for (const [name, field] of schemas.flatMap(fieldsOf)) {
      const type = this.typeOf(field, `${at}.${name}`);
      if (!/^(?:text|digits|boolean|time|items)\b/.test(type)) {
        throw new TypeError(`${at}.${name} is ${type}, which clients would have to convert in one of several kinds`);
      }
    }
    return 'members' satisfies ThinScalar;
  }

  #indexOf(schema: z.ZodObject, at: string): ThinType {
    const shape = Object.fromEntries(
      fieldsOf(schema).map(([name, field]) => [name, this.typeOf(field, `${at}.${name}`)]),
    );
    const key = JSON.stringify(shape);
    const known = this.#indexes.get(key);
    if (known !== undefined) return `${known}`;
    const index = this.#shapes.push(shape) - 1;
    this.#indexes.set(key, index);
    return `${index}`;
  }
}

function wordOf(type: WireType | undefined, at: string): ThinType {
  if (!type)
    throw new TypeError(`${at} is neither an object, nor an array, nor a wire type, so clients could not read it`);
  switch (type.kind) {
    case 'list':
      return `${wordOf(type.item, at)}*`;
    case 'enum':
      return 'text' satisfies ThinScalar;
    case 'text':
      return (type.digits ? 'digits' : 'text') satisfies ThinScalar;
    default:
      return type.kind satisfies ThinScalar;
  }
}

/** A value that is optional twice is optional once. */
function withEnding(type: ThinType, ending: '?' | '|null'): ThinType {
  return type.endsWith(ending) ? type : type + ending;
}

function inner(schema: unknown): z.ZodType {
  if (schema instanceof z.ZodType) return schema;
  throw new TypeError('not a schema');
}

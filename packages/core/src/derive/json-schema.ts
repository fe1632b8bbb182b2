/** Contract schemas as JSON Schema 2020-12. Wire types carry their own; they are combined here. */
import * as z from 'zod';
import { defaultOf, type Field, fieldsOf, isNullable, isRequired } from '../operation/fields.ts';
import { descriptionOf, innerType, type JsonSchema, wireTypeOf } from '../wire/types.ts';
import { variantsOf } from '../wire/variants.ts';

/** The context of a value: a request or a response. */
export type Flavour = 'request' | 'answer';

/** Returns the JSON Schema of a value, with its description. */
export function valueSchema(schema: z.ZodType, flavour: Flavour): JsonSchema {
  const description = descriptionOf(schema);
  const value = bare(schema, flavour);
  return description === undefined ? value : { ...value, description };
}

/**
 * Returns the JSON Schema of an object with the given fields. Additional properties are not allowed in requests. A default is part of
 * the description: generators of clients take a property that has `default` for one that is always there.
 */
export function objectSchema(fields: readonly Field[], flavour: Flavour): JsonSchema {
  const required = fields.filter(([, schema]) => isRequired(schema)).map(([name]) => name);
  const properties = fields.map(([name, schema]): [string, JsonSchema] => {
    const preset = flavour === 'answer' ? undefined : defaultOf(schema);
    const value = valueSchema(schema, flavour);
    return [name, preset === undefined ? value : withDefault(value, preset)];
  });
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
    ...(flavour === 'answer' ? {} : { additionalProperties: false }),
  };
}

function bare(schema: z.ZodType, flavour: Flavour): JsonSchema {
  const type = wireTypeOf(schema);
  // Ids that are texts of digits may be numbers too, and an empty text removes as null does; one form of a value is described.
  if (type) return isNullable(schema) || type.removable ? orNull(type.json) : type.json;
  const core = unwrap(schema);
  const value = structured(core, flavour);
  return isNullable(schema) ? orNull(value) : value;
}

function withDefault(json: JsonSchema, preset: unknown): JsonSchema {
  const { description = '' } = json;
  return { ...json, description: `${description} \`${String(preset)}\` when left out.`.trim() };
}

function structured(schema: z.ZodType, flavour: Flavour): JsonSchema {
  if (schema instanceof z.ZodObject) return objectSchema(fieldsOf(schema), flavour);
  const variants = variantsOf(schema);
  if (variants) return { oneOf: variants.schemas.map((one) => valueSchema(one, flavour)) };
  const element: unknown = schema instanceof z.ZodArray ? schema.def.element : undefined;
  if (element instanceof z.ZodType) {
    return { type: 'array', items: valueSchema(element, flavour), ...boundsOf(schema) };
  }
  throw new TypeError(`a schema of type ${schema.def.type} is neither a wire type, an object, an array nor a union`);
}

/** The least and the greatest number of elements, where a list has them. */
function boundsOf(schema: z.ZodType): JsonSchema {
  const bounds = (schema.def.checks ?? []).map(({ _zod: { def } }): JsonSchema => {
    if ('minimum' in def) return { minItems: def.minimum };
    return 'maximum' in def ? { maxItems: def.maximum } : {};
  });
  return Object.assign({}, ...bounds);
}

function unwrap(schema: z.ZodType): z.ZodType {
  const inner = innerType(schema);
  return inner ? unwrap(inner) : schema;
}

/** The values of an enumeration have one type, for generators that make a type of them. */
function orNull(json: JsonSchema): JsonSchema {
  const { type, ...others } = json;
  if (typeof type !== 'string' || 'enum' in json) return { anyOf: [json, { type: 'null' }] };
  return { type: [type, 'null'], ...others };
}

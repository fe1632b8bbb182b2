/** Contract schemas as JSON Schema 2020-12. Wire types carry their own; they are combined here. */
import * as z from 'zod';
import { defaultOf, type Field, fieldsOf, isNullable, isRequired } from '../operation/fields.ts';
import { descriptionOf, innerType, type JsonSchema, type WireType, wireTypeOf } from '../wire/types.ts';
import { variantsOf } from '../wire/variants.ts';

/** The context of a value: a form or query, a JSON body, or a response. */
export type Flavour = 'form' | 'json' | 'answer';

/** Returns the JSON Schema of a value, with its description. */
export function valueSchema(schema: z.ZodType, flavour: Flavour): JsonSchema {
  const description = descriptionOf(schema);
  const value = bare(schema, flavour);
  return description === undefined ? value : { ...value, description };
}

/** Returns the JSON Schema of an object with the given fields. Additional properties are not allowed in requests. */
export function objectSchema(fields: readonly Field[], flavour: Flavour): JsonSchema {
  const required = fields.filter(([, schema]) => isRequired(schema)).map(([name]) => name);
  const properties = fields.map(([name, schema]): [string, JsonSchema] => {
    const preset = flavour === 'answer' ? undefined : defaultOf(schema);
    const value = valueSchema(schema, flavour);
    return [name, preset === undefined ? value : { ...value, default: preset }];
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
  if (type) {
    const json = wireSchema(type, flavour);
    return isNullable(schema) ? orNull(json) : json;
  }
  const core = unwrap(schema);
  const value = structured(core, flavour);
  return isNullable(schema) ? orNull(value) : value;
}

/** The schema of a wire type. In JSON, ids that are texts of digits may be numbers. */
function wireSchema({ json, removable, digits, item }: WireType, flavour: Flavour): JsonSchema {
  if (removable) return removableSchema(json, flavour);
  if (flavour !== 'json') return json;
  if (digits) return { ...json, type: ['string', 'integer'], ...(json['pattern'] ? { minimum: 0 } : {}) };
  return item?.digits ? { ...json, items: wireSchema(item, flavour) } : json;
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

function orNull(json: JsonSchema): JsonSchema {
  const { type, enum: values, ...others } = json;
  if (typeof type !== 'string') return { anyOf: [json, { type: 'null' }] };
  return { type: [type, 'null'], ...(Array.isArray(values) ? { enum: [...values, null] } : {}), ...others };
}

/** A field is removed by sending it empty, in JSON also by null, which forms cannot express. */
function removableSchema(json: JsonSchema, flavour: Flavour): JsonSchema {
  if (flavour === 'answer' || !Array.isArray(json['anyOf'])) return json;
  const alternatives: readonly unknown[] = json['anyOf'];
  const empty = { type: 'string', const: '' };
  if (flavour === 'json') return { anyOf: [...alternatives, empty] };
  return { anyOf: alternatives.map((one) => (isNull(one) ? empty : one)) };
}

function isNull(json: unknown): boolean {
  return typeof json === 'object' && json !== null && 'type' in json && json.type === 'null';
}

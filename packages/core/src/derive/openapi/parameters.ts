import { defaultOf, type Field, isRequired } from '../../operation/fields.ts';
import { descriptionOf, type JsonSchema } from '../../wire/types.ts';
import { valueSchema } from '../json-schema.ts';

/** Describes a path parameter, which is always present. */
export function pathParameter([name, schema]: Field, example: Readonly<Record<string, unknown>>): JsonSchema {
  return { name, in: 'path', required: true, ...described([name, schema], example) };
}

/** Describes a query parameter. Lists are separated by commas. */
export function queryParameter([name, schema]: Field, example: Readonly<Record<string, unknown>>): JsonSchema {
  return {
    name,
    in: 'query',
    ...(isRequired(schema) ? { required: true } : {}),
    style: 'form',
    explode: false,
    ...described([name, schema], example),
  };
}

function described([name, schema]: Field, example: Readonly<Record<string, unknown>>): JsonSchema {
  const text = descriptionOf(schema);
  const preset = defaultOf(schema);
  const { description: _, ...value } = valueSchema(schema, 'request');
  return {
    ...(text === undefined ? {} : { description: text }),
    schema: preset === undefined ? value : { ...value, default: preset },
    ...(name in example ? { example: example[name] } : {}),
  };
}

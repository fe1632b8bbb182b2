import { defaultOf, type Field, isRequired } from '../../operation/fields.ts';
import { descriptionOf, type JsonSchema } from '../../wire/types.ts';
import { valueSchema } from '../json-schema.ts';

/** A parameter of the path, which is always there. */
export function pathParameter([name, schema]: Field, example: Readonly<Record<string, unknown>>): JsonSchema {
  return { name, in: 'path', required: true, ...described([name, schema], example) };
}

/** A parameter of the query. Lists are separated by commas. */
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
  const standing = defaultOf(schema);
  const { description: _, ...value } = valueSchema(schema, 'form');
  return {
    ...(text === undefined ? {} : { description: text }),
    schema: standing === undefined ? value : { ...value, default: standing },
    ...(name in example ? { example: example[name] } : {}),
  };
}

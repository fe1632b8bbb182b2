/**
 * JSON of objects that are shown again and again. Writing an entity takes longer than everything else in a read, and the
 * text of an object that nobody changes stays the same.
 */
import type * as z from 'zod';
import { type Serializer, serializerOf } from './serialize.ts';

interface Written {
  readonly write: Serializer;
  readonly text: string;
}

/** Of each object the texts of this many serializers are remembered: two interfaces show it, and rarely two operations. */
const TEXTS = 2;

const remembered = new WeakMap<object, Written[]>();

/** Has the JSON of an object remembered once it has been written, as long as the object is. It must not change any more. */
export function rememberJson(value: object): void {
  if (!remembered.has(value)) remembered.set(value, []);
}

/**
 * Returns serializers which take the text of an object for which {@link rememberJson} was called from memory.
 * @param serializer makes the serializer of a schema, the same each time
 */
export function rememberingSerializersOf(
  serializer: (schema: z.ZodType) => Serializer,
): (schema: z.ZodType) => Serializer {
  const compiled = new WeakMap<z.ZodType, Serializer>();
  return (schema) => {
    const known = compiled.get(schema);
    if (known) return known;
    const made = remembering(serializer(schema));
    compiled.set(schema, made);
    return made;
  };
}

/**
 * Returns the serializer of a schema, compiled once, which takes the text of an object for which {@link rememberJson} was
 * called from memory.
 */
export const rememberingSerializerOf = rememberingSerializersOf(serializerOf);

function remembering(write: Serializer): Serializer {
  return (value) => {
    const written = typeof value === 'object' && value !== null ? remembered.get(value) : undefined;
    if (!written) return write(value);
    for (const known of written) if (known.write === write) return known.text;
    const text = flat(write(value));
    if (written.length === TEXTS) written.shift();
    written.push({ write, text });
    return text;
  };
}

/**
 * A text that was put together of many is a tree of them to V8 until something looks at one of its characters. As a tree it
 * is copied piece by piece into each response: four times the work.
 */
function flat(text: string): string {
  text.charCodeAt(0);
  return text;
}

/**
 * JSON of objects that are shown again and again. Writing an entity takes longer than everything else in a read, and the
 * text of an object that nobody changes stays the same.
 */
import type * as z from 'zod';
import { type Serializer, serializerOf } from './serialize.ts';

interface Remembered {
  write?: Serializer;
  text?: string;
}

const remembered = new WeakMap<object, Remembered>();

/** Has the JSON of an object remembered once it has been written, as long as the object is. It must not change any more. */
export function rememberJson(value: object): void {
  if (!remembered.has(value)) remembered.set(value, {});
}

const compiled = new WeakMap<z.ZodType, Serializer>();

/**
 * Returns the serializer of a schema, compiled once, which takes the text of an object for which {@link rememberJson} was
 * called from memory.
 */
export function rememberingSerializerOf(schema: z.ZodType): Serializer {
  const known = compiled.get(schema);
  if (known) return known;
  const made = remembering(serializerOf(schema));
  compiled.set(schema, made);
  return made;
}

function remembering(write: Serializer): Serializer {
  return (value) => {
    const entry = typeof value === 'object' && value !== null ? remembered.get(value) : undefined;
    if (!entry) return write(value);
    // Of an object that two operations show, the text of the last one is remembered.
    if (entry.write !== write || entry.text === undefined) {
      entry.text = flat(write(value));
      entry.write = write;
    }
    return entry.text;
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

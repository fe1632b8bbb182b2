/** Wire types of nested values, such as a tree: one function reads the whole, and reports each mistake with its place. */
import * as z from 'zod';
import { asWireType, type JsonSchema, type Rejection, rejectionOf, type Wire } from './types.ts';

/** A place inside a value: names of members and indexes of elements. */
export type Place = readonly (string | number)[];

/** Reports a mistake at a place. */
export type Report = (place: Place, rejection: Rejection) => void;

/**
 * A value that `read` takes apart. The echo of a call has it as it was sent.
 * @param read returns the value, or `undefined` once it has reported a mistake
 */
export function nested<Out, In>(
  json: JsonSchema,
  expected: string,
  read: (raw: unknown, report: Report) => Out | undefined,
): Wire<Out, In> {
  const schema = z.custom<In>().transform((raw, context): Out => {
    let isSound = true;
    const report: Report = (place, rejection) => {
      isSound = false;
      const path = [...place];
      context.issues.push({ code: 'custom', input: raw, path, message: rejection.expected, params: { rejection } });
    };
    if (raw === undefined) report([], { reason: 'missing', expected });
    const value = raw === undefined ? undefined : read(raw, report);
    return isSound && value !== undefined ? value : z.NEVER;
  });
  return asWireType(schema, { kind: json['type'] === 'array' ? 'items' : 'members', json, asSent: true });
}

/** Rejects a name that an object does not have. Its place ends with that name. @param members the names that the object has */
export function unknownMember(members: readonly string[]): Rejection {
  return { reason: 'invalid', expected: `one of ${members.join(', ')}`, members };
}

/** Reads one member of a nested value by its schema. @returns `undefined` once it has reported a mistake */
export function readMember<Out>(schema: z.ZodType<Out>, raw: unknown, place: Place, report: Report): Out | undefined {
  const read = schema.safeParse(raw);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  report(place, (issue && rejectionOf(issue)) ?? { reason: 'invalid', expected: 'a valid value' });
  return undefined;
}

/** Returns a place as errors name it: `segments.child_segments[1].frequency`. */
export function nameOfPlace(parameter: string, place: Place): string {
  return place.reduce<string>((name, step) => name + (typeof step === 'number' ? `[${step}]` : `.${step}`), parameter);
}

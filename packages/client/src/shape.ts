/**
 * Reads values of answers by the types of the thin contract. A server may be newer than this client, so members that the
 * contract does not name are kept as they came, and a new word of an enumeration or a figure beyond known bounds passes. A
 * member that is missing or of another type does not.
 */
import type { ThinShape, ThinShapes, ThinType } from '@broadside/core/thin';
import { parseTimestamp } from '@broadside/core/wire';

/** The answer does not fit the contract. */
export class ShapeError extends Error {
  override readonly name = 'ShapeError';
}

/** The members of a JSON object. */
export type Members = Readonly<Record<string, unknown>>;

/** True for a JSON object. */
export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Reads a value of a type.
 * @param at the place of the value in the answer, for the message; empty for the answer itself
 * @throws ShapeError
 */
export function readValue(shapes: ThinShapes, type: ThinType, value: unknown, at: string): unknown {
  const read = readers.find(([ending]) => type.endsWith(ending))?.[1];
  if (read) return read(shapes, type, value, at);
  const shape = shapes[Number(type)];
  if (shape && isMembers(value)) return readMembers(shapes, shape, value, at);
  return expected(shape ? undefined : readScalar(type, value), value, at);
}

type Reader = typeof readValue;

/** By the ending of a type. */
const readers: readonly (readonly [ending: string, read: Reader])[] = [
  ['?', (shapes, type, value, at) => (value === undefined ? value : readValue(shapes, type.slice(0, -1), value, at))],
  ['|null', (shapes, type, value, at) => (value === null ? value : readValue(shapes, type.slice(0, -5), value, at))],
  [
    '[]',
    (shapes, type, value, at) => {
      const element = type.slice(0, -2);
      const items: unknown = Array.isArray(value)
        ? value.map((item: unknown, index) => readValue(shapes, element, item, `${at}[${index}]`))
        : undefined;
      return expected(items, value, at);
    },
  ],
  ['*', (_shapes, type, value, at) => expected(readList(type.slice(0, -1), value), value, at)],
];

function expected(read: unknown, value: unknown, at: string): unknown {
  if (read !== undefined) return read;
  throw new ShapeError(value === undefined ? `"${at}" is missing` : `"${at}" is not what the contract says`);
}

function readMembers(shapes: ThinShapes, shape: ThinShape, value: Members, at: string): Members {
  const members: Record<string, unknown> = { ...value };
  for (const [name, type] of Object.entries(shape)) {
    const member = readValue(shapes, type, value[name], at === '' ? name : `${at}.${name}`);
    if (member !== undefined) members[name] = member;
  }
  return members;
}

/** The elements of a list, each once. */
function readList(type: ThinType, value: unknown): unknown {
  if (!Array.isArray(value)) return undefined;
  const items = value.map((item: unknown) => readScalar(type, item));
  return items.includes(undefined) ? undefined : [...new Set(items)];
}

/** A value of a scalar type; `undefined` when it is of another. Text is read as any of them: forms hold nothing else. */
function readScalar(type: ThinType, value: unknown): unknown {
  switch (type) {
    case 'text':
      return typeof value === 'string' ? value : undefined;
    case 'digits':
      return typeof value === 'string' ? value : readDigits(value);
    case 'boolean':
      return value === true || value === 'true' ? true : value === false || value === 'false' ? false : undefined;
    case 'long':
      return readWhole(value);
    case 'int': {
      const number = Number(readWhole(value));
      return Number.isSafeInteger(number) ? number : undefined;
    }
    case 'decimal': {
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
      return typeof number === 'number' && !Number.isNaN(number) ? number : undefined;
    }
    case 'time':
      return typeof value === 'string' ? (parseTimestamp(value) ?? value) : undefined;
    case 'instant':
      return typeof value === 'string' ? readInstant(value) : undefined;
    case 'members':
      return isMembers(value) ? { ...value } : undefined;
    case 'items':
      return Array.isArray(value) ? [...value] : undefined;
    default:
      return undefined;
  }
}

function readWhole(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  return typeof value === 'string' && /^-?\d{1,19}$/.test(value) ? BigInt(value) : undefined;
}

function readDigits(value: unknown): string | undefined {
  const whole = readWhole(value);
  return whole === undefined || whole < 0n ? undefined : `${whole}`;
}

function readInstant(value: string): string {
  const date = new Date(/^\d{4}-\d\d-\d\dT/.test(value) ? value : Number.NaN);
  return Number.isNaN(date.getTime()) ? value : date.toISOString();
}

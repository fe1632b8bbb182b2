/** Parses the members of requests from JSON. */
import { ProtocolError } from './errors.ts';

/** A JSON object. */
export type Json = Record<string, unknown>;

export function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new ProtocolError('the body is not JSON');
  }
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function object(value: unknown, what: string): Json {
  if (!isObject(value)) throw new ProtocolError(`${what} must be an object`);
  return value;
}

export function array(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new ProtocolError(`${what} must be an array`);
  return value;
}

export function optionalArray(value: unknown, what: string): readonly unknown[] {
  return value === undefined || value === null ? [] : array(value, what);
}

export function string(value: unknown, what: string): string {
  if (typeof value !== 'string') throw new ProtocolError(`${what} must be a string`);
  return value;
}

export function integer(value: unknown, what: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value)) throw new ProtocolError(`${what} must be an integer`);
  return value;
}

/** Values as the protocol encodes them. */
import { ProtocolError } from './errors.ts';
import { type Json, object, string } from './json.ts';

/** Numbers bind as REAL and bigint as INTEGER, which is the difference that the protocol makes too. */
export type NativeValue = string | number | bigint | null | Uint8Array;

export function encodeValue(value: unknown): Json {
  if (value === null) return { type: 'null' };
  if (typeof value === 'bigint') return { type: 'integer', value: value.toString() };
  if (typeof value === 'number') return { type: 'float', value };
  if (typeof value === 'string') return { type: 'text', value };
  if (value instanceof Uint8Array) return { type: 'blob', base64: Buffer.from(value).toString('base64') };
  throw new Error(`unexpected value from the database: ${typeof value}`);
}

export function decodeValue(value: unknown): NativeValue {
  const it = object(value, 'value');
  switch (it.type) {
    case 'null':
      return null;
    case 'integer': {
      const digits = string(it.value, 'integer');
      if (!/^-?\d{1,19}$/.test(digits)) throw new ProtocolError(`bad integer: ${digits}`);
      const number = BigInt(digits);
      if (number !== BigInt.asIntN(64, number)) throw new ProtocolError(`integer out of range: ${digits}`);
      return number;
    }
    case 'float':
      if (typeof it.value !== 'number') throw new ProtocolError('bad float');
      return it.value;
    case 'text':
      return string(it.value, 'text');
    case 'blob':
      return Buffer.from(string(it.base64, 'base64'), 'base64');
    default:
      throw new ProtocolError(`unknown type of value: ${JSON.stringify(it.type)}`);
  }
}

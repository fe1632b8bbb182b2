/** Digests of Node, for tests. */
import type { Digest } from '../digests.ts';

/** The part of Node that is used here, declared by hand because core compiles without Node's types. */
declare const process: {
  getBuiltinModule(name: 'node:crypto'): {
    hash(algorithm: string, bytes: Uint8Array | string, encoding: 'buffer'): Uint8Array;
  };
};
const { hash } = process.getBuiltinModule('node:crypto');

export const nodeDigest: Digest = (algorithm, bytes) => hash(algorithm, bytes, 'buffer');

/** Returns the digest of a text or of bytes as hexadecimal digits. */
export function hashed(input: string | Uint8Array, algorithm = 'sha256'): string {
  return Array.from(hash(algorithm, input, 'buffer'), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

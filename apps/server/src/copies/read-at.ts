import { read } from 'node:fs';

/** Reads up to so many bytes at a place of an open file. @returns how many there were */
export function readAt(descriptor: number, into: Uint8Array, length: number, at: number): Promise<number> {
  return new Promise((resolve, reject) => {
    read(descriptor, into, 0, length, at, (error, bytes) => (error === null ? resolve(bytes) : reject(error)));
  });
}

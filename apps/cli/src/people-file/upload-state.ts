/** How far an upload of a file is, kept on disk between runs: no identifiers, only the token of the client. */
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import path from 'node:path';
import type { Env } from '../io.ts';
import { configDirectory, readJsonFile, textMembers, writePrivateFile } from '../profiles.ts';

/** Bytes at the beginning of a file by which it is known again. */
export const HEAD_BYTES = 65_536;

/** A file as it was when its upload began. */
export interface Fingerprint {
  /** SHA-256 of the beginning. */
  readonly head: string;
  /** In bytes; `undefined` for a pipe. */
  readonly size: number | undefined;
}

/** The fingerprint of a file by its first bytes and its size. */
export function fingerprintOf(head: Uint8Array, size: number | undefined): Fingerprint {
  return { head: createHash('sha256').update(head).digest('hex'), size };
}

/** The default place of the state of an upload: one for each file, list and way to read it. */
export function stateFile(env: Env, upload: readonly (string | undefined)[]): string {
  const name = createHash('sha256').update(JSON.stringify(upload)).digest('hex').slice(0, 32);
  return path.join(configDirectory(env), 'uploads', `${name}.json`);
}

/** The state that a file holds: where to go on, or that it belongs to another content. */
export type SavedState = { readonly token: string } | 'changed' | undefined;

/** Reads the state of an upload of a file with this fingerprint. */
export function readState(file: string, { head, size }: Fingerprint): SavedState {
  const { token, ...saved } = textMembers(readJsonFile(file));
  if (token === undefined) return undefined;
  return saved['head'] === head && saved['size'] === size?.toString() ? { token } : 'changed';
}

/** Saves the state, whole or not at all. */
export function writeState(file: string, { head, size }: Fingerprint, token: string): void {
  writePrivateFile(file, { head, ...(size === undefined ? {} : { size: size.toString() }), token });
}

/** Removes the state of an upload that is done. */
export function removeState(file: string): void {
  rmSync(file, { force: true });
}

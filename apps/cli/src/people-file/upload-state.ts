/** The progress of an upload of a file, kept on disk between runs: no identifiers, only the token of the client. */
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { messageOf, UsageError } from '../errors.ts';
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

/** The upload that a state is about. */
export interface StatePlace {
  readonly env: Env;
  /** The file that the user chose; beside the profiles when left out. */
  readonly file: string | undefined;
  /** The progress of an earlier run is not used. */
  readonly isRestart: boolean;
  /** The file, the audience, and the way to read the file; without a file it is a pipe. */
  readonly upload: readonly (string | undefined)[];
}

/** The state of one upload. */
export class UploadState {
  /** The token to go on with; absent for an upload from the beginning. */
  readonly token: string | undefined;
  /** Rows that are acknowledged. */
  rows = 0;
  /** An earlier run left a state of another content of the file. */
  readonly isChanged: boolean;
  readonly #file: string | undefined;
  readonly #fingerprint: Fingerprint;
  #isDone = false;

  private constructor(file: string | undefined, fingerprint: Fingerprint, saved: SavedState) {
    this.#file = file;
    this.#fingerprint = fingerprint;
    this.isChanged = saved === 'changed';
    if (saved === undefined || saved === 'changed') return;
    this.token = saved.token;
    this.rows = saved.rows;
  }

  /** Opens the state of an upload. @throws UsageError when its file cannot be read */
  static open(
    { env, file, isRestart, upload }: StatePlace,
    { fingerprint }: { fingerprint: Fingerprint },
  ): UploadState {
    // A pipe is not known again unless the user says that it is.
    const place = file ?? (upload[0] === undefined ? undefined : defaultFile(env, upload));
    return new UploadState(place, fingerprint, place === undefined || isRestart ? undefined : read(place, fingerprint));
  }

  /** Keeps the token whenever more rows are acknowledged. */
  save({ token, acknowledged }: { readonly token: string; readonly acknowledged: { readonly rows: number } }): void {
    if (acknowledged.rows <= this.rows) return;
    this.rows = acknowledged.rows;
    const { head, size } = this.#fingerprint;
    if (this.#file === undefined) return;
    const facts = { head, ...(size === undefined ? {} : { size: `${size}` }), rows: `${acknowledged.rows}`, token };
    writePrivateFile(this.#file, facts);
  }

  /** Notes that all rows are acknowledged, and removes what is kept. */
  end(): void {
    this.#isDone = true;
    if (this.#file !== undefined) rmSync(this.#file, { force: true });
  }

  /** Says how to go on after an early end. @param shown writes a number for people */
  advice(shown: (rows: number) => string): string[] {
    if (this.#isDone) return ['All rows are sent; `broadside custom-audiences get` shows how many people are matched.'];
    if (this.rows === 0) return [];
    const rows = `${shown(this.rows)} rows are acknowledged`;
    if (this.#file === undefined) return [`${rows}. With --resume FILE an upload from stdin can go on there.`];
    return [`${rows}; the same command goes on there.`];
  }
}

type SavedState = { readonly token: string; readonly rows: number } | 'changed' | undefined;

function defaultFile(env: Env, upload: readonly (string | undefined)[]): string {
  const name = createHash('sha256').update(JSON.stringify(upload)).digest('hex').slice(0, 32);
  return path.join(configDirectory(env), 'uploads', `${name}.json`);
}

function read(file: string, { head, size }: Fingerprint): SavedState {
  let content: unknown;
  try {
    content = readJsonFile(file);
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
  if (content === undefined) return undefined;
  const { token, rows, ...saved } = textMembers(content);
  if (token === undefined) throw new UsageError(`${file} does not hold the state of an upload`);
  return saved['head'] === head && saved['size'] === size?.toString() ? { token, rows: Number(rows) } : 'changed';
}

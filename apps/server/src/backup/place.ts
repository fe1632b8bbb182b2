/**
 * The place of backups: a directory, or an S3-compatible store. It has a manifest and parts for each backup, and the bytes of media once for all
 * of them, named by their SHA-256. A backup exists once its manifest is there, which is written last.
 */

/** Bytes as they come. */
export type Bytes = AsyncIterable<Uint8Array>;

/** A part of a backup: a file of a world, or `sealed`. */
export interface PartName {
  /** Its number in the backup, from 0. */
  readonly index: number;
  /** Its path in the data directory. */
  readonly path: string;
}

/** A backup that is being written. */
export interface BackupWriter {
  put(part: PartName, bytes: Bytes): Promise<void>;
  /** Makes the backup exist, durably. */
  finish(manifest: string): Promise<void>;
  /** Removes what has been written. */
  abandon(): Promise<void>;
}

/** A place of backups. Its methods throw BackupError, or the error of the file system or of the object store. */
export interface BackupPlace {
  /** For messages. */
  readonly label: string;
  /** Ids of whole backups, the oldest first. */
  list(): Promise<string[]>;
  /** The text of a manifest; `undefined` if there is no such backup. */
  manifest(id: string): Promise<string | undefined>;
  /** Removes backups that were being written when a process ended. Nobody else may be writing one. */
  tidy(): Promise<void>;
  begin(id: string): Promise<BackupWriter>;
  /** @throws BackupError if the part is not there */
  open(id: string, part: PartName): Promise<Bytes>;
  /** Removes a backup; its manifest first. */
  remove(id: string): Promise<void>;
  /** The size of a medium in bytes; `undefined` if it is not there. */
  mediumSize(sha256: string): Promise<number | undefined>;
  /** Stores a medium; it appears whole or not at all. */
  putMedium(sha256: string, bytes: Bytes): Promise<void>;
  /** @throws BackupError if the medium is not there */
  openMedium(sha256: string): Promise<Bytes>;
  /** SHA-256 of all media. */
  listMedia(): AsyncIterable<string>;
  removeMedium(sha256: string): Promise<void>;
}

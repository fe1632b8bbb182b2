/**
 * A directory as a loss of power leaves it: what was synced, and of the rest as much as chance will have it. Made from a copy
 * of the directory as it was before, and from the trace that the shim has kept since.
 *
 * Bytes are safe when their file was synced after they were written, names when their directory was. Of what is not, the disk
 * may have any part, in any order: sectors of 512 bytes of any write, and any of the names, as long as they were given in order.
 */
import { cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const kinds = ['create', 'write', 'truncate', 'sync', 'rename', 'unlink', 'mkdir', 'rmdir', 'lostSync'] as const;
type Kind = (typeof kinds)[number];

interface Step {
  readonly kind: Kind;
  readonly names: readonly string[];
  readonly inode: bigint;
  readonly offset: number;
  readonly bytes: Buffer;
}

const HEADER_BYTES = 32;
const SECTOR_BYTES = 512;

/** Steps of a trace; one that was cut off by the end of the process did not happen. */
function* stepsOf(trace: Buffer): Generator<Step> {
  for (let at = 0; at + HEADER_BYTES <= trace.length; ) {
    const kind = kinds[trace.readUInt32LE(at) - 1];
    if (kind === undefined) throw new Error(`the trace is damaged at ${at}`);
    const names = at + HEADER_BYTES;
    const bytes = names + trace.readUInt32LE(at + 4);
    const end = bytes + Number(trace.readBigUInt64LE(at + 24));
    if (end > trace.length) return;
    yield {
      kind,
      names: trace.toString('utf8', names, bytes).split('\0'),
      inode: trace.readBigUInt64LE(at + 8),
      offset: Number(trace.readBigUInt64LE(at + 16)),
      bytes: trace.subarray(bytes, end),
    };
    at = end;
  }
}

/** A file as the disk has it, and what it does not have yet. */
class File {
  readonly pending: Step[] = [];
  #room: Buffer;
  #length: number;

  constructor(bytes = Buffer.alloc(0)) {
    this.#room = bytes;
    this.#length = bytes.length;
  }

  get bytes(): Buffer {
    return this.#room.subarray(0, this.#length);
  }

  /** Cuts the file off, or adds zeros. */
  resize(length: number): void {
    if (length > this.#room.length) {
      const room = Buffer.alloc(Math.max(length, 2 * this.#room.length));
      this.bytes.copy(room);
      this.#room = room;
    } else if (length > this.#length) this.#room.fill(0, this.#length, length);
    this.#length = length;
  }

  write(bytes: Buffer, at: number): void {
    if (at + bytes.length > this.#length) this.resize(at + bytes.length);
    bytes.copy(this.#room, at);
  }
}

/** The share of what was not synced that is kept. */
export interface Loss {
  /** Of writes, and of names. */
  readonly kept: number;
  /** The share of the writes that are kept which is torn. */
  readonly torn: number;
  /** Files of which everything is kept, by the end of their names. */
  readonly whole?: string;
  readonly chance: () => number;
}

/** A directory and what was done to it. */
export class FileTrace {
  readonly #copy: string;
  readonly #directory: string;
  /** Names of files and directories, by path, as the disk has them. */
  readonly #names = new Map<string, bigint | 'directory'>();
  /** Changes of names that the disk may not have yet, by directory. */
  readonly #naming = new Map<string, Step[]>();
  readonly #folders = new Map<bigint, string>();
  readonly #files = new Map<bigint, File>();
  #isComplete = true;

  /**
   * Copies a directory.
   * @param copy a directory that is made
   */
  constructor(directory: string, copy: string) {
    this.#directory = directory;
    this.#copy = copy;
    cpSync(directory, copy, { recursive: true });
    this.#folders.set(lstatSync(directory, { bigint: true }).ino, directory);
    for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
      const name = path.join(entry.parentPath, entry.name);
      const { ino } = lstatSync(name, { bigint: true });
      this.#names.set(name, entry.isDirectory() ? 'directory' : ino);
      if (entry.isDirectory()) this.#folders.set(ino, name);
      else this.#files.set(ino, new File(readFileSync(this.#inCopy(name))));
    }
  }

  /** Takes over what a process did. */
  play(trace: string): void {
    for (const step of stepsOf(readFileSync(trace))) this.#take(step);
  }

  /** Writes what is left to a directory, which is made. @returns how many writes were dropped */
  leave(directory: string, loss: Loss): number {
    let dropped = 0;
    for (const steps of this.#naming.values()) {
      const kept = steps.filter(() => loss.chance() < loss.kept).length;
      for (const step of steps.slice(0, kept)) this.#rename(step);
      dropped += steps.length - kept;
    }
    mkdirSync(directory, { mode: 0o700 });
    for (const [name, inode] of [...this.#names].sort(([one], [other]) => (one < other ? -1 : 1))) {
      const target = path.join(directory, path.relative(this.#directory, name));
      if (!this.#hasFolder(path.dirname(name))) continue;
      if (inode === 'directory') {
        mkdirSync(target, { mode: 0o700 });
        continue;
      }
      const file = this.#files.get(inode) ?? new File();
      const isWhole = loss.whole !== undefined && name.endsWith(loss.whole);
      for (const step of file.pending) {
        if (isWhole || loss.chance() < loss.kept) apply(file, step, isWhole ? undefined : loss);
        else dropped += 1;
      }
      writeFileSync(target, file.bytes, { mode: 0o600 });
    }
    return dropped;
  }

  #hasFolder(name: string): boolean {
    return name === this.#directory || (this.#names.get(name) === 'directory' && this.#hasFolder(path.dirname(name)));
  }

  #inCopy(name: string): string {
    return path.join(this.#copy, path.relative(this.#directory, name));
  }

  #take(step: Step): void {
    const { kind, inode, names } = step;
    switch (kind) {
      case 'write':
      case 'truncate':
        this.#file(inode).pending.push(step);
        return;
      case 'sync': {
        const folder = this.#folders.get(inode);
        if (folder !== undefined) {
          for (const change of this.#naming.get(folder) ?? []) this.#rename(change);
          this.#naming.delete(folder);
          return;
        }
        const file = this.#file(inode);
        for (const change of file.pending.splice(0)) apply(file, change, undefined);
        return;
      }
      case 'lostSync':
        this.#isComplete = false;
        return;
      case 'create':
        // The number of a file or a directory that is gone may be given again.
        this.#files.set(inode, new File());
        this.#folders.delete(inode);
        break;
      case 'mkdir':
        this.#folders.set(inode, names[0] ?? '');
        this.#files.delete(inode);
        break;
      case 'rename':
      case 'unlink':
      case 'rmdir':
    }
    const folder = path.dirname(names.at(-1) ?? '');
    const changes = this.#naming.get(folder) ?? [];
    changes.push(step);
    this.#naming.set(folder, changes);
  }

  /** Returns whether all syncs were done. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  #file(inode: bigint): File {
    const file = this.#files.get(inode) ?? new File();
    this.#files.set(inode, file);
    return file;
  }

  #rename({ kind, names: [one = '', two = ''], inode }: Step): void {
    if (kind === 'create') this.#names.set(one, inode);
    else if (kind === 'mkdir') this.#names.set(one, 'directory');
    else if (kind === 'rename') {
      // A new name takes the old one away, also where the disk had not got that yet.
      const folder = path.dirname(one);
      const left = (this.#naming.get(folder) ?? []).filter(({ names }) => names.at(-1) !== one);
      this.#naming.set(folder, left);
      this.#names.delete(one);
      this.#names.set(two, inode);
    } else this.#names.delete(one);
  }
}

function apply(file: File, { kind, offset, bytes }: Step, loss: Loss | undefined): void {
  if (kind === 'truncate') file.resize(offset);
  else if (loss === undefined || loss.chance() >= loss.torn) file.write(bytes, offset);
  else {
    for (let at = 0; at < bytes.length; at += SECTOR_BYTES) {
      if (loss.chance() < 0.5) file.write(bytes.subarray(at, at + SECTOR_BYTES), offset + at);
    }
  }
}

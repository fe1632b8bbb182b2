/**
 * A directory as a loss of power leaves it: what was synced, and of the rest as much as chance will have it. Made from a copy
 * of the directory as it was before, and from the trace that the shim has kept since.
 *
 * Bytes are safe when their file was synced after they were written, names when their directory was. Of what is not, the disk
 * may have any part, in any order: sectors of 512 bytes of any write, and any of the names, as long as they were given in order.
 */
import { cpSync, type Dirent, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const kinds = [
  'create',
  'write',
  'truncate',
  'sync',
  'rename',
  'unlink',
  'mkdir',
  'rmdir',
  'lostSync',
  'link',
] as const;
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

/**
 * A name that a directory gets or loses. Of a move, each of the directories has its part; file systems with a journal have both on disk once one of
 * them is synced.
 */
interface Naming {
  readonly name: string;
  /** Undefined where the name is gone. */
  readonly node: Node | undefined;
  /** Where it is taken from. */
  readonly from?: { readonly folder: Folder; readonly name: string };
  /** Where it has gone. */
  readonly to?: { readonly folder: Folder; readonly naming: Naming };
}

/** A directory: its names as processes see them, as the disk has them, and the changes that the disk may not have yet. */
class Folder {
  readonly seen = new Map<string, Node>();
  readonly stored = new Map<string, Node>();
  pending: Naming[] = [];

  change(naming: Naming): void {
    see(this.seen, naming);
    this.pending.push(naming);
  }

  /** Has the disk take the first changes. */
  store(count = this.pending.length): void {
    for (const naming of this.pending.splice(0, count)) {
      const { node, from, to } = naming;
      if (to) {
        to.folder.store(to.folder.pending.indexOf(to.naming) + 1);
        continue;
      }
      if (from) {
        // A new name takes the old one away, also where the disk had not got that yet.
        from.folder.pending = from.folder.pending.filter((one) => one.name !== from.name || one.node !== node);
        if (from.folder.stored.get(from.name) === node) from.folder.stored.delete(from.name);
      }
      see(this.stored, naming);
    }
  }
}

type Node = File | Folder;

function see(names: Map<string, Node>, { name, node }: Naming): void {
  if (node) names.set(name, node);
  else names.delete(name);
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
  readonly #directory: string;
  readonly #root = new Folder();
  /** The number of a file or directory that is gone may be given again. */
  readonly #nodes = new Map<bigint, Node>();
  #isComplete = true;

  /**
   * Copies a directory.
   * @param copy a directory that is made
   */
  constructor(directory: string, copy: string) {
    this.#directory = directory;
    cpSync(directory, copy, { recursive: true });
    this.#nodes.set(lstatSync(directory, { bigint: true }).ino, this.#root);
    for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true }).sort(byPath)) {
      const file = path.join(entry.parentPath, entry.name);
      const { ino } = lstatSync(file, { bigint: true });
      const known = this.#nodes.get(ino);
      const kept = path.join(copy, path.relative(directory, file));
      // A file may have several names.
      const node = known ?? (entry.isDirectory() ? new Folder() : new File(readFileSync(kept)));
      this.#nodes.set(ino, node);
      const folder = this.#folder(path.dirname(file));
      folder.seen.set(entry.name, node);
      folder.stored.set(entry.name, node);
    }
  }

  /** Takes over what a process did. */
  play(trace: string): void {
    for (const step of stepsOf(readFileSync(trace))) this.#take(step);
  }

  /** Writes what is left to a directory, which is made. @returns how many writes were dropped */
  leave(directory: string, loss: Loss): number {
    let dropped = 0;
    for (const folder of new Set(this.#nodes.values())) {
      if (!(folder instanceof Folder)) continue;
      const kept = folder.pending.filter(() => loss.chance() < loss.kept).length;
      dropped += folder.pending.length - kept;
      folder.store(kept);
    }
    mkdirSync(directory, { mode: 0o700 });
    return dropped + leaveIn(this.#root, directory, loss, new Set());
  }

  #take(step: Step): void {
    const { kind, inode, names } = step;
    const [one = '', two = ''] = names;
    switch (kind) {
      case 'write':
      case 'truncate':
        this.#file(inode).pending.push(step);
        return;
      case 'sync':
        this.#sync(inode);
        return;
      case 'lostSync':
        this.#isComplete = false;
        return;
      case 'create':
        this.#name(one, this.#made(inode, new File()));
        return;
      case 'mkdir':
        this.#name(one, this.#made(inode, new Folder()));
        return;
      case 'link':
        this.#name(two, this.#seen(one));
        return;
      case 'rename':
        this.#rename(one, two);
        return;
      case 'unlink':
      case 'rmdir':
        this.#name(one, undefined);
    }
  }

  /** Returns whether all syncs were done. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  #sync(inode: bigint): void {
    const node = this.#nodes.get(inode);
    if (node instanceof Folder) node.store();
    else if (node) for (const change of node.pending.splice(0)) apply(node, change, undefined);
  }

  #made<Made extends Node>(inode: bigint, node: Made): Made {
    this.#nodes.set(inode, node);
    return node;
  }

  #file(inode: bigint): File {
    const known = this.#nodes.get(inode);
    return known instanceof File ? known : this.#made(inode, new File());
  }

  #folder(name: string): Folder {
    const found = this.#seen(name);
    if (found instanceof Folder) return found;
    throw new Error(`the trace has no directory ${name}`);
  }

  /** What a process sees under a path. */
  #seen(name: string): Node | undefined {
    let node: Node | undefined = this.#root;
    for (const part of path.relative(this.#directory, name).split(path.sep)) {
      if (part !== '') node = node instanceof Folder ? node.seen.get(part) : undefined;
    }
    return node;
  }

  #name(file: string, node: Node | undefined): void {
    this.#folder(path.dirname(file)).change({ name: path.basename(file), node });
  }

  #rename(one: string, two: string): void {
    const folder = this.#folder(path.dirname(one));
    const name = path.basename(one);
    const node = folder.seen.get(name);
    folder.seen.delete(name);
    // The index of a write-ahead log is not traced.
    if (!node) return;
    const target = this.#folder(path.dirname(two));
    const naming = { name: path.basename(two), node, from: { folder, name } };
    target.change(naming);
    if (target !== folder) folder.pending.push({ name, node: undefined, to: { folder: target, naming } });
  }
}

function byPath(one: Dirent, other: Dirent): number {
  return path.join(one.parentPath, one.name) < path.join(other.parentPath, other.name) ? -1 : 1;
}

/** Writes a directory as the disk has it. @param done files of which it is decided what the disk has */
function leaveIn(folder: Folder, directory: string, loss: Loss, done: Set<File>): number {
  let dropped = 0;
  for (const [name, node] of [...folder.stored].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const target = path.join(directory, name);
    if (node instanceof Folder) {
      mkdirSync(target, { mode: 0o700 });
      dropped += leaveIn(node, target, loss, done);
      continue;
    }
    const isWhole = loss.whole !== undefined && target.endsWith(loss.whole);
    for (const step of done.has(node) ? [] : node.pending) {
      if (isWhole || loss.chance() < loss.kept) apply(node, step, isWhole ? undefined : loss);
      else dropped += 1;
    }
    done.add(node);
    writeFileSync(target, node.bytes, { mode: 0o600 });
  }
  return dropped;
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

/**
 * A copy of the members of a world while they are written and merged. The log is the truth: audiences are copied as they are merged at any
 * time, before the instant of the copy, together with all of the log that they may lack, up to that instant. Frames that an audience
 * has merged already are passed over when the copy is opened.
 */
import { closeSync, existsSync, fstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { canLink, copyBytes, copyWhole, isMissing, syncAll, syncNames, writeWhole } from '../copies/copy-file.ts';
import type { CopyPart } from '../copies/copy-part.ts';
import type { LogPosition } from './log/member-log.ts';
import { listSegments, segmentPath } from './log/segments.ts';
import { MANIFEST, runFilesOf } from './worker/manifest.ts';

/** The store of members, where it is open. */
export interface OpenMembers {
  /** The end of what is durable in the log, where that is being written. */
  readonly end: LogPosition | undefined;
  /** Nothing has been merged since the store was opened. */
  readonly isIdle: boolean;
  /** No longer calls {@link MembersCopy.hold}. */
  ended(copy: MembersCopy): void;
}

export class MembersCopy implements CopyPart {
  readonly #directory: string;
  readonly #target: string;
  /** Segments of the log by number, open, so that they outlast their names. */
  readonly #segments = new Map<number, number>();
  /** Their bytes at the instant. */
  readonly #bytes = new Map<number, number>();
  readonly #open: OpenMembers | undefined;
  readonly #wasIdle: boolean;
  #matched: string | undefined;

  /**
   * Begins with holding what is in the log.
   * @param directory that of the members; it need not be there
   * @param open the store, where it is open
   */
  constructor(directory: string, target: string, open?: OpenMembers) {
    this.#directory = directory;
    this.#target = target;
    this.#open = open;
    this.#wasIdle = open?.isIdle ?? true;
    this.#holdAll();
  }

  /** Holds a segment that has begun. */
  hold(segment: number): void {
    if (this.#segments.has(segment)) return;
    try {
      this.#segments.set(segment, openSync(segmentPath(path.join(this.#directory, 'log'), segment), 'r'));
    } catch (error) {
      // It is merged.
      if (!isMissing(error)) throw error;
    }
  }

  /** Copies what is merged. */
  async before(): Promise<void> {
    const from = path.join(this.#directory, 'audiences');
    if (!existsSync(from)) return;
    const to = path.join(this.#target, 'audiences');
    await mkdir(to, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(from)) await this.#audience(path.join(from, name), path.join(to, name));
    await syncNames(to);
    await syncNames(this.#target);
  }

  /** Notes how far the log goes. */
  look(): void {
    this.#holdAll();
    const { end, isIdle = true } = this.#open ?? {};
    for (const [segment, descriptor] of this.#segments) {
      this.#bytes.set(segment, segment === end?.segment ? end.offset : fstatSync(descriptor).size);
    }
    // Otherwise each audience says by itself with which people it was matched.
    const matched = path.join(this.#directory, 'matched.json');
    if (this.#wasIdle && isIdle && existsSync(matched)) this.#matched = readFileSync(matched, 'utf8');
  }

  /** Copies the log. */
  async after(): Promise<void> {
    if (this.#bytes.size === 0) return;
    const to = path.join(this.#target, 'log');
    await mkdir(to, { recursive: true, mode: 0o700 });
    for (const [segment, bytes] of this.#bytes) {
      await copyBytes(this.#segments.get(segment) ?? -1, bytes, segmentPath(to, segment));
    }
    if (this.#matched !== undefined) await writeWhole(path.join(this.#target, 'matched.json'), this.#matched);
    await syncAll(to);
    await syncAll(this.#target);
  }

  end(): void {
    this.#open?.ended(this);
    for (const descriptor of this.#segments.values()) closeSync(descriptor);
    this.#segments.clear();
  }

  #holdAll(): void {
    const log = path.join(this.#directory, 'log');
    if (existsSync(log)) for (const segment of listSegments(log)) this.hold(segment);
  }

  async #audience(from: string, to: string): Promise<void> {
    for (;;) {
      await mkdir(to, { mode: 0o700 });
      // A run goes when others have taken its place, after the manifest says so.
      if (await this.#files(from, to)) break;
      await rm(to, { recursive: true });
    }
    await syncAll(to);
  }

  async #files(from: string, to: string): Promise<boolean> {
    try {
      const manifest = readFileSync(path.join(from, MANIFEST), 'utf8');
      for (const name of runFilesOf(manifest)) {
        if (!canLink(path.join(from, name), path.join(to, name))) {
          await copyWhole(path.join(from, name), path.join(to, name));
        }
      }
      await writeWhole(path.join(to, MANIFEST), manifest);
      return true;
    } catch (error) {
      if (!isMissing(error)) throw error;
      // Before its first version an audience has no manifest.
      return !existsSync(path.join(from, MANIFEST));
    }
  }
}

/** Images and videos that a seed file references: read in place, and inspected like uploads. */
import { createHmac, type Hmac } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { defaultMediaCategories, type MediaCategory } from '@broadside/core/resources/media';
import { errorCode } from '../error-text.ts';
import { fileSource } from '../media/byte-source.ts';
import { inspectMedia } from '../media/inspect.ts';
import type { MediaFacts } from '../media/inspection.ts';
import { checkCategory } from '../media/limits.ts';
import { makeStill } from '../media/stills/still.ts';
import { stillKey } from '../media/stills/still-key.ts';
import type { SeedFile } from './file-format.ts';
import type { FileIssue } from './file-issue.ts';

/** A file that a post shows. */
export interface FileMedia {
  readonly file: string;
  readonly facts: MediaFacts;
  readonly category: MediaCategory;
  readonly alt_text: string | null;
  readonly blob_key: string;
  readonly still: { readonly blob_key: string; readonly bytes: Buffer } | null;
}

/** The media of each post, by the number of the post; and the issues of files. */
export interface FileMediaOfPosts {
  readonly media: ReadonlyMap<number, readonly FileMedia[]>;
  readonly issues: readonly FileIssue[];
}

/** Source directory of the files, and the key that names their blobs. */
export interface FileMediaPlace {
  /** Relative names are resolved against this. */
  readonly directory: string;
  /** A secret of the platform: equal bytes have equal names on it, and names cannot be guessed. */
  readonly key: string;
}

const MAX_PHOTOS = 4;

/** Reads and inspects all files that posts show. */
export async function readFileMedia({ posts }: SeedFile, place: FileMediaPlace): Promise<FileMediaOfPosts> {
  const media = new Map<number, readonly FileMedia[]>();
  const issues: FileIssue[] = [];
  for (const [index, { media: named = [] }] of posts.entries()) {
    const found: FileMedia[] = [];
    for (const [at, { file, alt_text = null }] of named.entries()) {
      const read = await readOne(file, alt_text, place);
      if (typeof read === 'string') issues.push({ path: ['posts', index, 'media', at, 'file'], message: read });
      else found.push(read);
      if (typeof read !== 'string' && alt_text !== null && read.facts.kind === 'video') {
        const message = 'a video has no alt_text; images have';
        issues.push({ path: ['posts', index, 'media', at, 'alt_text'], message });
      }
    }
    const photos = found.filter(({ facts }) => facts.kind === 'photo').length;
    if (found.length > MAX_PHOTOS || (photos < found.length && found.length > 1)) {
      const message = `a post shows up to ${MAX_PHOTOS} images, or one animated GIF, or one video`;
      issues.push({ path: ['posts', index, 'media'], message });
    }
    if (found.length > 0) media.set(index, found);
  }
  return { media, issues };
}

/** Returns a file, or the reason why it cannot be shown. */
async function readOne(name: string, alt_text: string | null, place: FileMediaPlace): Promise<FileMedia | string> {
  const file = path.resolve(place.directory, name);
  let handle: FileHandle;
  try {
    handle = await open(file, 'r');
  } catch (error) {
    return `${name} cannot be read (${errorCode(error) ?? String(error)})`;
  }
  try {
    const status = await handle.stat();
    if (!status.isFile()) return `${name} is no file`;
    const source = fileSource(handle, status.size);
    const facts = await inspectMedia(source);
    if ('reason' in facts) return `${name}: ${facts.message}`;
    const category = defaultMediaCategories[facts.kind];
    const rejection = checkCategory(facts, category);
    if (rejection) return `${name}: ${rejection.message}`;
    const blob_key = await digest(file, createHmac('sha256', place.key));
    const still = await makeStill(facts, source);
    return {
      file,
      facts,
      category,
      alt_text,
      blob_key,
      still: still === undefined ? null : { blob_key: stillKey(blob_key, 'still'), bytes: still },
    };
  } catch (error) {
    const code = errorCode(error);
    if (code !== undefined) return `${name} cannot be read (${code})`;
    throw error;
  } finally {
    await handle.close();
  }
}

async function digest(file: string, hash: Hmac): Promise<string> {
  for await (const piece of createReadStream(file)) hash.update(piece);
  return hash.digest('hex').slice(0, 32);
}

/** Places of backups for tests: a directory, and an S3-compatible store in this process. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startS3Server } from '@broadside/test-servers/s3';
import { onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../db/testing/temporary.ts';
import { openPlace } from '../open-place.ts';
import type { BackupPlace } from '../place.ts';

/** A place, and what is stored there by name. */
export interface TestPlace {
  readonly place: BackupPlace;
  names(): string[];
  /** Damages what is stored under a name, or removes it. */
  change(name: string, change: (bytes: Buffer) => Buffer | undefined): void;
}

/** Kinds of places. */
export const placeKinds = ['directory', 'object store'] as const;

/** Opens an empty place. */
export async function testPlace(kind: (typeof placeKinds)[number]): Promise<TestPlace> {
  if (kind === 'directory') {
    const root = path.join(temporaryDirectory(), 'backups');
    return {
      place: openPlace(root, undefined),
      names: () => filesBelow(root),
      change: (name, change) => {
        const file = path.join(root, name);
        const bytes = change(readFileSync(file));
        if (bytes === undefined) rmSync(file);
        else writeFileSync(file, bytes);
      },
    };
  }
  const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' };
  const server = await startS3Server({ bucket: 'backups', region: 'us-east-1', ...credentials });
  onTestFinished(() => server.close());
  return {
    place: openPlace(`s3://backups/of/one?endpoint=${server.url}`, credentials),
    names: () => [...server.objects.keys()].map((key) => key.replace('of/one/', '')).sort(),
    change: (name, change) => {
      const key = `of/one/${name}`;
      const bytes = change(server.objects.get(key) ?? Buffer.alloc(0));
      if (bytes === undefined) server.objects.delete(key);
      else server.objects.set(key, bytes);
    },
  };
}

function filesBelow(root: string): string[] {
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .sort();
}

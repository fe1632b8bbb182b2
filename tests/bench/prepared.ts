/**
 * Data directories that several parts of a run begin with: that of a server that has started once, and seeded platforms. Each is made once, and
 * the parts get copies.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Processes, stop } from './processes.ts';

let root: string | undefined;

function placeOf(name: string): string {
  root ??= mkdtempSync(path.join(tmpdir(), 'broadside-bench-prepared-'));
  return path.join(root, name);
}

process.once('exit', () => {
  if (root !== undefined) rmSync(root, { recursive: true, force: true });
});

const started = new Map<string, Promise<string>>();

/** Fills an empty directory with what the first start of a server makes. @param server its main file */
export async function startedOnce(directory: string, server: string): Promise<void> {
  const place = started.get(server) ?? start(server, placeOf(`started-${started.size}`));
  started.set(server, place);
  cpSync(await place, directory, { recursive: true });
}

async function start(server: string, place: string): Promise<string> {
  const processes = new Processes();
  try {
    await stop((await processes.startServer(server, place)).child);
    return place;
  } finally {
    processes.kill();
  }
}

interface Size {
  readonly posts: number;
  readonly users: number;
}

const seeded = new Map<string, { readonly place: string; readonly seconds: number }>();

/** Fills an empty directory with a seeded platform. @returns how many seconds the seeding took */
export function seededOnce(directory: string, size: Size): number {
  const name = `seeded-${size.posts}-${size.users}`;
  const { place, seconds } = seeded.get(name) ?? { place: placeOf(name), seconds: seedPosts(placeOf(name), size) };
  seeded.set(name, { place, seconds });
  cpSync(place, directory, { recursive: true });
  return seconds;
}

/** Seeds a platform in an empty directory. @returns how many seconds it took */
export function seedPosts(directory: string, { posts, users }: Size): number {
  const began = performance.now();
  const cli = ['apps/cli/dist/main.js', 'seed', '--quiet', '--seed', 'bench'];
  execFileSync(process.execPath, [...cli, '--users', `${users}`, '--posts', `${posts}`, '--data-dir', directory], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return (performance.now() - began) / 1000;
}

/** One run of the benches: how long and with which server, and the directory and processes of each part. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Cores, Processes, type ProcessOptions } from './processes.ts';
import type { Effort } from './rounds.ts';

/** Numbers of records that parts of the bench seed. */
export interface Amounts {
  /** Records of each family in a list. */
  readonly page: number;
  /** Posts that data retrieval and keyword insights read. */
  readonly posts: number;
  /** Posts of one author that advertisers list. */
  readonly timeline: number;
  /** People, and posts, for audience estimates. */
  readonly users: number;
  /** Records of the media library that is searched. */
  readonly media: number;
  /** Campaigns of one account, in the largest of the sizes that are compared. */
  readonly campaigns: number;
  /** One in so many worst cases of holds is measured. */
  readonly holdStride: number;
}

/** A Go program that answers reads of posts, and how it is asked. */
export interface Playground {
  /** Its module and version, as `go install` takes them; undefined when it is not to be measured. */
  readonly module: string | undefined;
  /** Arguments that start it, in which `{port}` is replaced. */
  readonly args: string;
  /** Path of one post that it has. */
  readonly target: string;
}

/** A run of the benches. */
export interface Run {
  readonly effort: Effort;
  readonly amounts: Amounts;
  /** The main file of the built server. */
  readonly server: string;
  readonly cores: Cores | undefined;
  readonly profile: string | undefined;
  /** A directory with a seeded platform, instead of seeding one. */
  readonly seeded: string | undefined;
  /** The Go program that comes with the documented service. */
  readonly playground: Playground;
}

/** Runs `body` with an empty directory and processes, both of which end with it. @param options.parent where the directory is to be */
export async function inDirectory<Result>(
  { cores, profile }: Pick<Run, 'cores' | 'profile'>,
  body: (directory: string, processes: Processes) => Promise<Result>,
  { parent = tmpdir(), ...options }: ProcessOptions & { readonly parent?: string } = {},
): Promise<Result> {
  const directory = mkdtempSync(path.join(parent, 'broadside-bench-'));
  const processes = new Processes({ cores, profile, ...options });
  try {
    return await body(directory, processes);
  } finally {
    processes.kill();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The effort for rows that are compared with nothing: a quarter of the time, in one round. */
export function short({ effort }: Run): Effort {
  return { ...effort, seconds: effort.seconds / 4, rounds: 1 };
}

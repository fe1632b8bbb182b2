/** Losses of power on the machine of a server: what it wrote is traced, and its directory replaced by what the disk has of that. */
import { strict as assert } from 'node:assert';
import { renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ownAddress, ServerProcess } from '../src/support/server-process.ts';
import type { FaultControl } from './control.ts';
import { FileTrace, type Loss } from './file-trace.ts';

/** A directory for the data, and one for what the round needs besides. */
export interface Places {
  readonly directory: string;
  readonly scratch: string;
}

type Way = Pick<Loss, 'kept' | 'torn'>;

const WAYS: readonly Way[] = [
  { kept: 0, torn: 0 },
  { kept: 0.5, torn: 0 },
  { kept: 0.5, torn: 0.5 },
  { kept: 0.9, torn: 0.1 },
];

/** Chooses how much of what was not synced the disk has. */
export function wayOf(chance: () => number): Way {
  return WAYS[Math.floor(chance() * WAYS.length)] ?? { kept: 0, torn: 0 };
}

/** The power of the machine that a server runs on. */
export class Power {
  readonly #places: Places;
  readonly #control: FaultControl;
  readonly #chance: () => number;
  #trace: FileTrace | undefined;

  constructor(places: Places, control: FaultControl, chance: () => number) {
    this.#places = places;
    this.#control = control;
    this.#chance = chance;
  }

  async start(boot: string, lost?: string): Promise<ServerProcess> {
    return ServerProcess.start(this.#places.directory, this.environment(boot, lost));
  }

  spawn(boot: string): ServerProcess {
    return ServerProcess.spawn(this.#places.directory, this.environment(boot));
  }

  /** Replaces the data directory by what is left of it. @returns how much was dropped */
  lose(way: { readonly kept: number; readonly torn: number; readonly whole?: string }): number {
    const { directory, scratch } = this.#places;
    const trace = this.#trace;
    assert(trace !== undefined);
    trace.play(path.join(scratch, 'trace'));
    const left = path.join(scratch, 'left');
    const dropped = trace.leave(left, { ...way, chance: this.#chance });
    rmSync(directory, { recursive: true });
    renameSync(left, directory);
    return dropped;
  }

  /** The environment of the next process, whose writes are traced. */
  environment(boot: string, lost?: string): Record<string, string> {
    const { directory, scratch } = this.#places;
    for (const name of ['copy', 'trace']) rmSync(path.join(scratch, name), { recursive: true, force: true });
    this.#trace = new FileTrace(directory, path.join(scratch, 'copy'));
    return { ...ownAddress, ...this.#control.tracing(directory, path.join(scratch, 'trace'), boot, lost) };
  }
}

/** The processes of a bench: the built server, and bare servers beside it. */
import { type ChildProcess, type StdioOptions, spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Free ports, and as many requests as the bench likes: the figures of the reference would end a row after 450 writes. */
function settings(directory: string): Readonly<Record<`BROADSIDE_${string}`, string>> {
  return {
    BROADSIDE_DATA_DIR: directory,
    BROADSIDE_API_PORT: '0',
    BROADSIDE_ADS_PORT: '0',
    BROADSIDE_SANDBOX_PORT: '0',
    BROADSIDE_RATE_LIMITS: 'off',
    // As in production: it fills memory up to its bound.
    BROADSIDE_JOURNAL: 'off',
    // One thread, like the servers that it is compared with; `threads.ts` measures more.
    BROADSIDE_WORKERS: '1',
    BROADSIDE_LOG_FORMAT: 'json',
  };
}

/** The cores that servers and the load generator have for themselves; undefined where the machine cannot separate them. */
export interface Cores {
  readonly server: string;
  readonly generator: string;
  /** Both, for what is to be measured as a machine gives it. */
  readonly all: string;
}

/** Lets servers run on every core, though this process is on one: programs are started on the cores of the one that starts them. */
export function onAllCores(cores: Cores | undefined): Cores | undefined {
  return cores && { ...cores, server: cores.all };
}

/**
 * Moves this process, the load generator, to a core of its own. Servers that are started with the result run on the others.
 * @returns undefined where there is one core only, or no `taskset`
 */
export function separateCores(): Cores | undefined {
  const count = availableParallelism();
  if (count < 2) return undefined;
  const cores = { server: count === 2 ? '0' : `0-${count - 2}`, generator: `${count - 1}`, all: `0-${count - 1}` };
  const moved = spawnSync('taskset', ['-acp', cores.generator, `${process.pid}`], { stdio: 'ignore' });
  return moved.status === 0 ? cores : undefined;
}

/** The environment that every process of a bench is started with. */
export interface ProcessOptions {
  readonly cores?: Cores | undefined;
  /** A directory that processor profiles of the built server are written to when it ends. */
  readonly profile?: string | undefined;
  /** Settings of the built server beside those of all benches. */
  readonly settings?: Readonly<Record<`BROADSIDE_${string}`, string>>;
}

/** Processes that end with the bench, however it ends. */
export class Processes {
  readonly #children: ChildProcess[] = [];
  readonly #options: ProcessOptions;

  constructor(options: ProcessOptions = {}) {
    this.#options = options;
  }

  /** Starts a program on the core of servers. */
  #spawn(program: string, args: readonly string[], options: Parameters<typeof spawn>[2]): ChildProcess {
    const { cores } = this.#options;
    const child = cores
      ? spawn('taskset', ['-c', cores.server, program, ...args], options)
      : spawn(program, args, options);
    this.#children.push(child);
    return child;
  }

  /**
   * Starts the built server on a data directory and waits for its greeting.
   * @param main its main file
   * @param nodeOptions further options of Node itself
   * @throws Error with what it said when it does not start
   */
  async startServer(
    main: string,
    directory: string,
    nodeOptions: readonly string[] = [],
  ): Promise<{ child: ChildProcess; greeting: string }> {
    const { profile, settings: own } = this.#options;
    const profiling = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
    const child = this.#spawn(process.execPath, [...process.execArgv, ...profiling, ...nodeOptions, main], {
      env: { ...process.env, ...settings(directory), ...own },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    await new Promise<void>((resolve, reject) => {
      child.stderr?.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        if (said.includes('is ready')) resolve();
      });
      child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${said}`)));
    });
    return { child, greeting: said };
  }

  /** Starts a program of others on the core of servers. */
  start(program: string, args: readonly string[]): ChildProcess {
    return this.#spawn(program, args, { stdio: 'ignore' });
  }

  /** Starts a bare server of this folder, which prints its port. */
  async startBare(file: `bare-${string}.ts`, args: readonly string[]): Promise<{ child: ChildProcess; port: number }> {
    const { child, said } = await this.startScript(file, args);
    return { child, port: Number(said) };
  }

  /**
   * Starts a server of this folder.
   * @param prints where it prints the line that says how it can be reached; what it logs elsewhere is dropped
   */
  async startScript(
    file: string,
    args: readonly string[],
    prints: 'stdout' | 'stderr' = 'stdout',
  ): Promise<{ child: ChildProcess; said: string }> {
    const stdio: StdioOptions = prints === 'stdout' ? ['ignore', 'pipe', 'inherit'] : ['ignore', 'ignore', 'pipe'];
    const child = this.#spawn(process.execPath, [path.join(import.meta.dirname, file), ...args], { stdio });
    const said = await new Promise<string>((resolve, reject) => {
      child[prints]?.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
      child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)));
    });
    return { child, said };
  }

  /** Ends all that still run. */
  kill(): void {
    for (const child of this.#children) child.kill('SIGKILL');
  }
}

/** Ends a server in its own way, and waits for it. */
export async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

/** A running thread of a process. */
export interface Thread {
  readonly id: string;
  readonly name: string;
  /** Processor time that it has used, in microseconds. */
  readonly us: number;
}

/** The running threads of a process. */
export function threadsOf({ pid }: Pick<ChildProcess, 'pid'>): readonly Thread[] {
  const tasks = `/proc/${pid}/task`;
  return readdirSync(tasks).flatMap((id): readonly Thread[] => {
    const directory = path.join(tasks, id);
    try {
      const name = readFileSync(path.join(directory, 'comm'), 'utf8').trim();
      // Nanoseconds on the processor are the first figure.
      const us = Number(readFileSync(path.join(directory, 'schedstat'), 'utf8').split(' ')[0]) / 1000;
      return [{ id, name, us }];
    } catch (error) {
      if (existsSync(directory)) throw error;
      // It has ended since the threads were listed.
      return [];
    }
  });
}

/** Processor time that all running threads of a process have used, in microseconds. */
export function cpuUs(child: Pick<ChildProcess, 'pid'>): number {
  return threadsOf(child).reduce((sum, { us }) => sum + us, 0);
}

/**
 * The processor time since a reading, in microseconds. The kernel counts it when a thread gives up its core, which one that was busy
 * throughout has not done yet when its last response arrives.
 */
export async function cpuUsSince(child: Pick<ChildProcess, 'pid'>, before: number): Promise<number> {
  for (let attempt = 0; attempt < 100 && cpuUs(child) <= before; attempt++) await sleep(1);
  return cpuUs(child) - before;
}

/** Memory of a process in MB: as it is now, or at its peak. */
export function memoryMb({ pid }: ChildProcess, figure: 'now' | 'peak'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const line = figure === 'now' ? /VmRSS:\s+(\d+)/ : /VmHWM:\s+(\d+)/;
  return Number(line.exec(status)?.[1] ?? 0) / 1024;
}

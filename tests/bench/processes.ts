/** The processes of a bench: the built server, and bare servers beside it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Free ports, and as many requests as the bench likes: the figures of the reference would end a row after 450 writes. */
function settings(directory: string): Readonly<Record<`BROADSIDE_${string}`, string>> {
  return {
    BROADSIDE_DATA_DIR: directory,
    BROADSIDE_API_PORT: '0',
    BROADSIDE_ADS_PORT: '0',
    BROADSIDE_SANDBOX_PORT: '0',
    BROADSIDE_RATE_LIMITS: 'off',
    BROADSIDE_LOG_FORMAT: 'json',
  };
}

/** Processes that end with the bench, however it ends. */
export class Processes {
  readonly #children: ChildProcess[] = [];

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
    const child = spawn(process.execPath, [...process.execArgv, ...nodeOptions, main], {
      env: { ...process.env, ...settings(directory) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#children.push(child);
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

  /** Starts a bare server of this folder, which prints its port. */
  async startBare(file: `bare-${string}.ts`, args: readonly string[]): Promise<{ child: ChildProcess; port: number }> {
    const child = spawn(process.execPath, [path.join(import.meta.dirname, file), ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#children.push(child);
    const port = await new Promise<number>((resolve, reject) => {
      child.stdout?.once('data', (chunk: Buffer) => resolve(Number(chunk.toString())));
      child.once('exit', () => reject(new Error(`${file} ended`)));
    });
    return { child, port };
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

/** Processor time that all threads of a process have used. The kernel counts in hundredths of a second. */
export function cpuMs({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Memory of a process in MB: as it is now, or at its peak. */
export function memoryMb({ pid }: ChildProcess, figure: 'now' | 'peak'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const line = figure === 'now' ? /VmRSS:\s+(\d+)/ : /VmHWM:\s+(\d+)/;
  return Number(line.exec(status)?.[1] ?? 0) / 1024;
}

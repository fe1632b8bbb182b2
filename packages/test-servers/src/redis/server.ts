/** `redis-server` of this machine, started for tests. It keeps nothing on disk unless it is told to. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Why tests with Redis cannot run here; `undefined` where they can. */
export const noRedis: string | undefined =
  spawnSync('redis-server', ['--version']).status === 0 ? undefined : 'redis-server is not installed';

/** A Redis server on a port of its own, which is the same after each start. */
export class RedisServer {
  readonly port: number;
  readonly #directory = mkdtempSync(path.join(tmpdir(), 'broadside-redis-'));
  readonly #settings: readonly string[];
  #process: ChildProcess | undefined;

  private constructor(port: number, settings: readonly string[]) {
    this.port = port;
    this.#settings = settings;
  }

  /** Starts one. @param settings of the command line, such as `--maxmemory 10mb` */
  static async start(settings: readonly string[] = []): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), settings);
    await server.restart();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Kills it without a word. */
  async kill(): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, 'exit');
    running.kill('SIGKILL');
    await ended;
  }

  /** Has it stop where it is: it takes connections and never answers. */
  freeze(): void {
    this.#process?.kill('SIGSTOP');
  }

  /** Lets it go on. */
  thaw(): void {
    this.#process?.kill('SIGCONT');
  }

  /** Runs a command of one line. @returns the answer in the words of the protocol */
  command(line: string): Promise<string> {
    return ask(this.port, line);
  }

  /** Kills it for good. */
  async close(): Promise<void> {
    await this.kill();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  /** Kills it if it runs, and starts it empty, or with what the command SAVE has kept. Resolves when it answers. */
  async restart(from: 'empty' | 'saved' = 'empty'): Promise<void> {
    await this.kill();
    if (from === 'empty') rmSync(path.join(this.#directory, 'dump.rdb'), { force: true });
    const place = ['--bind', '127.0.0.1', '--port', `${this.port}`, '--dir', this.#directory];
    const own = [...place, '--save', '', '--appendonly', 'no'];
    const started = spawn('redis-server', [...own, ...this.#settings], { stdio: 'ignore' });
    this.#process = started;
    while (!(await answers(this.port))) {
      if (started.exitCode !== null) throw new Error(`redis-server ended with ${started.exitCode}`);
      await pause(10);
    }
  }
}

/** Returns whether a server on a port answers to PING. */
async function answers(port: number): Promise<boolean> {
  const answer = await ask(port, 'PING').catch(() => '');
  return answer.startsWith('+PONG');
}

/** Sends a line and QUIT, and collects the answers until the server ends the connection. */
async function ask(port: number, line: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.setEncoding('utf8');
  socket.end(`${line}\r\nQUIT\r\n`);
  let answer = '';
  for await (const part of socket) answer += String(part);
  return answer;
}

async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (typeof address !== 'object' || address === null) throw new TypeError('a server on TCP has a port');
  return address.port;
}

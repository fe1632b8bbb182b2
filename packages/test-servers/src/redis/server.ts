/** `redis-server` of this machine, started for tests. It keeps nothing on disk unless it is told to. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Child } from '../child.ts';
import { freePort } from '../free-port.ts';

/** Why tests with Redis cannot run here; `undefined` where they can. */
export const noRedis: string | undefined =
  spawnSync('redis-server', ['--version']).status === 0 ? undefined : 'redis-server is not installed';

/** A Redis server on a port of its own, which is the same after each start. */
export class RedisServer extends Child {
  readonly port: number;
  readonly #directory = mkdtempSync(path.join(tmpdir(), 'broadside-redis-'));
  readonly #settings: readonly string[];

  private constructor(port: number, settings: readonly string[]) {
    super();
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
    this.process = started;
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

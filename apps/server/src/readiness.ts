/** The report of `/ready`: whether the server takes requests, why it does not, and what its operator should look at. */
import type { World } from './world/world.ts';

/** The body of `/ready`. Members without content are absent. */
export interface ReadinessReport {
  readonly status: 'ready' | 'not ready';
  /** Stores that do not respond or lack migrations. With a shard of accounts among them, such as `production/east`, the server is ready for all others; with a replica, such as `production replica`, for all. */
  readonly stores?: readonly string[];
  /** One sentence for each thing that keeps the server from being ready. */
  readonly reasons?: readonly string[];
  /** One sentence for each thing that an operator should know; the server serves all the same. */
  readonly notices?: readonly string[];
}

/** Runs a work in the world that the server has. */
type InWorld = <Result>(work: (world: World) => Promise<Result>) => Promise<Result>;

/** Collects the state of a server. One for all listeners. */
export class Readiness {
  readonly #inWorld: InWorld;
  readonly #notices: (() => string | undefined)[] = [];
  readonly #obstacles: (() => string | undefined)[] = [];
  #isStarting: boolean;

  /**
   * @param inWorld waits while the world of the server is replaced, as calls do
   * @param starting true until {@link started}
   */
  constructor(inWorld: InWorld, starting = false) {
    this.#inWorld = inWorld;
    this.#isStarting = starting;
  }

  /** Ends the start: everything that clients may expect of the server is there. */
  started(): void {
    this.#isStarting = false;
  }

  /** Adds a source of reasons for not being ready, asked for each report. */
  require(find: () => string | undefined): void {
    this.#obstacles.push(find);
  }

  /** Adds a source of notices, asked for each report. */
  notice(find: () => string | undefined): void {
    this.#notices.push(find);
  }

  async report(): Promise<ReadinessReport> {
    const [required, shards, problems, replicas] = await this.#inWorld(({ stores }) =>
      Promise.all([stores.unready(), stores.shardsAway(), stores.problems(), stores.replicasAway()]),
    );
    // Who turned away from this server for a shard would turn away from all. What replicas do not answer, their primary does.
    const stores = [...required, ...shards, ...replicas];
    const starting = this.#isStarting ? ['The server is starting.'] : [];
    const obstacles = this.#obstacles.flatMap((find) => find() ?? []);
    const reasons = [...starting, ...obstacles, ...problems];
    const notices = this.#notices.flatMap((find) => find() ?? []);
    const isReady = required.length === 0 && reasons.length === 0;
    return {
      status: isReady ? 'ready' : 'not ready',
      ...(stores.length === 0 ? {} : { stores }),
      ...(reasons.length === 0 ? {} : { reasons }),
      ...(notices.length === 0 ? {} : { notices }),
    };
  }
}
